import SlipcastMapping
import SlipcastTestSupport
import Testing

/// Each window and limit is written once, in the decisions.
@Suite struct DecisionWindowTests {
  private static func rules(_ entries: [String], family: String = "decisions", list: String = "rules") throws -> RuleSet
  {
    let text = "{\"family\":\"\(family)\",\"\(list)\":[\n\(entries.joined(separator: ","))\n]}"
    return try RuleSet(overlays: [(name: "own.json", bytes: Array(text.utf8))])
  }

  private static func window(_ id: String, _ milliseconds: Int) -> String {
    #"{"id":"\#(id)","milliseconds":\#(milliseconds),"meaning":"mine","source":"INFERENCE"}"#
  }

  /// With all windows changed, no text repeats the length that one had.
  @Test func textsOfFactsAndRowsFollowTheirWindows() throws {
    let known = BuiltIn.rules
    let windows = known.decisions.map(\.id).filter { $0.hasPrefix("decision.window.") }
    let changed = try Self.rules(windows.map { Self.window($0, 7000) })
    let length = /[0-9]+ (?:minute|hour|day)s?/
    for fact in changed.facts { #expect(!fact.meaning.contains(length), "\(fact.name): \(fact.meaning)") }
    for row in changed.types {
      let texts = [row.meaning.v1, row.meaning.v2, row.note] + row.candidates.map(\.needs)
      for text in texts.compactMap(\.self) { #expect(!text.contains(length), "\(row.id): \(text)") }
    }
    #expect(changed.facts.contains { $0.meaning.contains("within 7 seconds of") })
  }

  /// Time runs faster in the Sandbox: no window is silently that of production.
  @Test func everyWindowHasASandboxValueAndEveryLongLimitATolerance() throws {
    let days: Int64 = 10 * 86_400_000
    for rule in BuiltIn.rules.decisions {
      guard case .window(let length, let sandbox) = rule.value else { continue }
      #expect(sandbox != nil, "\(rule.id) has no Sandbox value")
      guard length >= days else { continue }
      #expect(rule.tolerance?.reason.isEmpty == false, "\(rule.id) is a limit in days without a tolerance")
    }
  }

  @Test func noTwoWindowsMeanTheSame() throws {
    let rules = BuiltIn.rules
    #expect(Set(rules.decisions.map(\.meaning)).count == rules.decisions.count)
    let used = Set(rules.grouping.pairs.map(\.window))
    #expect(used.isSubset(of: Set(rules.decisions.map(\.id))))
  }

  @Test func aPairOfAnOverlayMayHaveAWindowOfItsOwn() throws {
    let pair =
      #"{"id":"grouping.mine","lead":"INITIAL_BUY","window":"decision.window.mine","meaning":"x","source":"INFERENCE"}"#
    let rules = try RuleSet(overlays: [
      ("a.json", Array("{\"family\":\"grouping\",\"rules\":[\(pair)]}".utf8)),
      ("b.json", Array("{\"family\":\"decisions\",\"rules\":[\(Self.window("decision.window.mine", 5))]}".utf8)),
    ])
    #expect(rules.window(of: try #require(rules.grouping.pairs.first)) == (5, 5))
    #expect(throws: MappingErrors.self) { try Self.rules([Self.window("decision.window.mine", 5)]) }
  }

  @Test func aTextThatNamesNoWindowIsAnError() {
    #expect(throws: MappingErrors.self) {
      try Self.rules(
        [#"{"fact":"upgraded","meaning":"within {decision.window.actoin}"}"#], family: "facts", list: "facts")
    }
  }

  @Test func everyParameterIsExplainedFoundAndListed() throws {
    let rules = BuiltIn.rules
    let explainer = Explainer(rules: rules)
    let ids = rules.decisions.map(\.id)
    for id in ids { #expect(explainer.pages(for: id.uppercased()).map(\.title) == [id]) }
    #expect(explainer.pages(for: "decisions").map(\.title) == ids)
    #expect(Set(ids).isSubset(of: Set(explainer.names)))
    #expect(MappingTable(rules: rules).rows.filter { $0.relation == "decision" }.map(\.id) == ids)
  }
}
