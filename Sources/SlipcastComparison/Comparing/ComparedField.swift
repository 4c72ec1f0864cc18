internal import SlipcastMapping
internal import SlipcastWire

/// What the rules know of one V2 field, laid out for classing it; made once for many pairs.
final class ComparedField: Sendable {
  let rule: FieldRule
  /// The place of the rule in `RuleSet.fields`; less than 0 where it does not matter.
  let number: Int
  let relation: Relation
  let way: ComparingRule.Way?
  let isNeverCompared: Bool
  /// V2 values that V1 cannot express, each with the converted values that it may correspond to.
  let untold: [(server: String, cast: [String])]
  /// V2 values that the converted values may stand for, where the record leaves it open.
  let mayBe: [(server: String, cast: [String])]
  /// V1 may name two values and leave open which one applied.
  let mayBeOpen: Bool
  /// The V2 values that an absence in V1 may mean, of the sibling that decides whether V1 could express this field.
  let untoldOfSibling: [String]
  /// V2 got the field then, in milliseconds since 1970 UTC.
  let since: Int64?
  /// V1 has no source for it: a value of the cast is a setting of the caller, or a constant.
  let isWithoutSource: Bool
  /// The V2 value that says the same as silence.
  let silentAs: String?
  let saysByAbsence: Bool
  /// The values that the rules name; empty where any text or number may stand.
  private let vocabulary: Set<String>
  /// Dates that differ by no more are not in conflict, in milliseconds; `nil` where none is set.
  let tolerance: Int64?

  init(_ rule: FieldRule, _ rules: RuleSet, number: Int = -1) {
    (self.rule, self.number) = (rule, number)
    relation = rule.relation
    way = rule.comparing.compare
    isNeverCompared = way?.isNeverCompared ?? false
    untold = rule.comparing.untold.map { ($0.key, $0.value) }
    mayBe = rule.comparing.mayBe.map { ($0.key, $0.value) }
    mayBeOpen = rule.comparing.undecidable == "*"
    let sibling = rule.comparing.follows.flatMap { rules.field(family: rule.family, to: $0) }
    untoldOfSibling = (sibling?.comparing.untold ?? [:]).filter { $0.value.contains(Self.absent) }.map(\.key)
    since = rule.since.flatMap { name in rules.eras.first { $0.id == name } }?.milliseconds
    isWithoutSource = rule.from.isEmpty
    silentAs = rule.comparing.silentAs
    saysByAbsence = rule.comparing.absent != nil
    switch rule.to.flatMap({ RuleSet.kind(family: rule.family, to: $0) }) {
    case .word(let name), .code(let name): vocabulary = rules.vocabulary(name)
    default: vocabulary = []
    }
    tolerance = rule.comparing.tolerance
  }

  /// The rules name values of the field, and not this one.
  func isUnnamed(_ server: ScalarView) -> Bool {
    !vocabulary.isEmpty && !vocabulary.contains { server.isWord($0) }
  }

  private static let absent = "absent"

  /// V1 cannot express the value, or that of the field it follows.
  func isUntold(_ server: ScalarView, sibling: ScalarView?) -> Bool {
    for entry in untold where server.isWord(entry.server) && entry.cast.contains(Self.absent) { return true }
    guard let sibling else { return false }
    return untoldOfSibling.contains { sibling.isWord($0) }
  }

  /// The value may hide behind that of the cast.
  func isUntold(_ server: ScalarView, behind cast: ScalarView) -> Bool { Self.holds(untold, server, cast) }

  /// The same, where the record leaves it open.
  func mayBe(_ server: ScalarView, behind cast: ScalarView) -> Bool { Self.holds(mayBe, server, cast) }

  private static func holds(
    _ entries: [(server: String, cast: [String])], _ server: ScalarView, _ cast: ScalarView
  ) -> Bool {
    for entry in entries where server.isWord(entry.server) { return entry.cast.contains { cast.isWord($0) } }
    return false
  }
}

/// Classes and tolerances of the readings, by way; made once for many pairs.
struct ComparingTable: Sendable {
  private let readings: [ComparingRule.Way: ComparingRule]

  init(_ rules: RuleSet) {
    readings = Dictionary(rules.comparing.map { ($0.way, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The outcome that a reading gives; `nil` when the rules have no such reading.
  func read(_ way: ComparingRule.Way) -> Outcome? {
    readings[way].map { Outcome(differenceClass: $0.differenceClass, kind: .read(way)) }
  }

  func tolerance(_ way: ComparingRule.Way) -> Int64 { readings[way]?.milliseconds ?? 0 }
}
