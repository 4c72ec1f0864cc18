internal import SlipcastMapping
internal import SlipcastWire

/// Puts an outcome into one line for a person, from the meanings that the rules give.
struct Wording {
  let rules: RuleSet
  let field: Field
  let name: RuleName
  /// The V1 value as JSON text and its key.
  let v1: (text: String?, key: String?)
  /// Why V1's value cannot be read; `nil` when it can.
  var unreadable: String?

  /// What both sides say of a field.
  struct Field {
    /// The rule that speaks of it.
    var rule: FieldRule?
    /// How V1 and V2 relate here.
    var relation: Relation
    /// The cast is a conclusion.
    var isInferred: Bool
    /// False when both are V2 records of the same standing.
    var isFromLegacy: Bool
    var cast: FieldValue?
    var server: FieldValue?
  }

  func text(_ outcome: Outcome) -> String {
    switch outcome.kind {
    case .equal: equal(outcome.differenceClass)
    case .differ: differ
    case .missing: missing(outcome.differenceClass)
    case .silence: silence
    case .sameAsSilence: "Leaving it out says the same as \(field.rule?.comparing.silentAs ?? "")."
    case .untold: untold
    case .notAmong: notAmong
    case .noSource: noSource
    case .unreadable: unread
    case .notTold(let reason): notTold(reason)
    case .unknownMember: "The rules of this version do not name this member: it is kept and compared with nothing."
    case .unknownValue: unknownValue
    case .read(let way): reading(way)
    }
  }

  // MARK: sentences

  private func equal(_ differenceClass: DifferenceClass) -> String {
    switch differenceClass {
    case .identical: return ""
    case .semantic:
      let wider = field.relation == .narrowed ? "V2's value also covers cases that V1's does not." : "V2 says more."
      return "\(left) \(right) \(wider)"
    case .derived: return "V2 agrees with the conclusion: \(field.rule?.how ?? about)".sentence
    default:
      if field.relation != .retyped, v1.text != field.server?.json { return "The same value in V2's spelling." }
      let how = field.relation == .retyped ? "in another JSON type" : "under V2's name"
      return "The same fact \(how): \(about)".sentence
    }
  }

  private var differ: String {
    guard field.isFromLegacy else {
      return distance
        ?? "The first says \(said(field.cast)), the second \(said(field.server))."
    }
    if let distance { return (field.isInferred ? "Inferred from V1: " : "") + distance }
    if field.isInferred { return "Inferred from V1: \(said(field.cast)). V2 says \(said(field.server))." }
    if case .boolean = field.server { return "V1 says \(said(field.cast)), V2 says \(said(field.server)). \(about)" }
    return meaningOfV1 == nil && meaning(field.server) == nil
      ? "V1 and V2 state different values. The field: \(about)" : "\(left) \(right)"
  }

  private func missing(_ differenceClass: DifferenceClass) -> String {
    if differenceClass == .legacyOnly { return "V2 has no such value here. \(about)" }
    let first = field.isFromLegacy ? "V1" : "The first"
    return field.isInferred
      ? "\(first) leads to \(said(field.cast)), and V2 has no such value. \(about)"
      : "\(first) says \(saidByV1), and V2 omits it, which means something else. \(about)"
  }

  private var silence: String {
    guard field.isFromLegacy else { return "Only the second record has it: \(about)" }
    let says = field.rule?.comparing.absent ?? "nothing"
    let how = v1.text.map { "V1's \($0) counts as absent here" } ?? "V1 omits it"
    return "\(how), which means: \(says). V2 says \(said(field.server))."
  }

  private var unread: String {
    let read = field.cast.map { " Another spelling in V1 says \(said($0))." } ?? ""
    let server = field.server.map { "V2 says \(said($0))." } ?? "V2 has no such value."
    return "V1's value \(unreadable ?? "cannot be read").\(read) \(server)"
  }

  private var untold: String {
    guard field.cast == nil else { return "\(left) V2 says \(said(field.server)), which V1 cannot express." }
    let says = field.rule?.comparing.absent ?? "nothing"
    let wider = field.relation == .narrowed ? "which is wider: V1 cannot express it." : "which V1 cannot express."
    return "V1 has no value, which means: \(says). V2 says \(said(field.server)), \(wider)"
  }

  private var notAmong: String {
    let names = "V1 names a promotional offer and an offer code"
    guard let server = field.server else { return "\(names), and V2 leaves both out." }
    let follows = field.rule?.comparing.follows
    let which = follows.map { "not V1's id for an offer of V2's \($0)" } ?? "neither of the two"
    return "\(names). V2 says \(said(server)), which is \(which)."
  }

  private var noSource: String {
    return "Not in V1: \(field.rule?.meaning.v2 ?? about)"
  }

