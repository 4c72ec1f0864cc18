@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What accounts need to know of the rules: why fields stay absent, and what becomes of values without a V2 place.
final class AccountRules: Sendable {
  typealias KeyPlace = CompiledRules.KeyPlace

  /// What accounts ask about rules, by rule.
  let rules: [AccountRule]
  /// By rule the relations of single V1 keys, by the number of the key.
  let relationsOfKeys: [Int: [UInt16: Relation]]
  /// Fields that rules could fill, by `ObjectPart`.
  let absences: [[CompiledAbsence]]
  /// The attributes of app receipts by the keys that they fill.
  let attributes: [KeyPlace: ReceiptAttributeRule]
  /// By kind of output, object and key: the rule about a legacy value without a V2 field.
  private let lossNotes: [Int16]

  /// Of no rules, until the first account needs those of the run.
  static let none = AccountRules()

  private init() { (rules, relationsOfKeys, absences, attributes, lossNotes) = ([], [:], [], [:], []) }

  /// - Parameter places: by rule the V1 keys that it names.
  init(_ set: RuleSet, _ places: [[KeyPlace]]) {
    let fields = set.fields
    var rulesOfKey: [KeyPlace: [Int]] = [:]
    for (number, places) in places.enumerated() {
      for place in places { rulesOfKey[place, default: []].append(number) }
    }
    lossNotes = Self.lossNotes(set, rulesOfKey)
    rules = fields.map(AccountRule.init)
    relationsOfKeys = Dictionary(
      uniqueKeysWithValues: fields.enumerated().map { number, rule in
        let relations = rule.comparing.relations.map { name, relation in
          (LegacyKey(name: name).map { UInt16($0.rawValue) } ?? JSONEntry.unknownKey, relation)
        }
        return (number, Dictionary(relations) { first, _ in first })
      })
    absences = Self.absences(fields, places)
    let filled = set.receiptAttributes.flatMap { rule in
      rule.keys.map { (KeyPlace(scope: rule.scope, key: $0), rule) }
    }
    attributes = Dictionary(filled) { first, _ in first }
  }

  private static func absences(_ fields: [FieldRule], _ places: [[KeyPlace]]) -> [[CompiledAbsence]] {
    var absences = ObjectPart.allCases.map { _ in [CompiledAbsence]() }
    for (number, rule) in fields.enumerated() {
      for (part, slot) in ObjectPart.places(of: rule) {
        absences[Int(part.rawValue)].append(CompiledAbsence(rule, number: number, slot: slot, places[number]))
      }
    }
    return absences
  }

  /// What is known of a key in an object: nothing, no rule, or the place of a rule in `RuleSet.fields`.
  enum LossNote {
    static let undocumented: Int16 = -2
    static let withoutRule: Int16 = -1
  }

  /// For each kind of output, object and key what becomes of a value without a V2 place.
  private static func lossNotes(_ rules: RuleSet, _ rulesOfKey: [KeyPlace: [Int]]) -> [Int16] {
    EventRecord.Form.allCases.flatMap { form in
      let families = [form.family, "transaction", "renewal"]
      return LegacyScope.allCases.flatMap { scope in
        var notes = [Int16](repeating: LossNote.undocumented, count: LegacyKey.count)
        for field in scope.fields {
          let numbers = rulesOfKey[KeyPlace(scope: scope, key: field.key)] ?? []
          notes[Int(field.key.rawValue)] =
            lossRule(among: numbers, of: families, rules).map(Int16.init) ?? LossNote.withoutRule
        }
        return notes
      }
    }
  }

  /// The rule about a value without a V2 field, or one of `LossNote`.
  func lossNote(_ key: UInt16, in scope: LegacyScope, _ form: EventRecord.Form) -> Int16 {
    guard key < LegacyKey.count else { return LossNote.undocumented }
    return lossNotes[(form.rawValue * LegacyScope.allCases.count + scope.number) * LegacyKey.count + Int(key)]
  }

  /// For each object and key what Apple documents there.
  static let kinds: [LegacyKind?] = LegacyScope.allCases.flatMap { scope in
    var kinds = [LegacyKind?](repeating: nil, count: LegacyKey.count)
    for field in scope.fields { kinds[Int(field.key.rawValue)] = field.kind }
    return kinds
  }

  static func kind(_ key: UInt16, in scope: LegacyScope) -> LegacyKind? {
    key < LegacyKey.count ? kinds[scope.number * LegacyKey.count + Int(key)] : nil
  }

  /// Of the rules that name a key, the one that decides what its value becomes.
  private static func lossRule(among numbers: [Int], of families: [String], _ rules: RuleSet) -> Int? {
    let own = numbers.filter { families.contains(rules.fields[$0].family) }
    // A notification may lack a transaction, which would hold the same value.
    let using = own.first.flatMap { rules.fields[$0].using }
    let same = own.first { rules.fields[$0].family == "notification" && rules.fields[$0].using == using }
    // Lists are those of the objects in them before anything concluded from these.
    let whole = own.first { rules.fields[$0].transform?.result == .object }
    return own.first { rules.fields[$0].to == nil } ?? whole ?? same ?? own.first ?? numbers.first
  }
}

extension EventRecord.Form {
  /// The family of the rules for the outermost object.
  fileprivate var family: String { root.rules.family }

  /// The output has objects that rules of a family fill.
  fileprivate func writes(_ family: String) -> Bool {
    if family == self.family || self == .appTransaction { return family == self.family }
    return family == "transaction" || family == "renewal" && self != .history
  }
}

