import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// What `explain` and `mappings check` print.
@Suite struct ExplainCommandTests {
  static let types = Set(Harness.rules.types.map(\.type)).subtracting(["*"]).sorted()
  static let serverTypes = Harness.rules.serverTypes.filter { !types.contains($0) }

  @Test(arguments: types)
  func aTypeIsSummarizedOnOneScreen(_ type: String) throws {
    let run = try Program.shell("slipcast explain \(type)")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(run.status == 0 && lines[0].hasPrefix("\(type) (V1 notification type, "))
    expectOneScreen(run.output)
    // Each row states its events, and its line its confidence.
    let text = Table.flat(run.output)
    for rule in Harness.rules.types where rule.type == type {
      let events = (rule.candidates.isEmpty ? [rule.to] : rule.candidates.map(\.event)).map { event in
        event.notificationType == type ? event.subtype.map { "…/\($0)" } ?? type : event.description
      }
      let outcome = events.joined(separator: " or ")
      let rest = try #require(text.ranges(of: outcome).last, "\(rule.id): \(outcome)\n\(text)")
      let found = text.ranges(of: outcome).contains { range in
        let closing = text[range.upperBound...].prefix { $0 != "]" }
        return closing.contains("[") && closing.contains("\(rule.confidence)") && !closing.contains("→")
      }
      #expect(found, "\(rule.id): \(rule.confidence) \(text[rest])")
      if rule.isAbsorbed { #expect(text.contains("merged into ")) }
      let words = rule.brief ?? ""
      if run.output.contains("A “;” separates cases") { #expect(text.contains(words)) }
    }
    #expect(run.output.contains("--verbose") && text.contains("slipcast explain type.\(type)."))
  }

  private func expectOneScreen(_ output: String) {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 40, "\(lines.count) lines\n\(output)")
    #expect(lines.allSatisfy { $0.count <= 100 }, "\(output)")
    #expect(!output.contains("  … "), "rows are left out")
  }

  @Test(arguments: serverTypes)
  func aServerTypeIsSummarizedOnOneScreen(_ type: String) throws {
    let run = try Program.shell("slipcast explain \(type.lowercased())")
    #expect(run.status == 0 && run.output.hasPrefix("\(type) (V2 notification type)\n"))
    expectOneScreen(run.output)
    let text = Table.flat(run.output)
    for rule in Harness.rules.types {
      for event in rule.candidates.isEmpty ? [rule.to] : rule.candidates.map(\.event)
      where event.notificationType == type {
        #expect(text.contains(event.description) && text.contains("\(rule.type): "), "\(rule.id)")
      }
    }
    for event in Harness.rules.serverEvents where event.event.notificationType == type {
      #expect((text.contains("V1 never sends it") || text.contains("V1 has no separate message for it")))
      #expect(text.contains(event.trace.split(separator: " ").last ?? ""))
    }
    #expect(text.contains("--verbose"))
  }

  @Test func theSummaryOfAServerTypeNamesWhatLeadsToIt() throws {
    let text = Table.flat(try Program.shell("slipcast explain EXPIRED").output)
    #expect(text.contains("EXPIRED/BILLING_RETRY DID_CHANGE_RENEWAL_STATUS: Retry given up"))
    #expect(text.contains("EXPIRED/VOLUNTARY V1 has no separate message for it. Trace in V1: "))
    #expect(Table.flat(try Program.shell("slipcast explain SUBSCRIBED").output).contains("grouping.resubscribe"))
  }

  /// A type with more rows than a screen holds still prints one screen.
  @Test func manyRowsOfAnOverlayStayOnOneScreen() throws {
    try Workplace.with { place in
      let rows = (1...60).map { number in
        """
        {"id": "type.DID_RENEW.mine\(number)", "all": ["consentGiven"], "to": "PRICE_INCREASE/ACCEPTED",
         "meaning": {"v1": "Ours \(number)."}, "source": "INFERENCE"}
        """
      }
      try place.write(
        "in/own.json", "{\"family\": \"notification-types\", \"rules\": [\(rows.joined(separator: ","))]}")
      for type in ["DID_RENEW", "PRICE_INCREASE"] {
        let run = try place.run(["explain", "--mappings", "in", type])
        let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 40, "\(run.output)")
        #expect(type != "DID_RENEW" || run.output.contains("  … more rules: add --verbose"), "\(run.output)")
      }
    }
  }

  @Test(arguments: types)
  func verboseKeepsEveryRow(_ type: String) throws {
    let run = try Program.shell("slipcast explain --verbose \(type)")
    for rule in Harness.rules.types where rule.type == type {
      #expect(run.output.contains("\(rule.id)\n") && Table.flat(run.output).contains(rule.meaning.v1 ?? rule.id))
    }
    #expect(run.output.contains("source"))
  }

