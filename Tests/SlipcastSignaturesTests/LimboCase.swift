import Foundation
import SlipcastTestSupport
import SlipcastWire

@testable import SlipcastSignatures

/// One case of x509-limbo.
struct LimboCase: Decodable, Sendable {
  let id: String
  let description: String
  private let expected: String
  private let peer: String
  private let roots: [String]
  private let intermediates: [String]
  private let validationTime: String?

  private enum CodingKeys: String, CodingKey {
    case id, description
    case expected = "expected_result"
    case peer = "peer_certificate"
    case roots = "trusted_certs"
    case intermediates = "untrusted_intermediates"
    case validationTime = "validation_time"
  }

  private struct File: Decodable { let testcases: [LimboCase] }

  /// All cases but those that the suite derives from BetterTLS, which are about names of hosts and servers' paths.
  static func all() throws -> [LimboCase] {
    guard let file = ForeignSuite.limbo.root else { return [] }
    let cases = try JSONDecoder().decode(File.self, from: Data(contentsOf: file)).testcases
    return cases.filter { !$0.id.hasPrefix("bettertls::") }
  }

  var isGood: Bool { expected == "SUCCESS" }
  /// The group that the case belongs to.
  var group: String { id.split(separator: ":").first.map(String.init) ?? id }

  var time: Timestamp {
    validationTime.flatMap { RFC3339Date.milliseconds(Array($0.utf8)) }.map(Timestamp.init(milliseconds:)) ?? .now
  }

  func leaf() throws(Refusal) -> Certificate { try Self.certificate(peer) }
  func others() throws(Refusal) -> [Certificate] { try Self.certificates(intermediates) }
  func anchors() throws(Refusal) -> TrustAnchors { TrustAnchors(roots: try Self.certificates(roots)) }

  private static func certificates(_ texts: [String]) throws(Refusal) -> [Certificate] {
    var certificates: [Certificate] = []
    for text in texts { certificates.append(try certificate(text)) }
    return certificates
  }

  private static func certificate(_ pem: String) throws(Refusal) -> Certificate {
    let certificates = try TrustAnchors.certificates(in: Array(pem.utf8))
    guard certificates.count == 1 else { throw Refusal(.certificateCount) }
    return certificates[0]
  }

  func refusal(_ body: () throws(Refusal) -> Void) -> Refusal? {
    do throws(Refusal) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Why no path is found; `nil` when there is one, of whatever length and kind.
  func pathRefusal() -> Refusal? {
    refusal { () throws(Refusal) in _ = try CertificatePath.build(leaf(), others(), to: anchors(), at: time) }
  }

  /// Why a path is not found or is not one for signed payloads, Apple's marks set aside.
  func demandRefusal() -> Refusal? {
    refusal { () throws(Refusal) in
      let path = try CertificatePath.build(leaf(), others(), to: anchors(), at: time)
      try CertificatePath.requireForm(path)
      try CertificatePath.requireStrength(path, .modern)
    }
  }
}
