import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastSignatures

/// Project Wycheproof's vectors for RSA PKCS #1 v1.5, with which receipts are signed; see `WycheproofTests`.
@Suite(.enabled(if: ForeignSuite.wycheproof.isPresent, "SLIPCAST_WYCHEPROOF names no folder of vectors"))
struct WycheproofReceiptTests {
  static func isValid(_ test: Wycheproof.Vector, _ key: Certificate, _ digest: RSASignature.Digest) throws -> Bool {
    let (signature, message) = (try test.bytes("sig"), try test.bytes("msg"))
    return (try? RSASignature.check(signature, over: message, by: key, digest)) != nil
  }

  /// The one vector that both verdicts become leaves a NULL out of the digest's name; here it is refused.
  @Test(arguments: [
    ("rsa_signature_2048_sha256_test.json", 9, 250), ("rsa_signature_3072_sha256_test.json", 8, 250),
    ("rsa_signature_4096_sha256_test.json", 7, 250),
  ])
  func everyVectorOfSHA256GetsItsVerdict(_ file: String, _ valid: Int, _ invalid: Int) throws {
    var tally = WycheproofTally()
    for group in try Wycheproof.groups(file) {
      let key = try Wycheproof.certificate(publicKey: try group.bytes("publicKeyDer", "publicKeyAsn"))
      for test in group.tests { tally.note(test, try Self.isValid(test, key, .sha256)) }
    }
    tally.expect(valid: valid, invalid: invalid)
  }

  /// What is good under another digest is not so under SHA-256, nor under SHA-1.
  @Test(arguments: ["sha224", "sha384", "sha512", "sha3_256", "sha512_256"])
  func noVectorOfAnotherDigestIsTaken(_ digest: String) throws {
    var count = 0
    for group in try Wycheproof.groups("rsa_signature_2048_\(digest)_test.json") {
      let key = try Wycheproof.certificate(publicKey: try group.bytes("publicKeyDer", "publicKeyAsn"))
      for test in group.tests where test.isValid {
        #expect(try !Self.isValid(test, key, .sha256) && !Self.isValid(test, key, .sha1), "tcId \(test.id)")
        count += 1
      }
    }
    #expect(count >= 7)
  }

  /// The suite has SHA-1 among its vectors for signing only: each is good under its own digest and no other.
  @Test(arguments: [1024, 2048])
  func signaturesOfEachDigestAreGoodUnderThatDigest(_ bits: Int) throws {
    var (sha1, others) = (0, 0)
    for group in try Wycheproof.groups("rsa_pkcs1_\(bits)_sig_gen_test.json") {
      let key = try Wycheproof.certificate(publicKey: try group.bytes("keyDer", "publicKeyDer"))
      let digest = group.members["sha"] as? String
      for test in group.tests {
        #expect(try Self.isValid(test, key, .sha1) == (digest == "SHA-1"), "tcId \(test.id)")
        #expect(try Self.isValid(test, key, .sha256) == (digest == "SHA-256"), "tcId \(test.id)")
        if digest == "SHA-1" { sha1 += 1 } else { others += 1 }
      }
    }
    #expect(sha1 >= 8 && others >= 8)
  }
}
