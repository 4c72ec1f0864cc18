import Foundation
import SlipcastWire
import Testing

@testable import SlipcastSignatures

@Suite struct JWSSignerTests {
  @Test func theHeaderIsApples() throws {
    let identity = try TestIdentity.make()
    let token = try JWSSigner(identity: identity).sign("{}".utf8)
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    let certificates = identity.certificates.map { "\"\(Base64.encode($0.der))\"" }.joined(separator: ",")
    let header = try #require(Base64.decode(parts[0].utf8, .url))
    #expect(String(decoding: header, as: UTF8.self) == "{\"alg\":\"ES256\",\"x5c\":[\(certificates)]}")
    #expect(Base64.decode(parts[1].utf8, .url) == Array("{}".utf8))
    #expect(Base64.decode(parts[2].utf8, .url)?.count == 64)
    #expect(!token.contains("=") && !token.contains("+") && !token.contains("/"))
  }

  @Test(arguments: [0, 1, 2, 3, 4, 5, 63, 64, 65, 4097])
  func payloadsOfAnyLengthComeBackByteForByte(_ count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 251) }
    let parts = try JWSSigner(identity: TestIdentity.make()).sign(payload)
      .split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3)
    #expect(Base64.decode(parts[1].utf8, .url) == payload)
    #expect(String(parts[1]) == Base64.encodeURL(payload))
  }

  @Test func oneSignerSignsOftenAndTheHeaderStays() throws {
    let signer = JWSSigner(identity: try TestIdentity.make())
    let tokens = try (0..<300).map { try signer.sign("{\"number\":\($0)}".utf8) }
    #expect(Set(tokens).count == 300)
    #expect(Set(tokens.map { $0.prefix { $0 != "." } }).count == 1)
    #expect(tokens.allSatisfy { $0.suffix(87).first == "." })
  }

  @Test(.enabled(if: OpenSSLProgram.isThere))
  func openSSLFindsTheSignatureGood() throws {
    let folder = try ScratchFolder()
    let identity = try TestIdentity.make()
    try folder.write(identity.certificates[0].pem(), "leaf.pem")
    let key = try OpenSSLProgram.run(["x509", "-in", folder.path("leaf.pem"), "-noout", "-pubkey"])
    try folder.write(key.output.utf8, "leaf.pub")
    let signer = JWSSigner(identity: identity)
    // Often enough that numbers with leading zero bytes come along.
    for number in 0..<40 {
      let token = try signer.sign("{\"number\":\(number)}".utf8)
      let period = try #require(token.lastIndex(of: "."))
      let raw = try #require(Base64.decode(token[token.index(after: period)...].utf8, .url))
      try folder.write(token[..<period].utf8, "input")
      try folder.write(Self.der(raw), "signature")
      let run = try OpenSSLProgram.run([
        "dgst", "-sha256", "-verify", folder.path("leaf.pub"), "-signature", folder.path("signature"),
        folder.path("input"),
      ])
      #expect(run.status == 0, "\(run.output)")
    }
  }

  /// The DER form of r ‖ s, written here by hand so that the test does not lean on what it tests.
  private static func der(_ raw: [UInt8]) -> [UInt8] {
    func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      var digits = Array(bytes.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    let body = integer(raw[..<32]) + integer(raw[32...])
    return [0x30, UInt8(body.count)] + body
  }
}
