internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Puts what was found about a field into words.
struct RowMaker: Sendable {
  let rules: RuleSet
  let book: FieldBook
  /// False when both records are V2 records of the same standing.
  var isFromLegacy = true

  /// What was found about a field.
  struct Found {
    var outcome: Outcome
    var path: String
    /// Family and V2 name of its rule.
    var name: RuleName
    var knowledge: ComparedField?
    /// How V1 and V2 relate here, where the V1 value is known.
    var relation: Relation?
    /// The cast is a conclusion.
    var isInferred = false
    var v1Path: String?
    /// The V1 value as JSON text; `nil` for arrays and objects.
    var v1: String?
    var cast: FieldValue?
    var server: FieldValue?
    /// Why V1's value cannot be read; `nil` when it can.
    var unreadable: String?

    /// V1's value cannot be read.
    var isUnreadable: Bool { outcome.kind == .unreadable }
  }

  /// The row of a field.
  ///
  /// - Parameter event: type and subtype as one event, where the field is one of the two.
  func row(_ found: Found, event: EventReading? = nil) -> FieldDifference {
    let rule = found.knowledge?.rule
    let field = Wording.Field(
      rule: rule, relation: found.relation ?? rule?.relation ?? .serverOnly, isInferred: found.isInferred,
      isFromLegacy: isFromLegacy, cast: found.cast, server: found.server)
    let wording = Wording(
      rules: rules, field: field, name: found.name, v1: (found.v1, found.v1Path?.lastKey),
      unreadable: found.isUnreadable ? found.unreadable : nil)
    var row = FieldDifference(
      v1Path: found.v1Path, v2Path: found.path,
      v1: found.v1Path.map { _ in found.v1.map(ComparedValue.json) ?? .several },
      cast: found.cast?.compared, v2: found.server?.compared, differenceClass: found.outcome.differenceClass,
      rule: rule?.id, confidence: rule?.confidence,
      explanation: event?.words(found.outcome, found.name, rules) ?? wording.text(found.outcome),
      note: rule?.note, sources: rule.map { rules.citations(of: $0) } ?? [], isUnreadable: found.isUnreadable)
    if let event { add(event, found.outcome, to: &row) }
    if found.isInferred { row.confidence = .inferred }
    let sources = reading(found.outcome, found.name.last)
    row.sources += sources.filter { !row.sources.contains($0) }
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
