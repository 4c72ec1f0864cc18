@_spi(Slipcast) internal import SlipcastLegacy
public import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The full account of one cast: where every V2 value came from and what became of every V1 value.
public struct Account: Hashable, Sendable {
  /// A V2 value that was written.
  public struct Field: Hashable, Sendable {
    /// Dotted path in the output.
    public var v2Path: String
    /// The rule that made it.
    public var rule: String
    /// Dotted path of the V1 value it was read from; `nil` when it was made without one.
    public var v1Path: String?
    /// That value as JSON text; `nil` for arrays and objects.
    ///
    /// Provenance files do not contain it.
    public var v1Value: String?
    /// How the two relate.
    public var relation: Relation
    /// How well the value is known.
    public var confidence: Confidence
  }

  /// A V1 value or object that no field of this output was made from.
  public struct Unmapped: Hashable, Sendable {
    /// Dotted path of the V1 value.
    public var v1Path: String
    /// The value as JSON text; `nil` for arrays, objects, the shared secret, and under a key that no rule knows.
    ///
    /// Provenance files do not contain it.
    public var v1Value: String?
    /// True for an array or object.
    public var isContainer: Bool
    /// The rule about it, or `nil` for a key without a rule.
    public var rule: String?
    /// Why it has no separate field.
    public var reason: String
    /// For a repeated value the V2 path of the field that holds it, or whose absence does; `nil` otherwise.
    public var heldBy: String?
    /// True for a value that cannot be read as what Apple documents under its key.
    public var isUnreadable: Bool
    /// Which list it belongs to, and whether its field can be compared.
    package var fate: ValueFate
    /// Its place in the record, for one order over all lists.
    package var place: Int

    package init(
      v1Path: String, v1Value: String? = nil, isContainer: Bool = false, rule: String?, reason: String,
      heldBy: String? = nil, isUnreadable: Bool = false, fate: ValueFate = .lost, place: Int = .max
    ) {
      (self.v1Path, self.v1Value, self.isContainer) = (v1Path, v1Value, isContainer)
      (self.rule, self.reason, self.heldBy) = (rule, reason, heldBy)
      (self.isUnreadable, self.fate, self.place) = (isUnreadable, fate, place)
    }
  }

  /// A V2 field that stays absent.
  public struct Absence: Hashable, Sendable {
    /// Dotted path in the output.
    public var v2Path: String
    /// The rule that speaks of it.
    public var rule: String
    /// Why it stays absent.
    public var reason: Reason

    /// Why a V2 field stays absent.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
      /// V1 has no key for it.
      case noV1Source
      /// The V1 object with its key is not in the record, or is of a form without such a key.
      case objectAbsentInV1
      /// The V1 object is there and has no such key.
      case absentInV1
      /// V1 states that the value is absent.
      case noneInV1
      /// V1 says something, but not enough.
      case undetermined

      // A switch: accounts ask for it for every absent field.
      package var place: Int {
        switch self {
        case .noV1Source: 0
        case .objectAbsentInV1: 1
        case .absentInV1: 2
        case .noneInV1: 3
        case .undetermined: 4
        }
      }
    }
  }

  /// The row of the decision table, or the rule of the whole output.
  public var rule: String
  /// How well the event is known.
  public var confidence: Confidence
  /// Every V2 value that was written, in output order.
  public var fields: [Field] = []
  /// V1 values that V2 cannot hold, in the order of the record.
  public var lost: [Unmapped] = []
  /// V1 values that a V2 field holds already: a text date next to its `_ms` key, a flag that says no.
  public var repeated: [Unmapped] = []
  /// V1 objects that other messages or other outputs report: older periods, other subscriptions.
  public var elsewhere: [Unmapped] = []
  /// Every V2 field that stays absent.
  public var absent: [Absence] = []
  /// What a person should know.
  public var findings: [Finding] = []

  /// The values of all three lists, in the order of the record.
  package var unmapped: [Unmapped] { (lost + repeated + elsewhere).sorted { $0.place < $1.place } }
}

extension Account {
  init(_ entries: AccountEntries, rule: String, confidence: Confidence) {
    (self.rule, self.confidence) = (rule, confidence)
    let (record, rules) = (entries.record, entries.compiled.rules.fields)
    let paths = TapePaths(record.tape, root: record.root)
    for object in entries.objects {
      let names = object.row.schema.fields.map(\.name)
      object.row.forEach { slot, cell in
        guard cell.isScalar else { return }
        let source = Int(cell.source)
        fields.append(
          Field(
            v2Path: object.prefix + names[slot], rule: rules[Int(cell.rule)].id,
            v1Path: source == 0 ? nil : paths.text(source), v1Value: record.shownValue(source),
            relation: entries.relation(Int(cell.rule), source), confidence: entries.confidence(of: cell)))
      }
      absent += entries.absences[object.absences].map { absence in
        Absence(
          v2Path: object.prefix + names[Int(absence.slot)], rule: rules[Int(absence.rule)].id, reason: absence.reason)
      }
    }
    let unmapped = entries.unmappedInOrder.map { Unmapped(entries.unmapped[$0], entries, paths) }
    lost = unmapped.filter { $0.fate == .lost || $0.fate == .unreadable }
    repeated = unmapped.filter { $0.fate == .repeated }
    elsewhere = unmapped.filter { $0.fate == .elsewhere }
    entries.builder.forEachFinding { finding in
      let path = finding.index == 0 ? JSONPath() : paths.path(finding.index)
      findings.append(
        Finding(code: finding.code, severity: finding.severity, path: path, message: finding.message))
    }
  }
}

extension Account.Unmapped {
  fileprivate init(_ value: AccountEntries.Unmapped, _ entries: AccountEntries, _ paths: TapePaths) {
    let (record, index) = (entries.record, Int(value.index))
    let kind = record.tape[index].kind
    let rule = value.rule < 0 ? nil : entries.compiled.rules.fields[Int(value.rule)]
    self.init(
      v1Path: paths.text(index), v1Value: rule == nil ? nil : record.shownValue(index),
      isContainer: kind == .object || kind == .array, rule: rule?.id, reason: entries.words(value),
      heldBy: value.fate == .repeated ? entries.holderPath(of: value) : nil,
      isUnreadable: value.reason == .unreadable, fate: value.fate, place: index)
  }
}

extension AccountEntries {
  /// The V2 path that holds a repeated value, or that holds it by its absence.
  func holderPath(of value: Unmapped) -> String? {
    let prefix = value.holder.map { objects[$0].prefix }
    if value.reason == .listedTwice { return prefix.map { String($0.dropLast()) } ?? "transactions" }
    guard value.rule >= 0 else { return nil }
    let rule = compiled.rules.fields[Int(value.rule)]
    let part = compiled.accounts.rules[Int(value.rule)].part
    return prefix.flatMap { prefix in part?.name(of: rule).map { prefix + $0 } } ?? rule.to
  }
}

extension LegacyRecord {
  /// A value as JSON text, unless it is a container or the shared secret.
  fileprivate func shownValue(_ index: Int) -> String? {
    let entry = self.tape[index]
    guard index != 0, entry.kind != .object, entry.kind != .array else { return nil }
    if entry.key == LegacyKey.password.rawValue || self.tape.key(index) == "password" { return nil }
    return JSONElement(tape: self.tape, index: index).json
  }
}
