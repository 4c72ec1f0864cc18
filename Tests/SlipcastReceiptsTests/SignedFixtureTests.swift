import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastReceipts

/// `Fixtures/receipts/signed`: each receipt gets the verdict that its `source.txt` begins with.
@Suite struct SignedFixtureTests {
  static func receipt(_ fixture: Fixture) throws -> [UInt8] {
    let name = try #require(["receipt.base64", "receipt.der", "receipt.json"].first(where: fixture.exists))
    return try fixture.bytes(name)
  }

  static func policy() throws -> VerificationPolicy {
    let folder = Fixture.named("receipts/signed")
    var policy = VerificationPolicy()
    policy.bundleId = "com.example.slipcast"
    policy.anchors = TrustAnchors(
      roots: [try Certificate(der: folder.bytes("root.der"))],
      intermediates: [
        try Certificate(der: folder.bytes("intermediate.der")),
        try Certificate(der: folder.bytes("store-intermediate.der")),
      ])
    return policy
  }

  @Test(arguments: Fixture.cases("receipts/signed").filter { $0.exists("source.txt") })
  func everyFixtureGetsTheVerdictOfItsSource(_ fixture: Fixture) throws {
    let wanted = try #require(try fixture.text("source.txt").split(separator: ".").first.map(String.init))
    let verifier = RecordVerifier(policy: try Self.policy(), rules: HandMade.rules)
    let verdicts = verifier.verify(try Self.receipt(fixture))
    #expect(verdicts.count == 1)
    #expect(verdicts.map { $0.refusal?.reason.rawValue ?? "valid" } == [wanted])
  }

  @Test func thereAreEnoughOfThem() { #expect(Fixture.cases("receipts/signed").count > 20) }

  @Test(arguments: [
    ("5117CA5700004000800000000000D071", nil), ("5117CA5700004000800000000000D072", Refusal.Reason.deviceMismatch),
  ])
  func theDeviceIsRecognised(_ device: String, _ reason: Refusal.Reason?) throws {
    var policy = try Self.policy()
    policy.deviceIdentifier = Hexadecimal.decode(device)
    let bytes = try Fixture.named("receipts/signed/app-production-binary").bytes("receipt.der")
    #expect(ReceiptVerifier(policy: policy, rules: HandMade.rules).verify(appReceipt: bytes).refusal?.reason == reason)
  }

  /// The message around the content, broken at every twentieth byte and at random.
  @Test func noBytesOfASignedReceiptMakeItCrash() throws {
    let bytes = try Fixture.named("receipts/signed/app-production-binary").bytes("receipt.der")
    let verifier = ReceiptVerifier(policy: try Self.policy(), rules: HandMade.rules)
    for count in stride(from: 0, to: bytes.count, by: 20) {
      #expect(verifier.verify(appReceipt: Array(bytes.prefix(count))).refusal != nil)
    }
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 { _ = verifier.verify(appReceipt: random.mutated(bytes)) }
  }
}