  @Test func theSummaryUsesTheMeaningsOfFactsAndTheRowsOfAnOverlay() throws {
    try Workplace.with { place in
      try place.write(
        "in/own.json",
        """
        {"family": "notification-types", "rules": [
          {"id": "type.DID_RENEW.mine", "all": ["consentGiven"], "to": "PRICE_INCREASE/ACCEPTED",
           "confidence": "corroborated", "meaning": {"v1": "Ours."}, "source": "INFERENCE"}
        ]}
        """)
      let run = try place.run(["explain", "--mappings", "in", "did_renew"])
      let meaning = try #require(Harness.rules.facts.first { $0.name == "consentGiven" }?.meaning)
      #expect(
        run.output.contains("  if \(meaning) → PRICE_INCREASE/ACCEPTED [corroborated]\n      V1: Ours."),
        "\(run.output)")
    }
  }

  @Test(arguments: [
    ("CANCEL", "not a second loss of revenue"), ("REFUND", "not a separate refund or a second loss of revenue"),
    ("expiration_intent", "No consent to a price increase, or (StoreKit’s newer text) to the conversion of an offer"),
    ("expirationIntent=3", "conversion of an offer"), ("grouping.upgrade.cancel", "not a second loss of revenue"),
    ("decision.window.refund", "length 6 hours (21600000 ms) Sandbox 10 minutes"),
    ("decision.window.refund", "named by cancelledNearEvent"), ("decision.list.limit", "limit 100"),
    ("decision.window.retry", "tolerance 1 hour (Sandbox: 0 ms): daylight saving time"),
    ("type.CANCEL.flat.otherProductRenews", "what would rule it out markedUpgraded (another snapshot marks"),
    ("markedUpgraded", "rules out in type.CANCEL.flat.otherProductRenews"), ("decision.events", "family-sharing"),
    ("decision.status", "1 revoked 5"), ("cancelledNearEvent", "at most 6 hours (Sandbox: 10 minutes) before"),
    ("status=0", "verifyReceipt.status = 0"), ("status=21007", "verifyReceipt.status = 21007"),
    ("expiration_intent=3", "conversion of an offer"), ("cancellation_reason=1", "revocationReason = 1"),
    ("'data.transactionInfo.multiSeatInfo.priceTiers[0].price'", "transaction.multiSeatInfo.priceTiers.price "),
    ("'data.transactionInfo.advancedCommerceInfo.items[0].revocationDate'", "transaction.advancedCommerceInfo "),
    ("summary.requestIdentifier", "notification.summary "), ("'latest_receipt_info[0]'", "latest_receipt_info"),
    ("'data.lastTransactions[0].transactionInfo.price'", "transaction.price "),
    ("autoRenewOff", "a fact of the decision table"), ("didNotConsentToPriceIncrease", "conversion of an offer"),
  ])
  func explainStates(_ name: String, _ words: String) throws {
    let run = try Program.shell("slipcast explain \(name)")
    #expect(run.status == 0 && Table.flat(run.output).contains(words), "\(run.output)")
  }

  @Test(arguments: [
    ("price_inc", "names begin with \"price_inc\":\n"), ("Price_Inc", "PRICE_INCREASE_CONSENT"),
    ("gracePeriodExp", "gracePeriodExpiresDate"), ("decision.window.refu", "One name begins"),
    ("DECISION.WINDOW.R", "decision.window.refund"), ("'Non-Renewing Subscription'", "Ends by itself"),
  ])
  func theBeginningOfANameListsTheNamesThatBeginSo(_ words: String, _ says: String) throws {
    let run = try Program.shell("slipcast explain \(words)")
    #expect(run.status == 0 && run.output.contains(says), "\(run.output)\(run.errors)")
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 || $0.contains("https://") })
  }

  @Test(arguments: [
    ("'quux blarg'", "unknown name \"quux blarg\"; --names shows every name"),
    ("'auto-renew off after expiry'", "unknown name \"auto-renew off after expiry\""),
    ("DID_RENEW prise_consent_status", "did you mean price_consent_status?"),
    ("''", "unknown name"), ("data.sttus", "unknown name"),
    ("renewl", "did you mean"), ("--verbose --list", "--verbose needs a name"),
  ])
  func namesThatDoNotExistGetAdvice(_ words: String, _ says: String) throws {
    let run = try Program.shell("slipcast explain \(words)")
    #expect(run.status == 2 && run.errors.contains(says), "\(run.output)\(run.errors)")
  }

  @Test func everyErrorOfAFolderIsReportedInOneRun() throws {
    try Workplace.with { place in
      try place.write(
        "in/b.json", "{\"family\": \"transaction\", \"rules\": [\n  {\"too\": 1, \"source\": \"NOWHERE\"}\n]}")
      try place.write("in/a.json", "{\"family\": \"values\", \"values\": [}")
      try place.write("in/c.json", "[]")
      let run = try place.run(["mappings", "check", "in"])
      let lines = run.errors.split(separator: "\n").map(String.init)
      #expect(run.status == 2 && lines.count == 8, "\(run.errors)")
      let files = lines.dropLast().map { String($0.dropFirst("slipcast: in/".count).prefix(6)) }
      #expect(files == ["a.json", "b.json", "b.json", "b.json", "b.json", "b.json", "c.json"], "\(run.errors)")
      #expect(lines.last == "slipcast: 7 errors in 3 files; the rules were not used")
    }
  }
}