  private var unknownValue: String {
    let value = field.server?.json ?? "type"
    let first = field.cast == nil ? "" : " V1 says \(saidByV1)."
    return "The rules of this version do not name V2's \(value): it is kept and compared with nothing.\(first)"
  }

  private func notTold(_ reason: Account.Absence.Reason?) -> String {
    switch reason {
    case .objectAbsentInV1: "This V1 record lacks its object: \(about)"
    case .undetermined: "Undetermined from V1: \(about)"
    default: "Absent in this V1 record: \(about)"
    }
  }

  private func reading(_ way: ComparingRule.Way) -> String {
    let sentence = rules.comparing(way)?.meaning ?? ""
    switch way {
    case .signing where !field.isFromLegacy: return "The two were signed separately; their dates are not comparable."
    case .skew: return (distance.map { $0 + " " } ?? "") + sentence
    case .tolerance:
      let limit = Duration.words(field.rule?.comparing.tolerance?.magnitude ?? 0)
      return "\(distance.map { $0 + " " } ?? "")\(sentence) The tolerance is \(limit)."
    case .boundary, .grace:
      let one = field.cast.map { said($0) } ?? "none"
      let two = field.server.map { said($0) } ?? "none"
      return "\(first): \(one), \(second): \(two). \(sentence)"
    default: return sentence
    }
  }

  // MARK: parts of sentences

  /// What the field is about, as the rule puts it: V1 first, because V2's side may say no more than "the same".
  private var about: String {
    let meaning = field.rule?.meaning
    return meaning?.v1 ?? meaning?.v2 ?? "an unknown member."
  }

  private var first: String { field.isFromLegacy ? "V1" : "the first" }
  private var second: String { field.isFromLegacy ? "V2" : "the second" }

  private var left: String {
    let value = v1.text ?? field.cast?.json ?? "nothing"
    return "V1's \(value) means: \(meaningOfV1 ?? field.rule?.meaning.v1 ?? "—")".sentence
  }

  private var right: String {
    "V2's \(field.server?.json ?? "nothing") means: \(meaning(field.server) ?? about)".sentence
  }

  private var meaningOfV1: String? {
    guard let key = v1.key, let text = v1.text else { return meaning(field.cast) }
    return rules.meaning(of: text.unquoted, in: key, "V1") ?? meaning(field.cast)
  }

  private func meaning(_ value: FieldValue?) -> String? {
    value.flatMap { rules.meaning(of: $0.word, in: name.last, "V2") }
  }

  /// A value with its meaning, or a date that people can read.
  private func said(_ value: FieldValue?) -> String {
    guard let value else { return "nothing" }
    if isDate, let number = value.number { return Timestamp(milliseconds: number).description }
    return meaning(value).map { "\(value.json) (\($0))" } ?? value.json
  }

  /// V1's value with its meaning in V1, or the date that the cast makes of it.
  private var saidByV1: String {
    guard let text = v1.text, !isDate, let meaning = meaningOfV1 else { return said(field.cast) }
    return "\(text) (\(meaning))"
  }

  private var isDate: Bool { RuleSet.kind(family: name.family, to: name.to) == .milliseconds }

  /// How far two dates lie apart.
  private var distance: String? {
    guard isDate, let one = field.cast?.number, let two = field.server?.number, one != two else { return nil }
    let apart = Duration.words(one.distanceMagnitude(to: two))
    let owner = field.isFromLegacy ? "V2" : "The second"
    return "\(owner)'s date is \(apart) \(two < one ? "before" : "after") \(self.first)'s "
      + "(\(first) \(Timestamp(milliseconds: one)), \(second) \(Timestamp(milliseconds: two)))."
  }
}

private enum Duration {
  /// Milliseconds in the largest units that need no fraction of more than one place: `1 day`, `6 s`, `1 ms`.
  static func words(_ milliseconds: UInt64) -> String {
    let units: [(size: UInt64, name: String)] = [(86_400_000, "day"), (3_600_000, "h"), (60_000, "min"), (1000, "s")]
    for unit in units where milliseconds >= unit.size {
      let tenths = (milliseconds / (unit.size / 10))
      let number = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
      return "\(number) \(unit.name)" + (unit.name == "day" && number != "1" ? "s" : "")
    }
    return "\(milliseconds) ms"
  }
}

extension String {
  /// JSON text without the quotes of a string.
  var unquoted: String { hasPrefix("\"") && count > 1 ? String(dropFirst().dropLast()) : self }

  /// With a full stop at the end.
  fileprivate var sentence: String { hasSuffix(".") ? self : self + "." }
}

extension FieldValue {
  /// A scalar as rules write it.
  fileprivate var word: String {
    if case .text(let text) = self { text } else { json }
  }

  fileprivate var number: Int64? {
    if case .integer(let number) = self { number } else { nil }
  }
}
