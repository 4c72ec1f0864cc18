internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Puts what was found about a field into words.
final class RowMaker: Sendable {
  let rules: RuleSet
  private let book: FieldBook
  /// False when both records are V2 records of the same standing.
  private let isFromLegacy: Bool

  init(_ rules: RuleSet, _ book: FieldBook, isFromLegacy: Bool) {
    (self.rules, self.book, self.isFromLegacy) = (rules, book, isFromLegacy)
  }

  /// What a row is about.
  enum Subject {
    /// A field, by part and slot.
    case field(Int, UnitPlace)
    /// A value in no slot: its path, and family and V2 name of its rule.
    indirect case extra(path: String, RuleName, ComparedField?)
  }

  /// What was found about a field.
  struct Found {
    var outcome: Outcome
    var subject: Subject
    /// How V1 and V2 relate here, where the V1 value is known.
    var relation: Relation?
    /// The cast is a conclusion.
    var isInferred = false
    var v1: LegacyValue?
    var cast: FieldValue?
    var server: FieldValue?
    /// Why V1's value cannot be read; `nil` when it can.
    var unreadable: String?
  }

  /// A V1 value without a V2 field.
  struct Unmapped {
    let value: Converter.UnmappedValue
    let v1: LegacyValue

    func account(_ rules: RuleSet) -> Account.Unmapped {
      Account.Unmapped(
        v1Path: v1.path, v1Value: v1.shown.json, isContainer: v1.shown == .several,
        rule: value.rule < 0 ? nil : rules.fields[value.rule].id, reason: value.reason, heldBy: value.heldBy,
        fate: value.fate)
    }
  }

  private func described(_ subject: Subject) -> (path: String, name: RuleName, knowledge: ComparedField?) {
    switch subject {
    case .extra(let path, let name, let knowledge): return (path, name, knowledge)
    case .field(let index, let place):
      let (part, name) = PartTable.shared.member(index)
      return (
        place.prefix(part.part) + name, RuleName(family: part.family, to: part.under + name),
        book.entries[index].knowledge
      )
    }
  }

  /// The row of a field.
  ///
  /// - Parameter event: type and subtype as one event, where the field is one of the two.
  func row(_ found: Found, event: EventReading? = nil) -> FieldDifference {
    let (path, name, knowledge) = described(found.subject)
    let (rule, outcome) = (knowledge?.rule, found.outcome)
    let isUnreadable = outcome.kind == .unreadable
    let field = Wording.Field(
      rule: rule, relation: found.relation ?? rule?.relation ?? .serverOnly, isInferred: found.isInferred,
      isFromLegacy: isFromLegacy, cast: found.cast, server: found.server)
    let wording = Wording(
      rules: rules, field: field, name: name, v1: (found.v1?.shown.json, found.v1?.path.lastKey),
      unreadable: isUnreadable ? found.unreadable : nil)
    var row = FieldDifference(
      v1Path: found.v1?.path, v2Path: path, v1: found.v1?.shown, cast: found.cast?.compared,
      v2: found.server?.compared, differenceClass: outcome.differenceClass, rule: rule?.id,
      confidence: rule?.confidence, explanation: event?.words(outcome, name, rules) ?? wording.text(outcome),
      note: rule?.note, sources: rule.map { rules.citations(of: $0) } ?? [], isUnreadable: isUnreadable)
    if let event { add(event, outcome, to: &row) }
    if found.isInferred { row.confidence = .inferred }
    row.sources += reading(outcome, name.last).filter { !row.sources.contains($0) }
    return row
  }

  /// The row of the decision table stands for the rule of type and subtype.
  private func add(_ event: EventReading, _ outcome: Outcome, to row: inout FieldDifference) {
    guard let decision = event.decision else { return }
    (row.rule, row.confidence, row.sources) = (decision.id, decision.confidence, rules.citations(decision.source))
    row.note = decision.note ?? row.note
    row.isAcceptedReading = outcome.kind == .read(.event) && ![.equal, .differs].contains(event.standing)
  }

  /// The documents behind a reading that decided.
  private func reading(_ outcome: Outcome, _ name: String) -> [Citation] {
    guard case .read(let way) = outcome.kind, way != .event, let rule = rules.comparing(way) else { return [] }
    return rules.citations(rule.source, of: name)
  }

  /// The row of a V1 value without a V2 field.
  func row(_ loss: Account.Unmapped) -> FieldDifference {
    let rule = loss.rule.flatMap { rules.field(id: $0) }
    let words = loss.fate == .unreadable ? "V1's value \(loss.reason)" : loss.reason.capitalizedFirst
    return FieldDifference(
      v1Path: loss.v1Path, v1: loss.v1Value.map(ComparedValue.json) ?? (loss.isContainer ? .several : .withheld),
      differenceClass: loss.fate.differenceClass, rule: loss.rule,
      confidence: rule?.confidence, explanation: words + (loss.heldBy.map { " (\($0))." } ?? "."), note: rule?.note,
      sources: rule.map { rules.citations(of: $0) } ?? [], isUnreadable: loss.fate == .unreadable)
  }
}

extension EventReading {
  /// One line for a person about type or subtype; `nil` where its own value decides.
  fileprivate func words(_ outcome: Outcome, _ name: RuleName, _ rules: RuleSet) -> String? {
    let isSubtype = name.to == "subtype"
    switch outcome.kind {
    case .read(.boundary): return nil
    case .unknownValue:
      let isOfUnknownType = isSubtype && !rules.knows(type: server.notificationType)
      return isOfUnknownType ? Self.subtypeOfUnknownType : unknown(subtype: isSubtype)
    case .read(.event) where standing == .differs: return Self.half(subtype: isSubtype)
    default: return explanation
    }
  }
}

extension ValueFate {
  /// The class of a V1 value that has its own row.
  var differenceClass: DifferenceClass {
    switch self {
    case .lost: .legacyOnly
    case .repeated: .repeated
    case .elsewhere: .elsewhere
    case .unreadable: .conflict
    }
  }
}

extension ScalarView {
  /// The value as typed models have it.
  var fieldValue: FieldValue {
    switch kind {
    case .text: .text(string)
    case .integer: .integer(integer)
    case .boolean: .boolean(integer != 0)
    case .json: .json(string)
    }
  }
}

extension String {
  fileprivate var capitalizedFirst: String {
    let text = prefix(1).uppercased() + dropFirst()
    return text.hasSuffix(".") ? String(text.dropLast()) : text
  }

  /// The last name of a path, without an array place.
  var lastKey: String {
    let last = utf8.lastIndex(of: UInt8(ascii: ".")).map { self[index(after: $0)...] } ?? self[...]
    return String(last.prefix { $0 != "[" })
  }
}
