import Foundation
import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastReceipts

/// A signed record, whom to trust, and what of it is signed.
struct SignedSample: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let policy: VerificationPolicy
  /// Names of its parts.
  let places: [SignedPlace]
  /// What the signature vouches for.
  let values: @Sendable ([UInt8]) throws -> [UInt8]

  var testDescription: String { name }

  /// The name of the part in which a byte stands.
  func place(_ offset: Int) -> String { places.first { $0.range.contains(offset) }?.name ?? "headers of the parts" }

  /// The path and the values of a trusted record; `nil` when it is not trusted.
  func trusted(_ bytes: [UInt8], _ verifier: RecordVerifier) throws -> Trusted? {
    let verdicts = verifier.verify(bytes)
    guard !verdicts.isEmpty, verdicts.allSatisfy(\.isValid) else { return nil }
    return Trusted(
      path: verdicts.map { $0.certificates.map(\.der) }, bundleIds: verdicts.map(\.bundleId),
      times: verdicts.map(\.judgedAt), values: try values(bytes))
  }

  /// Everything that a verdict vouches for.
  struct Trusted: Equatable {
    var path: [[[UInt8]]]
    var bundleIds: [String?]
    var times: [Timestamp?]
    var values: [UInt8]
  }

  var verifier: RecordVerifier { RecordVerifier(policy: policy, rules: HandMade.rules) }
}

/// A part of a record.
struct SignedPlace: Sendable {
  var range: Range<Int>
  var name: String
}

extension SignedSample {
  static let all: [SignedSample] = {
    do { return [try token()] + (try appReceipts()) + (try transactionReceipts()) } catch { fatalError("\(error)") }
  }()

  /// A notification with a transaction and a renewal info inside, each signed.
  private static func token() throws -> SignedSample {
    let identity = try TestIdentity.make()
    let text = try PayloadSigner(identity: identity).sign(Fixture.named("notifications/did-renew").bytes("v2.json"))
    var policy = VerificationPolicy()
    policy.anchors = identity.anchors
    let verified = policy
    return SignedSample(name: "signed notification", bytes: Array(text.utf8), policy: policy, places: []) { bytes in
      let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      let token = try #require(object?["signedPayload"] as? String)
      return Array(try JWSVerifier(policy: verified).notification(token).value.json.utf8)
    }
  }

  private static func appReceipts() throws -> [SignedSample] {
    let decoder = ReceiptDecoder(rules: HandMade.rules)
    // The certificates between come with the receipts: whatever happens to them must show.
    var policy = VerificationPolicy()
    policy.anchors = TrustAnchors(roots: try SignedFixtureTests.policy().anchors.roots)
    let trust = policy
    func sample(_ name: String, _ bytes: [UInt8], _ places: [SignedPlace]) -> SignedSample {
      SignedSample(name: name, bytes: bytes, policy: trust, places: places) { try decoder.answer($0) }
    }
    var samples: [SignedSample] = []
    for name in ["app-production", "app-sandbox-sha1-wrapped", "app-signed-attributes", "app-ber-chunked"] {
      let text = try Fixture.named("receipts/signed/" + name).bytes("receipt.base64")
      let binary = try ReceiptText(text).bytes
      let path = RecordVerifier(policy: trust, rules: HandMade.rules).verify(binary).first?.certificates ?? []
      samples.append(sample(name, binary, MessagePlaces.of(binary, path: path.map(\.der))))
    }
    let text = try Fixture.named("receipts/signed/app-sandbox-sha1-wrapped").bytes("receipt.base64")
    return samples + [sample("app-sandbox-sha1-wrapped in base64", text, TextPlaces.ofLetters(text))]
  }

  private static func transactionReceipts() throws -> [SignedSample] {
    let policy = try SignedFixtureTests.policy()
    var samples: [SignedSample] = []
    for name in ["ios6-v2-sandbox", "ios6-v3-production"] {
      let text = try Fixture.named("receipts/signed/" + name).bytes("receipt.base64")
      let list = try #require(Base64.decode(text))
      for (name, bytes, places) in [
        (name, list, TextPlaces.ofMembers(list)), (name + " in base64", text, TextPlaces.ofLetters(text)),
      ] {
        samples.append(
          SignedSample(name: name, bytes: bytes, policy: policy, places: places) {
            try TransactionReceipt(ReceiptText($0).bytes).purchaseInfo
          })
      }
    }
    return samples
  }
}
