import Testing

@testable import SlipcastSignatures

/// What a certificate below a root must be made of; the certificates come from OpenSSL's own program.
@Suite(.enabled(if: OpenSSLProgram.isThere, "needs the program openssl"))
struct CertificateStrengthTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var bits: Int
    var digest: String
    var strength: CertificateStrength
    var signer: Bool
    var intermediate: Bool

    var testDescription: String { "RSA \(bits), \(digest), where \(strength) is asked for" }
  }

  /// For each certificate and each demand: whether it will do as the signer's, and as the intermediate.
  static let rows = [
    Row(bits: 2048, digest: "sha256", strength: .modern, signer: true, intermediate: true),
    Row(bits: 2048, digest: "sha1", strength: .modern, signer: false, intermediate: false),
    Row(bits: 2048, digest: "sha1", strength: .sha1, signer: true, intermediate: true),
    Row(bits: 2048, digest: "md5", strength: .modern, signer: false, intermediate: false),
    Row(bits: 2048, digest: "md5", strength: .sha1, signer: false, intermediate: false),
    Row(bits: 2048, digest: "md5", strength: .rsa1024, signer: false, intermediate: false),
    Row(bits: 1024, digest: "sha256", strength: .modern, signer: false, intermediate: false),
    Row(bits: 1024, digest: "sha1", strength: .sha1, signer: false, intermediate: false),
    Row(bits: 1024, digest: "sha1", strength: .rsa1024, signer: true, intermediate: false),
    Row(bits: 512, digest: "sha1", strength: .rsa1024, signer: false, intermediate: false),
  ]

  @Test(arguments: rows) func aWeakKeyOrDigestWillNotDo(_ row: Row) throws {
    let certificate = try Self.certificate(bits: row.bits, digest: row.digest)
    #expect(Self.reason(certificate, row.strength, isSigner: true) == (row.signer ? nil : .weakCryptography))
    #expect(Self.reason(certificate, row.strength, isSigner: false) == (row.intermediate ? nil : .weakCryptography))
  }

  static func reason(
    _ certificate: Certificate, _ strength: CertificateStrength, isSigner: Bool
  ) -> Refusal.Reason? {
    do throws(Refusal) {
      try strength.check(certificate, isSigner: isSigner)
      return nil
    } catch {
      return error.reason
    }
  }

  static func certificate(bits: Int, digest: String) throws -> Certificate {
    let folder = try ScratchFolder()
    let made = try OpenSSLProgram.run([
      "req", "-x509", "-newkey", "rsa:\(bits)", "-noenc", "-\(digest)", "-subj", "/CN=Weak", "-days", "1",
      "-keyout", folder.path("key.pem"), "-outform", "DER", "-out", folder.path("certificate.der"),
    ])
    try #require(made.status == 0, "\(made.output)")
    return try Certificate(der: folder.bytes("certificate.der"))
  }
}
