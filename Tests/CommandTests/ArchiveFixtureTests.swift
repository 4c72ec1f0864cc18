import Foundation
import SlipcastTestSupport
import Testing

/// Every case of `Fixtures/archives` produces the timelines and the groups next to it.
@Suite struct ArchiveFixtureTests {
  @Test(arguments: Fixture.cases("archives"), ["timeline.txt", "timeline.ndjson", "grouped.ndjson", "states.ndjson"])
  func anArchiveGivesWhatStandsBesideIt(_ fixture: Fixture, _ name: String) throws {
    let command =
      switch name {
      case "timeline.txt": "timeline --format text"
      case "timeline.ndjson": "timeline --format json"
      case "states.ndjson": "timeline --as-of 2023-03-01 --states -"
      default: "convert --group"
      }
    let words = try fixture.arguments.map { "'\($0)'" }.joined(separator: " ")
    let run = try Program.shell("slipcast \(command) --quiet \(words) '\(fixture.path("v1.ndjson"))'")
    #expect(run.status == 0, "\(run.errors)")
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try run.output.write(toFile: fixture.path(name), atomically: true, encoding: .utf8)
    }
    #expect(try run.output == fixture.text(name))
  }

  /// Who had access on a day is one comparison, so the rows of a subscription follow each other.
  @Test(arguments: Fixture.cases("archives"))
  func theStatesOfALifeFollowEachOther(_ fixture: Fixture) throws {
    let rows = try fixture.text("states.ndjson").split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
    #expect(!rows.isEmpty)
    func number(_ row: [String: Any], _ name: String) -> Int64? { (row[name] as? NSNumber)?.int64Value }
    for (one, next) in zip(rows, rows.dropFirst()) {
      guard one["originalTransactionId"] as? String == next["originalTransactionId"] as? String else { continue }
      let (end, start) = (number(one, "validTo"), number(next, "validFrom"))
      #expect(end != nil && end ?? .max <= start ?? .min, "\(one) \(next)")
    }
    for row in rows { #expect(number(row, "validTo") ?? .max > number(row, "validFrom") ?? .max, "\(row)") }
  }

  /// Both forms say the same, with dates in CSV and milliseconds in JSON.
  @Test func statesAreTheSameInBothForms() throws {
    let fixture = Fixture.named("archives/lives")
    let words = "--quiet --body /body --received-at /received_at --as-of 2023-03-01 '\(fixture.path("v1.ndjson"))'"
    let run = try Program.shell(
      """
      folder=$(mktemp -d); cd "$folder"
      slipcast timeline \(words) --to e.ndjson --states s.csv && cat s.csv
      rm -r "$folder"
      """)
    let rows = run.output.split(whereSeparator: \.isNewline).map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(rows.first?.prefix(6) == ["originalTransactionId", "validFrom", "validTo", "status", "access", "reason"])
    #expect(rows.count - 1 == (try fixture.text("states.ndjson").split(separator: "\n").count))
    let grace = rows.first { $0.contains("grace") }
    #expect(grace?.prefix(5) == ["7300170001001", "2022-08-10T00:00:00Z", "2022-08-13T00:00:00Z", "4", "yes"])
  }

  /// Where the V2 archive stands beside it: how many events have a counterpart, and which must have one.
  @Test(arguments: Fixture.cases("archives").filter { (try? $0.text("v2.ndjson")) != nil })
  func theCommonTimeIsWhatStandsBesideIt(_ fixture: Fixture) throws {
    let words = try fixture.arguments.map { "'\($0)'" }.joined(separator: " ")
    let archives = "--legacy '\(fixture.path("v1.ndjson"))' --server '\(fixture.path("v2.ndjson"))'"
    let run = try Program.shell("slipcast parity --format json \(words) \(archives) 2> /dev/null || true")
    let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let told = ["pairs": report["pairs"], "coverage": report["coverage"]]
    let data = try JSONSerialization.data(
      withJSONObject: told as [String: Any?], options: [.prettyPrinted, .sortedKeys])
    let text = String(decoding: data, as: UTF8.self) + "\n"
    if ProcessInfo.processInfo.environment["RECORD"] != nil {
      try text.write(toFile: fixture.path("parity.json"), atomically: true, encoding: .utf8)
    }
    #expect(try text == fixture.text("parity.json"))
  }

  @Test func aSettledCompanionBesideItsEventIsNoSeparateMessage() throws {
    let fixture = Fixture.named("archives/actions")
    let words = "--quiet --settle --group --body /body --received-at /received_at"
    let run = try Program.shell("slipcast convert \(words) '\(fixture.path("v1.ndjson"))'")
    let byHand = run.output.split(separator: "\n").filter { $0.contains("grouping.recovery.byHand") }
    #expect(byHand.count > 1)
    #expect(byHand.allSatisfy { !$0.contains(#""absorbed""#) })
  }

  @Test func theUpgradeToldInThreeMessagesIsOneEventAndTheLapseIsNamed() throws {
    let fixture = Fixture.named("archives/subscription")
    let lines = try fixture.text("timeline.ndjson").split(separator: "\n").map(String.init)
    let events = lines.compactMap { line -> String? in
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let kind = object["kind"] as? String, kind == "event" || kind == "gap"
      else { return nil }
      let type = object["notificationType"] as? String ?? ""
      return (kind == "gap" ? "~" : "") + type + ((object["subtype"] as? String).map { "/\($0)" } ?? "")
    }
    #expect(
      events == [
        "SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_RENEW/BILLING_RECOVERY",
        "DID_CHANGE_RENEWAL_PREF/UPGRADE", "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "~EXPIRED/VOLUNTARY",
        "SUBSCRIBED/RESUBSCRIBE", "REFUND",
      ])
  }
}
