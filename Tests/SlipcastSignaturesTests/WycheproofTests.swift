import Foundation
import SlipcastSignatures
import SlipcastWire
import Testing

/// Project Wycheproof's vectors for ES256.
///
/// Their folder (`testvectors_v1`) is named by `SLIPCAST_WYCHEPROOF`.
@Suite(.enabled(if: Wycheproof.isPresent, "SLIPCAST_WYCHEPROOF names no folder of vectors"))
struct WycheproofTests {
  @Test func everyVectorForSignaturesOnP256GetsItsVerdict() throws {
    let groups = try Wycheproof.groups("ecdsa_secp256r1_sha256_p1363_test.json")
    var count = 0
    for group in groups {
      let key = try ES256Key(publicKey: try #require(Hexadecimal.decode(group["publicKeyDer"] as? String ?? "-")))
      for test in group["tests"] as? [[String: Any]] ?? [] {
        let message = try #require(Hexadecimal.decode(test["msg"] as? String ?? "?"))
        let signature = try #require(Hexadecimal.decode(test["sig"] as? String ?? "?"))
        let isValid = message.withUnsafeBufferPointer { (try? key.check(signature, over: $0)) != nil }
        #expect(isValid == (test["result"] as? String == "valid"), "tcId \(test["tcId"] ?? "?")")
        count += 1
      }
    }
    #expect(count == 262)
  }

  /// Groups with keys on P-256; the others are for algorithms that Apple does not use.
  ///
  /// Two groups ask that the `use`
  /// of a JWK be honoured: keys come from certificates here.
  @Test func everyTokenOfES256GetsItsVerdict() throws {
    let groups = try Wycheproof.groups("json_web_signature_test.json")
    var count = 0
    for group in groups {
      guard let jwk = group["public"] as? [String: Any], jwk["alg"] as? String == "ES256",
        jwk["crv"] as? String == "P-256", let x = (jwk["x"] as? String).flatMap({ Base64.decodeURL($0.utf8) }),
        let y = (jwk["y"] as? String).flatMap({ Base64.decodeURL($0.utf8) })
      else { continue }
      let prefix = try #require(Hexadecimal.decode("3059301306072A8648CE3D020106082A8648CE3D03010703420004"))
      let key = try ES256Key(publicKey: prefix + x + y)
      for test in group["tests"] as? [[String: Any]] ?? [] {
        let isValid = Self.isValid(test["jws"] as? String ?? "", key)
        #expect(isValid == (test["result"] as? String == "valid"), "tcId \(test["tcId"] ?? "?")")
        count += 1
      }
    }
    #expect(count == 39)
  }

  private static func isValid(_ token: String, _ key: ES256Key) -> Bool {
    var token = token
    return token.withUTF8 { text in
      do throws(Refusal) {
        let parts = try TokenParts(text)
        guard let header = Base64.decodeURL(parts.header), let signature = Base64.decodeURL(parts.signature),
          Base64.decodeURL(parts.payload) != nil
        else { return false }
        _ = try JWSHeader(header)
        try key.check(signature, over: parts.signed)
        return true
      } catch {
        return false
      }
    }
  }
}

enum Wycheproof {
  static let root = ProcessInfo.processInfo.environment["SLIPCAST_WYCHEPROOF"].map { URL(fileURLWithPath: $0) }
  static var isPresent: Bool { root != nil }

  static func groups(_ file: String) throws -> [[String: Any]] {
    let root = try #require(root)
    let data = try Data(contentsOf: root.appendingPathComponent(file))
    let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return try #require(document?["testGroups"] as? [[String: Any]])
  }
}
