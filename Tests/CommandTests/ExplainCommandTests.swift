import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// What `explain` and `mappings check` print.
@Suite struct ExplainCommandTests {
  static let types = Set(Harness.rules.types.map(\.type)).subtracting(["*"]).sorted()

  @Test(arguments: types)
  func aTypeIsSummarizedOnOneScreen(_ type: String) throws {
    let run = try Program.shell("slipcast explain \(type)")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(run.status == 0 && lines[0].hasPrefix("\(type) (V1 notification type, "))
    #expect(lines.count <= 66, "\(lines.count) lines")
    #expect(lines.allSatisfy { $0.count <= 100 })
    // Each row states its events and its confidence, in the order of the table.
    let text = Table.flat(run.output)
    var rest = text[...]
    for rule in Harness.rules.types where rule.type == type {
      let events = (rule.candidates.isEmpty ? [rule.to] : rule.candidates.map(\.event)).map { event in
        event.notificationType == type ? event.subtype.map { "…/\($0)" } ?? type : event.description
      }
      let outcome = "→ \(rule.isAbsorbed ? "merged into " : "")\(events.joined(separator: " or ")) [\(rule.confidence)]"
      let found = try #require(rest.firstRange(of: outcome), "\(rule.id): \(outcome)\n\(text)")
      rest = rest[found.upperBound...]
    }
    #expect(run.output.contains("--verbose") && text.contains("slipcast explain type.\(type)."))
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
    ("CANCEL", "not a second loss of revenue"), ("REFUND", "no second loss of revenue"),
    ("expiration_intent", "No consent to a price increase, or (StoreKit’s newer text) to the conversion of an offer"),
    ("expirationIntent=3", "conversion of an offer"), ("grouping.upgrade.cancel", "not a second loss of revenue"),
    ("autoRenewOff", "a fact of the decision table"), ("didNotConsentToPriceIncrease", "conversion of an offer"),
  ])
  func explainStates(_ name: String, _ words: String) throws {
    let run = try Program.shell("slipcast explain \(name)")
    #expect(run.status == 0 && Table.flat(run.output).contains(words), "\(run.output)")
  }

  @Test(arguments: [
    ("'auto-renew off after expiry'", "type.DID_CHANGE_RENEWAL_STATUS.customer "),
    ("auto-renew off after expiry", "type.DID_CHANGE_RENEWAL_STATUS.customer "),
    ("'proration refund'", "grouping.upgrade.cancel"), ("price increase consent", "renewal.priceIncreaseStatus "),
    ("expiry", "entries match \"expiry\""), ("'quux price increase consent'", "No entry has all words"),
    ("'wrong shared secret'", "verifyReceipt.status = 21004\n"), ("'Non-Renewing Subscription'", "Ends by itself"),
  ])
  func wordsAreSearchedFor(_ words: String, _ says: String) throws {
    let run = try Program.shell("slipcast explain \(words)")
    #expect(run.status == 0 && run.output.contains(says), "\(run.output)\(run.errors)")
    #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 100 || $0.contains("https://") })
  }

  @Test(arguments: [
    ("'quux blarg'", "nothing is known of \"quux blarg\"; try fewer or other words"),
    ("DID_RENEW prise_consent_status", "did you mean price_consent_status?"),
    ("renewl", "did you mean"), ("--verbose --list", "--verbose goes with a name"),
  ])
  func wordsThatNothingHasGetAdvice(_ words: String, _ says: String) throws {
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
