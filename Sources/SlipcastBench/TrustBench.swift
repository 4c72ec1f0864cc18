import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures

struct TrustBench {
  private let options: BenchOptions
  private let identity: TestIdentity
  private let rules: RuleSet

  init(options: BenchOptions) throws {
    self.options = options
    (identity, rules) = (try TestIdentity.make(), try RuleSet.builtIn())
  }

  /// Measures all stages.
  ///
  /// - Returns: the table.
  func run() async throws -> String {
    let stages = [try openssl(), try transaction(), try notification(), try receipt(), try decoded()]
    try await Measurement.prepare(stages)
    try await Measurement.time(stages, runs: options.runs)
    return Report.table(
      stages,
      [
        ("per second", { Report.fixed($0.recordsPerSecond, 0) }),
        ("of openssl", { Report.fixed($0.recordsPerSecond / stages[0].recordsPerSecond, 2) }),
        ("allocations", { Report.fixed($0.allocationsPerRecord, 1) }),
      ])
  }

  private func measurement(_ name: String, _ check: @escaping () throws -> Bool) -> Measurement {
    let count = options.records
    return Measurement(name: name, records: count, bytes: 0) {
      var valid = 0
      for _ in 0..<count where try check() { valid += 1 }
      guard valid == count else { throw BenchError("\(name): only \(valid) of \(count) were valid") }
      return valid
    }
  }

  // MARK: stages

  private func openssl() throws -> Measurement {
    let check = try RawKey(verifies: true)
    return measurement("openssl") { check.run() }
  }

  private func transaction() throws -> Measurement {
    let verifier = JWSVerifier(policy: policy(identity.anchors))
    let token = try JWSSigner(identity: identity).sign(Self.payload.utf8)
    return measurement("transaction") { verifier.verify(token).isValid }
  }

  private func notification() throws -> Measurement {
    let verifier = JWSVerifier(policy: policy(identity.anchors))
    let record = """
      {"notificationType":"DID_RENEW","notificationUUID":"b5a1f0b0-0000-4000-8000-000000000000","version":"2.0",\
      "signedDate":1698148900000,"data":{"bundleId":"com.example.slipcast","environment":"Sandbox",\
      "transactionInfo":\(Self.payload),"renewalInfo":{"autoRenewProductId":"com.example.slipcast.monthly",\
      "autoRenewStatus":1,"environment":"Sandbox"}}}
      """
    let signed = try PayloadSigner(identity: identity).sign(record)
    let token = signed.dropFirst(#"{"signedPayload":""#.count).dropLast(2)
    return measurement("notification") { verifier.verify(token).isValid }
  }

  private func receipt() throws -> Measurement {
    let root = try TrustAnchors.certificates(in: try Self.file("root.der"))
    let verifier = ReceiptVerifier(policy: policy(TrustAnchors(roots: root)), rules: rules)
    let bytes = try Self.file("app-production-binary/receipt.der")
    return measurement("receipt") { verifier.verify(appReceipt: bytes).isValid }
  }

  private func decoded() throws -> Measurement {
    let bytes = try Self.file("app-production-binary/receipt.der")
    let decoder = ReceiptDecoder(rules: rules)
    return measurement("decoded") { try !decoder.answer(bytes).isEmpty }
  }

  private func policy(_ anchors: TrustAnchors) -> VerificationPolicy {
    var policy = VerificationPolicy()
    policy.anchors = anchors
    return policy
  }

  private static func file(_ name: String) throws -> [UInt8] {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return Array(try Data(contentsOf: package.appendingPathComponent("Fixtures/receipts/signed/" + name)))
  }

  private static let payload = """
    {"originalTransactionId":"510000000000011","transactionId":"510000000000012","webOrderLineItemId":"510000000000902",\
    "bundleId":"com.example.slipcast","productId":"com.example.slipcast.monthly",\
    "subscriptionGroupIdentifier":"20000001","purchaseDate":1698148800000,"originalPurchaseDate":1695556800000,\
    "expiresDate":1700740800000,"quantity":1,"type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED",\
    "signedDate":1698148900000,"environment":"Sandbox","transactionReason":"RENEWAL","storefront":"USA",\
    "storefrontId":"143441","price":4990,"currency":"USD"}
    """
}