/// What accounts ask about a rule, ready to answer for every value of every record.
struct AccountRule: Sendable {
  /// How a V1 value is read, and compared with the V2 value that the rule makes.
  let reading: Transform.Reading
  let relation: Relation
  /// `relation.place`, ready for each value.
  let place: Int
  /// Single V1 keys relate in another way.
  let hasRelationsOfKeys: Bool
  let confidence: Confidence
  /// It makes the type or subtype: how sure these are, the record decides.
  let isOfEvent: Bool
  /// A flag that is off says the same as its absence.
  let offIsAbsent: Bool
  /// The object that it fills, and the member's place there; less than 0 for a member of an object inside.
  let part: ObjectPart?
  let slot: Int
  /// One bit for each `EventRecord.Form` that has such objects.
  private let forms: Int

  init(_ rule: FieldRule) {
    reading = rule.transform?.reads ?? .several
    (relation, place, confidence) = (rule.relation, rule.relation.place, rule.confidence)
    hasRelationsOfKeys = !rule.comparing.relations.isEmpty
    isOfEvent = rule.comparing.compare == .event
    offIsAbsent = rule.relation == .derived || rule.transform?.traits.contains(.offIsAbsent) ?? false
    part = ObjectPart.filled(by: rule)
    slot = part.flatMap { part in part.name(of: rule).flatMap(part.schema.slot) } ?? -1
    forms = EventRecord.Form.allCases.reduce(0) { $1.writes(rule.family) ? $0 | 1 << $1.rawValue : $0 }
  }

  /// An output has objects that such rules fill.
  func isWritten(in form: EventRecord.Form) -> Bool { forms & 1 << form.rawValue != 0 }
}

/// The parts of a provenance line that do not change from record to record, as JSON text.
final class AccountTexts: Sendable {
  /// By rule: its id as a member, after a comma.
  let rules: TextTable
  /// By rule: the name of the member that it fills.
  let names: TextTable
  /// By rule: that name, the end of the string that it closes, and the rule as a member.
  let members: TextTable
  /// By rule: why V2 has no place for its value, as the end of an object.
  let losses: TextTable

  init(_ fields: [FieldRule]) {
    func quoted(_ text: String) -> String { FieldValue.text(text).json }
    let names = fields.map { rule in ObjectPart.filled(by: rule)?.name(of: rule) ?? rule.to ?? "" }
    let rules = fields.map { ",\"rule\":" + quoted($0.id) }
    self.rules = TextTable(rules)
    self.names = TextTable(names)
    members = TextTable(zip(names, rules).map { $0 + "\"" + $1 })
    losses = TextTable(fields.map { ",\"reason\":" + quoted($0.reasonOfLoss) + "}," })
  }

  let confidences = Confidence.allCases.count
  /// By relation and confidence the end of a field.
  let fields = TextTable(
    Relation.allCases.flatMap { relation in
      Confidence.allCases.map { ",\"relation\":\"\(relation)\",\"confidence\":\"\($0)\"}," }
    })
  /// By reason the end of an absence.
  let absences = TextTable(Account.Absence.Reason.allCases.map { ",\"reason\":\"\($0)\"}," })
  /// By reason the end of a value without a field.
  let unmapped = TextTable(UnmappedReason.allCases.map { ",\"reason\":\"\($0.words)\"}," })
  /// By `RecordFinding.number` what precedes the path of a finding.
  let findings = TextTable(
    RecordFinding.known.map { "{\"code\":\"\($0.code)\",\"severity\":\"\($0.severity.rawValue)\",\"path\":\"" })
  /// The same for what follows the path.
  let findingEnds = TextTable(RecordFinding.known.map { "\",\"message\":\(FieldValue.text($0.message).json)}," })
}

extension FieldRule {
  /// Why no output has the value: V2 has no place for it, or one that the rule names.
  var reasonOfLoss: String { (meaning.v2 ?? UnmappedReason.noPlace.words) + (meaning.v1.map { ": " + $0 } ?? "") }
}

extension ObjectPart {
  /// The family of the rules for such an object, and what stands before its members' names there.
  package var rules: (family: String, under: String) {
    Self.rules[Int(rawValue)]
  }

  private static let rules = allCases.map { part in
    let (family, root): (String, ObjectPart) =
      switch part {
      case .notification, .data: ("notification", .notification)
      case .transaction: ("transaction", part)
      case .renewal: ("renewal", part)
      case .history: ("receipt", part)
      case .statuses, .group, .item: ("statuses", .statuses)
      case .appTransaction: ("app-transaction", part)
      }
    let under = part.path(in: root)?.utf8.filter { !"[*]".utf8.contains($0) } ?? []
    return (family: family, under: String(decoding: under, as: UTF8.self))
  }

  /// The name of the member that a rule fills in such an object or inside it; `nil` for rules of other objects.
  func name(of rule: FieldRule) -> String? {
    guard rule.family == rules.family, let to = rule.to, to.hasPrefix(rules.under) else { return nil }
    return String(to.dropFirst(rules.under.count))
  }

  /// The objects that have a member for a rule, each with the member's place.
  static func places(of rule: FieldRule) -> [(part: ObjectPart, slot: Int)] {
    allCases.compactMap { part in part.name(of: rule).flatMap(part.schema.slot).map { (part, $0) } }
  }

  /// The innermost object that a rule fills.
  static func filled(by rule: FieldRule) -> ObjectPart? {
    allCases.filter { $0.name(of: rule) != nil }.max { $0.rules.under.count < $1.rules.under.count }
  }
}
