import Foundation
import Testing

@testable import SlipcastBulk
@testable import SlipcastStores

@Suite struct ExampleTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Examples/sql")

  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  private func read(_ name: String) throws -> String {
    try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test(arguments: names)
  func everyExampleAsksOneQuestionThatItsFirstLineTells(_ name: String) throws {
    let text = try read(name)
    #expect(text.hasPrefix("-- ") && text.prefix { $0 != "\n" }.contains("?"))
    #expect(text.filter { $0 == ";" }.count == 1 && text.hasSuffix(";\n"))
  }

  /// The number of rows that each example gives of the small store below.
  private static let rows = [
    "ambiguous-events.sql": 2, "events-of-one-subscription.sql": 3, "events-with-dates.sql": 5,
    "findings-overview.sql": 1,
    "lapsed-and-came-back.sql": 1, "last-known-status.sql": 2, "refunds-by-month.sql": 1,
    "rejects-of-the-last-run.sql": 1, "runs.sql": 1, "trial-conversions.sql": 1,
  ]

  @Test(arguments: Database.present)
  func everyExampleRunsAndGivesWhatItPromises(_ database: Database) throws {
    try database.withEmpty { text in
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      let period = ",\"expiresDate\":1589682709000"
      _ = try sink.write([
        Samples.notification(1, type: "SUBSCRIBED", extra: period + ",\"offerDiscountType\":\"FREE_TRIAL\""),
        Samples.notification(2, type: "EXPIRED", extra: period),
        Samples.notification(3, type: "SUBSCRIBED", extra: period),
        Samples.notification(4, subscription: "77", type: "REFUND", extra: ",\"revocationDate\":1609459199999"),
        Samples.ambiguous(5),
      ]) { $0.findings = [Samples.remark] }
      // Apple's own notifications of the same events: none of the questions is about them.
      _ = try sink.write([
        Samples.notification(
          12, type: "EXPIRED", extra: period + ",\"revocationDate\":1612137600000"),
        Samples.notification(13, type: "SUBSCRIBED", extra: period + ",\"offerDiscountType\":\"FREE_TRIAL\""),
      ]) { $0.origin = .v2 }
      try sink.write(reject: Samples.reject(6))
      _ = try sink.flush()
      try sink.finish(.finished, counts: RunCounts())
      for name in Self.names {
        #expect(try database.query(read(name), at: text).count == Self.rows[name], "\(name)")
      }
      let refunds = try read("refunds-by-month.sql").replacing(";\n", with: "")
      #expect(try database.query("SELECT year || '-' || month FROM (\(refunds)) AS r", at: text) == ["2020-12"])
      let status = try read("last-known-status.sql").replacing(";\n", with: "")
      #expect(
        try database.query("SELECT notificationType FROM (\(status)) AS s", at: text) == ["SUBSCRIBED", "REFUND"])
      let trials = try read("trial-conversions.sql").replacing(";\n", with: "")
      #expect(try database.query("SELECT trials || ' ' || converted FROM (\(trials)) AS t", at: text) == ["1 0"])
    }
  }

  /// It takes access back, but no money, whichever message shows it.
  @Test(arguments: Database.present)
  func theEndOfFamilySharingIsNoRefund(_ database: Database) throws {
    try database.withEmpty { text in
      let sink = try Store.open(try StoreLocation(text), run: Samples.run()).sink
      let revoked = ",\"revocationDate\":1609459199999"
      let shared = revoked + ",\"inAppOwnershipType\":\"FAMILY_SHARED\""
      _ = try sink.write([
        Samples.notification(1, subscription: "76", type: "REVOKE", extra: shared),
        Samples.notification(2, subscription: "77", type: "DID_CHANGE_RENEWAL_STATUS", extra: shared),
        Samples.notification(3, subscription: "78", type: "REVOKE", extra: revoked),
        // A refund counts once, and also without its own date.
        Samples.notification(4, subscription: "79", type: "REFUND", extra: revoked),
        Samples.notification(5, subscription: "80", type: "REFUND"),
      ])
      _ = try sink.flush()
      try sink.finish(.finished, counts: RunCounts())
      let refunds = try read("refunds-by-month.sql").replacing(";\n", with: "")
      #expect(try database.query("SELECT sum(refunds) FROM (\(refunds)) AS r", at: text) == ["2"])
    }
  }
}
