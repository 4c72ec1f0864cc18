import Foundation
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastSignatures

/// Project Wycheproof's vectors for ES256, and its tokens.
///
/// Their folder (`testvectors_v1`) is named by `SLIPCAST_WYCHEPROOF`.
@Suite(.enabled(if: ForeignSuite.wycheproof.isPresent, "SLIPCAST_WYCHEPROOF names no folder of vectors"))
struct WycheproofTests {
  @Test func everyVectorForSignaturesOnP256GetsItsVerdict() throws {
    var tally = WycheproofTally()
    for group in try Wycheproof.groups("ecdsa_secp256r1_sha256_p1363_test.json") {
      let key = try ES256Key(publicKey: try group.bytes("publicKeyDer"))
      for test in group.tests {
        let signature = try test.bytes("sig")
        let message = try test.bytes("msg")
        let isValid = (try? key.check(signature, over: message.span)) != nil
        tally.note(test, isValid)
      }
    }
    tally.expect(valid: 173, invalid: 89)
  }

  /// Tokens of the algorithm ES256 with keys on P-256.
  @Test(arguments: [("json_web_signature_test.json", 2, 37), ("json_web_crypto_test.json", 1, 12)])
  func everyTokenOfES256GetsItsVerdict(_ file: String, _ valid: Int, _ invalid: Int) throws {
    var tally = WycheproofTally()
    for group in try Wycheproof.groups(file) {
      guard let jwk = group.members["public"] as? [String: Any], jwk["alg"] as? String == "ES256",
        let key = Wycheproof.key(jwk)
      else { continue }
      for test in group.tests { tally.note(test, Self.isValid(test.text("jws"), key)) }
    }
    tally.expect(valid: valid, invalid: invalid)
  }

  /// Whatever key another algorithm has, a token of it is refused by its header.
  @Test(arguments: [("json_web_signature_test.json", 300), ("json_web_crypto_test.json", 20)])
  func noTokenOfAnotherAlgorithmIsTaken(_ file: String, _ least: Int) throws {
    var count = 0
    for group in try Wycheproof.groups(file) {
      for test in group.tests {
        let token = test.text("jws")
        guard Wycheproof.algorithm(token) != "ES256" else { continue }
        #expect(Self.refusal(ofHeader: Array(token.utf8)) != nil, "tcId \(test.id): \(token.prefix(40))")
        count += 1
      }
    }
    #expect(count >= least)
  }

  /// Keys that are not what they say they are.
  ///
  /// What a JWK says of its use or algorithm does not come to Slipcast: keys are in certificates.
  @Test func noBrokenKeyMakesAGoodToken() throws {
    let groups = try Wycheproof.groups("json_web_key_test.json").filter { group in
      ["invalid_point", "wrong_curve", "wrong_kty"].contains(group.members["comment"] as? String ?? "")
    }
    #expect(groups.count == 3)
    for group in groups {
      let keys = try #require((group.members["public"] as? [String: Any])?["keys"] as? [[String: Any]])
      let key = try Wycheproof.key(#require(keys.first))
      for test in group.tests {
        #expect(!test.isValid && key.map { Self.isValid(test.text("jws"), $0) } != true, "tcId \(test.id)")
      }
    }
  }

  private static func refusal(ofHeader text: [UInt8]) -> Refusal? {
    do throws(Refusal) {
      let parts = try TokenParts(text.span)
      guard let header = Base64.decode(text[parts.header], .url) else { return Refusal(.headerUnreadable) }
      _ = try JWSHeader(header)
      return nil
    } catch {
      return error
    }
  }

  private static func isValid(_ token: String, _ key: ES256Key) -> Bool {
    let text = Array(token.utf8)
    do throws(Refusal) {
      let parts = try TokenParts(text.span)
      guard let header = Base64.decode(text[parts.header], .url),
        let signature = Base64.decode(text[parts.signature], .url), Base64.decode(text[parts.payload], .url) != nil
      else { return false }
      _ = try JWSHeader(header)
      try key.check(signature, over: text.span.extracting(parts.signed))
      return true
    } catch {
      return false
    }
  }
}
