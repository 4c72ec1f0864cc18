@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) package import SlipcastWire

/// A cast and its account in numbers: what comparing many records needs to know, and no words.
///
/// Filled again for every record; its texts are views of the record and gone with it.
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
    package fileprivate(set) var isSoleUse: Bool
    package let number: Int64
    package let text: JSONText?
    fileprivate let source: UInt32
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
  /// The V2 values as the shared judgment of V1 values needs them.
  @exclusivity(unchecked) private var written = WrittenCells()
  /// The rows in use, by their number in this record.
  @exclusivity(unchecked) private var rows: [Int] = []
  @exclusivity(unchecked) private var objects: [LegacyPlace.Object] = []
  /// For each entry of the tape whether it gave a value in the record of the moment.
  @exclusivity(unchecked) private var marks: [UInt32] = []
  @exclusivity(unchecked) private var stamp: UInt32 = 0
  /// The whole record is told, not one of its transactions.
  private var isWhole = true

  package init() {}

  /// Forgets the record before; all of its rows that are in use count, or those that are given.
  func begin(_ caster: Caster, rows given: [Int]? = nil) {
    values.removeAll(keepingCapacity: true)
    absences.removeAll(keepingCapacity: true)
    losses.removeAll(keepingCapacity: true)
    written.removeAll()
    rows.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
    stamp &+= 1
    let count = caster.state.record.tape.count
    if marks.count < count || stamp == 0 {
      marks = [UInt32](repeating: 0, count: max(count, marks.count))
      stamp = 1
    }
    func add(_ row: Int) {
      guard !rows.contains(row), rows.count < Int(Self.noRow) else { return }
      rows.append(row)
      objects.append(caster.object(of: row))
    }
    isWhole = given == nil
    if let given { given.forEach(add) } else { caster.forEachRowInUse(add) }
  }

  // MARK: values

  func add(_ row: CellRow, _ part: Part, _ absences: [CompiledAbsence], _ caster: Caster) {
    row.forEach { slot, cell in
      guard cell.kind != .row, cell.kind != .list else { return }
      add(cell, part, slot, caster)
    }
    for absence in absences where !absence.isServerOnly && row[absence.slot] == nil {
      self.absences.append(
        Absence(
          part: part, slot: UInt8(absence.slot),
          reason: absence.reason(caster.state, isObjectEmpty: row.isEmpty)))
    }
  }

  /// Adds one value.
  func add(_ cell: Cell, _ part: Part, _ slot: Int, _ caster: Caster) {
    let source = Int(cell.source)
    let family = part == .transaction ? "transaction" : part == .renewal ? "renewal" : ""
    written.append(cell, owner: caster.owner(ofFamily: family))
    var (place, number, isSole) = (LegacyPlace.none, Self.noRow, false)
    if source != 0 {
      isSole = marks[source] != stamp
      if isSole { marks[source] = stamp } else { unmarkSole(cell.source) }
      if let local = self.row(holding: source, caster) {
        number = UInt8(local)
        place = LegacyPlace(objects[local], key: Int(caster.state.record.tape[source].key))
      }
    }
    values.append(
      Value(
        part: part, slot: UInt8(slot), kind: kind(cell), isInferred: cell.certainty == .inferred,
        relation: caster.relation(of: cell), place: place, row: number, isSoleUse: isSole, number: cell.integer,
        text: cell.text, source: cell.source))
  }

  private func kind(_ cell: Cell) -> Value.Kind {
    switch cell.kind {
    case .integer: .integer
    case .boolean: .boolean
    default: .text
    }
  }

  private func unmarkSole(_ source: UInt32) {
    for place in values.indices where values[place].source == source { values[place].isSoleUse = false }
  }

  /// The row in use whose object has a value as its member.
  private func row(holding source: Int, _ caster: Caster) -> Int? {
    let record = caster.state.record
    // The innermost object is the one that begins last.
    var best: Int?
    for (place, row) in rows.enumerated() {
      let origin = record.rows.origin(row)
      guard origin < source, source < Int(record.tape[origin].nextOrSide) else { continue }
      if let old = best, record.rows.origin(rows[old]) > origin { continue }
      best = place
    }
    return best
  }

  // MARK: losses

  func addLosses(_ caster: Caster, _ form: CompiledRules.LossForm) {
    for (place, row) in rows.enumerated() { addLosses(caster, row, place, form) }
    if isWhole { addOtherRows(caster) }
  }

  private func addLosses(_ caster: Caster, _ row: Int, _ local: Int, _ form: CompiledRules.LossForm) {
    let record = caster.state.record
    let scope = caster.scope(of: row)
    let end = Int(record.tape[record.rows.origin(row)].nextOrSide)
    var child = record.rows.origin(row) + 1
    while child < end {
      let next = record.tape.after(child)
      defer { child = next }
      let entry = record.tape[child]
      // The shared secret is not even counted.
      if entry.key == LegacyKey.password.rawValue { continue }
      if marks[child] == stamp, !caster.isMisread(child, row: row, scope: scope, form: form, written: written) {
        continue
      }
      let isContainer = entry.kind == .object || entry.kind == .array
      if isContainer, entry.key < LegacyKey.count,
        LegacyKey(rawValue: UInt8(truncatingIfNeeded: entry.key))?.holdsRows == true, hasRows(record, child, next)
      {
        continue
      }
      let note = caster.lossNote(child, scope, form)
      let remaining = caster.remaining(child, row: row, scope: scope, form: form, written: written)
      let isUndocumented = note == CompiledRules.LossNote.undocumented
      losses.append(
        Loss(
          place: isUndocumented ? LegacyPlace(objects[local]) : LegacyPlace(objects[local], key: Int(entry.key)),
          unknownKey: isUndocumented ? record.tape.key(child) : nil, row: UInt8(local),
          rule: isUndocumented ? -1 : note, isShown: !isContainer && note >= 0, fate: remaining.fate))
    }
  }

  /// A container whose objects have rows of their own is accounted for there.
  private func hasRows(_ record: LegacyRecord, _ index: Int, _ end: Int) -> Bool {
    for row in 0..<record.rows.count where (index..<end).contains(record.rows.origin(row)) { return true }
    return false
  }

  /// Objects that the cells of the moment do not speak of: each is one loss.
  private func addOtherRows(_ caster: Caster) {
    let record = caster.state.record
    var seen: UInt32 = 0
    for row in 0..<record.rows.count where !rows.contains(row) {
      let object = caster.object(of: row)
      guard seen & 1 << UInt32(object.rawValue) == 0 else { continue }
      seen |= 1 << UInt32(object.rawValue)
      losses.append(
        Loss(
          place: LegacyPlace(object), unknownKey: nil, row: Self.noRow, rule: -1, isShown: false,
          fate: caster.fate(ofOther: row, .notification)))
    }
  }
}

extension Caster {
  /// The account of a decoded notification in numbers; call after `convertToNotification`.
  package func outline(into outline: CastOutline) {
    outline.begin(self)
    for object in tree.objects { add(object, to: outline) }
    outline.addLosses(self, .notification)
  }

  /// How V1 and V2 relate for a cell.
  func relation(of cell: Cell) -> Relation {
    relation(compiled.relations[Int(cell.rule)].ofKeys, Int(cell.source))
      ?? compiled.relations[Int(cell.rule)].ofRule
  }

  /// The place of the event's row in `RuleSet.types`.
  package var decisionNumber: Int? { state.decision?.number }
}
