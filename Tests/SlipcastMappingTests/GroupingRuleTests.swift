import SlipcastMapping
import SlipcastTestSupport
import Testing

@Suite struct GroupingRuleTests {
  private static func overlaid(_ rule: String, family: String = "grouping", list: String = "rules") throws -> RuleSet {
    let text = "{\"family\":\"\(family)\",\"\(list)\":[\n\(rule)\n]}"
    return try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
  }

  private static func errors(_ rule: String, family: String = "grouping", list: String = "rules") -> [MappingError] {
    do {
      _ = try overlaid(rule, family: family, list: list)
      return []
    } catch {
      return (error as? MappingErrors)?.errors ?? []
    }
  }

  @Test func theWindowsAreThoseOfTheSpecification() throws {
    let rules = BuiltIn.rules
    let names: [DecisionName] = [.action, .upgrade, .recovery, .server, .delivery]
    let lengths: [Int64] = [600_000, 86_400_000, 86_400_000, 3_600_000, 288_000_000]
    #expect(names.map { rules.window($0).milliseconds } == lengths)
    #expect(rules.longestGroupingWindow == 24 * 3_600_000)
  }

  @Test func theOrderOfStrengthIsThatOfTheSpecification() throws {
    let strength = try #require(BuiltIn.rules.grouping.strength)
    #expect(
      strength.order == [
        ["CANCEL", "REFUND", "REVOKE"], ["INTERACTIVE_RENEWAL", "INITIAL_BUY"],
        ["DID_RECOVER", "RENEWAL", "DID_RENEW"],
        ["DID_FAIL_TO_RENEW"], ["DID_CHANGE_RENEWAL_PREF"], ["DID_CHANGE_RENEWAL_STATUS"],
      ])
    #expect(strength.rank(of: "CONSUMPTION_REQUEST") == nil)
    #expect(strength.rank(of: "PRICE_INCREASE_CONSENT") == nil)
  }

  @Test(arguments: [
    (#"{"id":"x","lead":"CANCEL","meaning":"x","source":"INFERENCE"}"#, "an id \"grouping.<name>\""),
    (#"{"id":"grouping.x","lead":"CANCELL","meaning":"x","source":"INFERENCE"}"#, "did you mean \"CANCEL\""),
    (#"{"id":"grouping.x","lead":"CONSUMPTION_REQUEST","meaning":"x","source":"INFERENCE"}"#, "has no strength"),
    (
      #"{"id":"grouping.x","lead":"CANCEL","if":["offf"],"meaning":"x","source":"INFERENCE"}"#, "is not one of upgraded"
    ),
    (#"{"id":"grouping.x","lead":"CANCEL","to":["REFUNDED"],"meaning":"x","source":"INFERENCE"}"#, "not a V2 notific"),
    (
      #"{"id":"grouping.x","lead":"CANCEL","to":["REFUND/NOW"],"meaning":"x","source":"INFERENCE"}"#, "not a V2 subtype"
    ),
    (#"{"id":"grouping.x","lead":"CANCEL","window":"late","meaning":"x","source":"INFERENCE"}"#, "is not a window"),
    (#"{"id":"grouping.x","lead":"CANCEL","meaning":"x"}"#, "a string \"source\""),
    (#"{"id":"grouping.x","lead":"CANCEL","meaning":"x","source":"NOWHERE"}"#, "not a key of sources.json"),
    (#"{"id":"grouping.x","lead":"CANCEL","meanin":"x","source":"INFERENCE"}"#, "unknown key \"meanin\""),
    (#"{"id":"grouping.x","companion":"CANCEL","meaning":"x","source":"INFERENCE"}"#, "a string \"lead\""),
    (
      #"{"id":"grouping.x","lead":"DID_CHANGE_RENEWAL_STATUS","companion":"CANCEL","meaning":"x","source":"INFERENCE"}"#,
      "\"CANCEL\" is stronger than"
    ),
    (#"{"id":"grouping.window","milliseconds":1,"meaning":"x","source":"INFERENCE"}"#, "the family \"decisions\""),
    (#"{"id":"grouping.strength","order":["CANCEL CANCEL"],"meaning":"x","source":"INFERENCE"}"#, "named twice"),
    (
      #"{"id":"grouping.strength","order":["CANCER"],"meaning":"x","source":"INFERENCE"}"#, "not a V1 notification_type"
    ),
    (#"{"id":"grouping.strength","order":"CANCEL","meaning":"x","source":"INFERENCE"}"#, "array of strings"),
  ])
  func namesTheFaultOfABrokenRuleWithItsPlace(_ rule: String, _ words: String) {
    let errors = Self.errors(rule)
    #expect(
      errors.contains { $0.message.contains(words) && $0.file == "own.json" && $0.line == 2 && $0.column <= 60 },
      "\(errors)")
  }

  @Test(arguments: [
    (#"{"to":"EXPIRED/VOLUNTARY","test":"laps","trace":"x","source":"V1-TYPE"}"#, "\"test\" is not one of lapse"),
    (#"{"to":"EXPIRED/VOLUNTARI","trace":"x","source":"V1-TYPE"}"#, "is not a V2 subtype"),
    (#"{"to":"EXPIRE","trace":"x","source":"V1-TYPE"}"#, "is not a V2 notificationType"),
  ])
  func namesTheFaultOfABrokenServerEvent(_ rule: String, _ words: String) {
    let errors = Self.errors(rule, family: "server-events", list: "events")
    #expect(errors.contains { $0.message.contains(words) && $0.line == 2 }, "\(errors)")
  }

  @Test func anOverlayReplacesByIdAndANewPairComesFirst() throws {
    let known = BuiltIn.rules
    let added = try Self.overlaid(#"{"id":"grouping.mine","lead":"INITIAL_BUY","meaning":"x","source":"INFERENCE"}"#)
    #expect(added.grouping.pairs.first?.id == "grouping.mine")
    #expect(added.grouping.pairs.count == known.grouping.pairs.count + 1)
    let event = try Self.overlaid(
      #"{"to":"EXPIRED/VOLUNTARY","trace":"mine","source":"V1-TYPE"}"#, family: "server-events", list: "events")
    #expect(event.serverEvents.count == known.serverEvents.count)
    #expect(event.serverEvents.first { $0.id == "server.EXPIRED.VOLUNTARY" }?.trace == "mine")
  }

  @Test func everyEntryIsExplainedAndListed() throws {
    let rules = BuiltIn.rules
    let explainer = Explainer(rules: rules)
    let ids = rules.grouping.pairs.map(\.id) + ["grouping.strength"]
    for id in ids { #expect(explainer.pages(for: id).map(\.title) == [id]) }
    #expect(explainer.pages(for: "grouping").count == ids.count)
    let listed = MappingTable(rules: rules).rows.filter { $0.relation == "grouped" }.map(\.id)
    #expect(listed == rules.grouping.pairs.map(\.id))
  }

  @Test func everyTestOfATraceIsUsed() throws {
    let tests = BuiltIn.rules.tracedEvents.compactMap(\.test)
    #expect(tests.count == GapTest.allCases.count && Set(tests) == Set(GapTest.allCases))
  }
}
