import Foundation
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastSignatures

/// Files of Project Wycheproof.
enum Wycheproof {
  /// Vectors with one key.
  struct Group {
    let members: [String: Any]
    var tests: [Vector] { (members["tests"] as? [[String: Any]] ?? []).map(Vector.init) }

    /// The bytes of the first of these members that there is.
    func bytes(_ names: String...) throws -> [UInt8] {
      let text = names.lazy.compactMap { members[$0] as? String }.first
      return try #require(Hexadecimal.decode(text ?? "-"))
    }
  }

  /// One vector.
  struct Vector {
    let members: [String: Any]
    var id: Int { members["tcId"] as? Int ?? -1 }
    /// What is acceptable to others is not to be taken here.
    var isValid: Bool { members["result"] as? String == "valid" }

    func text(_ name: String) -> String { members[name] as? String ?? "" }
    func bytes(_ name: String) throws -> [UInt8] { try #require(Hexadecimal.decode(members[name] as? String ?? "-")) }
  }

  static func groups(_ file: String) throws -> [Group] {
    let data = Data(try ForeignSuite.wycheproof.bytes(file))
    let document = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    return try #require(document?["testGroups"] as? [[String: Any]]).map(Group.init)
  }

  /// The key of a JWK on P-256; `nil` for another one.
  static func key(_ jwk: [String: Any]) -> ES256Key? {
    guard jwk["kty"] as? String == "EC", jwk["crv"] as? String == "P-256",
      let x = (jwk["x"] as? String).flatMap({ Base64.decode($0.utf8, .url) }),
      let y = (jwk["y"] as? String).flatMap({ Base64.decode($0.utf8, .url) }),
      let prefix = Hexadecimal.decode("3059301306072A8648CE3D020106082A8648CE3D03010703420004")
    else { return nil }
    return try? ES256Key(publicKey: prefix + x + y)
  }

  /// What the header of a token says its algorithm is.
  static func algorithm(_ token: String) -> String? {
    let head = token.split(separator: ".", omittingEmptySubsequences: false).first
    let header = head.flatMap { Base64.decode($0.utf8, .url) }
    let object = header.flatMap { try? JSONSerialization.jsonObject(with: Data($0)) } as? [String: Any]
    return object?["alg"] as? String
  }

  /// An unsigned certificate around a public key: keys come to Slipcast in certificates.
  static func certificate(publicKey: [UInt8]) throws -> Certificate {
    let bytes = ReceiptBytes.self
    let digest = try #require(Hexadecimal.decode("300D06092A864886F70D01010B0500"))
    let dates = ["20000101000000Z", "20491231235959Z"].flatMap { bytes.element(0x18, Array($0.utf8)) }
    let name = bytes.element(0x30, [])
    let content =
      bytes.element(0xA0, bytes.integer(2)) + bytes.integer(1) + digest + name + bytes.element(0x30, dates) + name
      + publicKey
    return try Certificate(
      der: bytes.element(0x30, bytes.element(0x30, content) + digest + bytes.element(0x03, [0, 0])))
  }
}

/// Counts verdicts, each of which must be the one that its vector states.
struct WycheproofTally {
  private var (valid, invalid) = (0, 0)

  mutating func note(_ test: Wycheproof.Vector, _ isValid: Bool) {
    #expect(isValid == test.isValid, "tcId \(test.id): \(test.text("comment"))")
    if isValid { valid += 1 } else { invalid += 1 }
  }

  /// A newer copy of the suite may have more vectors, never fewer.
  func expect(valid: Int, invalid: Int, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(self.valid >= valid && self.invalid >= invalid, sourceLocation: sourceLocation)
  }
}
