@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

/// A conversion as comparing many records needs to know it: the values of its V2 objects, and its account without words.
///
/// Made of `AccountEntries`, again for every record; its texts are views of the record and gone with it.
package final class CastOutline {
  package typealias Part = ObjectPart

  /// A V2 value.
  package struct Value {
    /// The kinds of values.
    package enum Kind: UInt8, Sendable { case text, integer, boolean }

    package let part: Part
    /// Its place in the object's field table.
    package let slot: UInt8
    package let kind: Kind
    /// It is a conclusion.
    package let isInferred: Bool
    /// How V1 and V2 relate here.
    package let relation: Relation
    /// The V1 value behind it.
    package let place: LegacyPlace
    /// The V1 object behind it, counted in this record; `noRow` for none.
    package let row: UInt8
    /// No other V2 value was made of the same V1 value.
    package let isSoleUse: Bool
    package let number: Int64
    package let text: JSONText?
  }

  /// A V2 field that stays absent, and could be filled by a rule.
  package struct Absence {
    package let part: Part
    package let slot: UInt8
    package let reason: Account.Absence.Reason
  }

  /// A V1 value without a V2 place.
  package struct Loss {
    package let place: LegacyPlace
    /// The name of a key that nobody knows; its object is that of `place`.
    package let unknownKey: JSONText?
    package let row: UInt8
    /// The place of its rule in `RuleSet.fields`; less than 0 for none.
    package let rule: Int16
    /// It is a single value that may be shown.
    package let isShown: Bool
    /// What becomes of it.
    package let fate: ValueFate
  }

  /// Stands for no V1 object.
  package static let noRow: UInt8 = .max

  @exclusivity(unchecked) package private(set) var values: [Value] = []
  @exclusivity(unchecked) package private(set) var absences: [Absence] = []
  @exclusivity(unchecked) package private(set) var losses: [Loss] = []
  /// What kinds of objects the rows in use are, by their number in this record.
  @exclusivity(unchecked) private var objects: [LegacyPlace.Object] = []

  package init() {}

  /// Takes over an account.
  func fill(_ entries: AccountEntries) {
    values.removeAll(keepingCapacity: true)
    absences.removeAll(keepingCapacity: true)
    losses.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    for row in entries.rows { objects.append(entries.state.object(of: row)) }
    for object in entries.objects {
      // The status has one place, beside the dates that it is judged by.
      if object.part == .item, let cell = object.row[Self.statusOfItem] {
        append(cell, of: .data, Self.statusOfData, entries)
      }
      object.row.forEach { slot, cell in
        guard cell.isScalar, object.part != .item || slot != Self.statusOfItem else { return }
        append(cell, of: object.part, slot, entries)
      }
      for absence in entries.absences[object.absences] where absence.reason != .noV1Source {
        absences.append(Absence(part: object.part, slot: absence.slot, reason: absence.reason))
      }
    }
    appendLosses(entries)
  }

  /// The status of a subscription, and the place that notifications have for it.
  private static let statusOfItem = CompiledRules.lastTransactionLayout.slot("status") ?? .max
  private static let statusOfData = CompiledRules.dataLayout.slot("status") ?? .max

  private func append(_ cell: Cell, of part: Part, _ slot: Int, _ entries: AccountEntries) {
    let source = Int(cell.source)
    var (place, number) = (LegacyPlace.none, Self.noRow)
    if source != 0, let local = row(holding: source, entries) {
      number = UInt8(local)
      place = LegacyPlace(objects[local], key: Int(entries.record.tape[source].key))
    }
    let kind: Value.Kind = cell.kind == .integer ? .integer : cell.kind == .boolean ? .boolean : .text
    values.append(
      Value(
        part: part, slot: UInt8(slot), kind: kind, isInferred: cell.certainty == .inferred,
        relation: entries.relation(Int(cell.rule), source), place: place, row: number,
        isSoleUse: source != 0 && entries.isUsedOnce(source), number: cell.integer, text: cell.text))
  }

  /// The row in use whose object has a value as its member, by its number in this record.
  private func row(holding source: Int, _ entries: AccountEntries) -> Int? {
    let record = entries.record
    // The innermost object is the one that begins last.
    var best: Int?
    for (place, row) in entries.rows.prefix(Int(Self.noRow)).enumerated() {
      let origin = record.rows.origin(row)
      guard origin < source, source < Int(record.tape[origin].nextOrSide) else { continue }
      if let old = best, record.rows.origin(entries.rows[old]) > origin { continue }
      best = place
    }
    return best
  }

  private func appendLosses(_ entries: AccountEntries) {
    let record = entries.record
    var (local, seen) = (0, UInt32(0))
    for value in entries.unmapped {
      let entry = record.tape[Int(value.index)]
      let isUndocumented = value.rule == CompiledRules.LossNote.undocumented
      if value.isWholeObject {
        // Objects of one kind that the output does not describe are one loss.
        let object = entries.state.object(of: value.row)
        guard seen & 1 << UInt32(object.rawValue) == 0 else { continue }
        seen |= 1 << UInt32(object.rawValue)
        losses.append(
          Loss(
            place: LegacyPlace(object), unknownKey: nil, row: Self.noRow, rule: -1, isShown: false, fate: value.fate))
        continue
      }
      // The shared secret is not even counted.
      if entry.key == LegacyKey.password.rawValue { continue }
      // Values come row by row.
      while entries.rows[local] != value.row { local += 1 }
      let isContainer = entry.kind == .object || entry.kind == .array
      losses.append(
        Loss(
          place: isUndocumented ? LegacyPlace(objects[local]) : LegacyPlace(objects[local], key: Int(entry.key)),
          unknownKey: isUndocumented ? record.tape.key(Int(value.index)) : nil,
          row: UInt8(truncatingIfNeeded: local), rule: isUndocumented ? -1 : value.rule,
          isShown: !isContainer && value.rule >= 0, fate: value.fate))
    }
  }
}

extension Caster {
  /// The account of a decoded notification in numbers; call after `convertToNotification`.
  package func outline(into outline: CastOutline) {
    entries.fill()
    outline.fill(entries)
  }
}
