@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// A conversion as comparing many records needs to know it: the values of its V2 objects, and its account without words.
///
/// Made of `AccountEntries`, again for every record; its texts are views of the record and gone with it.
package final class ConversionOutline {
  package typealias Part = ObjectPart

  package struct Value {
    package enum Kind: UInt8, Sendable { case text, integer, boolean }

    package let part: Part
    /// Its place in the object's field table.
    package let slot: UInt8
    package let kind: Kind
    package let isInferred: Bool
    package let relation: Relation
    /// The V1 value behind it.
    package let place: LegacyPlace
    /// The V1 object behind it, counted in this record; `noRow` for none.
    package let row: UInt8
    /// No other V2 value was made of the same V1 value.
    package fileprivate(set) var isSoleUse: Bool
    /// The place of the V1 value on the tape; 0 for none.
    package let source: Int
    package let number: Int64
    package let text: JSONText?
    /// It belongs to no V2 field: V1 leaves open whether it applies.
    package var isOpen: Bool { slot >= OpenSlot.first }
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
    /// The name of an unknown key; its object is that of `place`.
    package let unknownKey: JSONText?
    package let row: UInt8
    /// The place of its rule in `RuleSet.fields`; less than 0 for none.
    package let rule: Int16
    /// It is a single value that may be shown.
    package let isShown: Bool
    package let fate: ValueFate
    /// Its number among the account's V1 values without a V2 field.
    package let number: Int
    /// It is of another account than the values before.
    package let isAdded: Bool
  }

  /// More objects than these are not distinguished.
  private static let mostRows = 64
  /// Stands for no V1 object.
  package static let noRow: UInt8 = .max

  package private(set) var values: [Value] = []
  package private(set) var absences: [Absence] = []
  package private(set) var losses: [Loss] = []
  /// The V1 rows that values come from, by their number here.
  private var rows: [Int] = []
  private var objects: [LegacyPlace.Object] = []

  package init() {}

  func fill(_ entries: AccountEntries) {
    clear()
    for row in entries.rows { add(row, entries) }
    for object in entries.objects { append(object, entries) { row(holding: $0, entries) } }
    appendLosses(entries)
  }

  /// Takes over some objects of an account, with the V1 objects that their values come from.
  ///
  /// - Parameter isAdded: they are added to what the outline holds, that of another account of the same record.
  func fill(_ entries: AccountEntries, objects numbers: [Int], isAdded: Bool) {
    if !isAdded { clear() }
    for number in numbers {
      append(entries.objects[number], entries) { source in
        entries.row(holding: source).flatMap { place(of: $0, entries) }
      }
    }
    let start = losses.count
    for row in rows.indices { appendReadable(row, entries, isAdded: isAdded) }
    // Values without a V2 place are in the order of the record.
    if rows.count > 1 {
      losses[start...].sort { entries.unmapped[$0.number].index < entries.unmapped[$1.number].index }
    }
  }

  private func clear() {
    values.removeAll(keepingCapacity: true)
    absences.removeAll(keepingCapacity: true)
    losses.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
    objects.removeAll(keepingCapacity: true)
  }

  private func add(_ row: Int, _ entries: AccountEntries) {
    rows.append(row)
    objects.append(entries.builder.object(of: row))
  }

  private func place(of row: Int, _ entries: AccountEntries) -> Int? {
    if let known = rows.firstIndex(of: row) { return known }
    guard rows.count < Self.mostRows else { return nil }
    add(row, entries)
    return rows.count - 1
  }

  private func append(_ object: AccountEntries.Object, _ entries: AccountEntries, _ row: (Int) -> Int?) {
    object.row.forEach { slot, cell in
      if cell.isScalar { append(cell, of: object.part, at: slot, entries, row: row) }
    }
    if let offers = object.offers { append(offers, of: object.part, entries, row: row) }
    for absence in entries.absences[object.absences] where absence.reason != .noV1Source {
      absences.append(Absence(part: object.part, slot: absence.slot, reason: absence.reason))
    }
  }

  private func append(_ offers: OpenOffers, of part: Part, _ entries: AccountEntries, row: (Int) -> Int?) {
    func append(_ slot: Int, _ kind: Value.Kind, source: Int = 0) {
      let local = source == 0 ? nil : row(source)
      let place = local.map { LegacyPlace(objects[$0], key: Int(entries.record.tape[source].key)) } ?? .none
      values.append(
        Value(
          part: part, slot: UInt8(slot), kind: kind, isInferred: false, relation: .renamed, place: place,
          row: Self.noRow, isSoleUse: false, source: source, number: 1,
          text: source == 0 ? nil : entries.record.tape.text(source)))
    }
    if let ids = offers.ids {
      append(OpenSlot.promotional, .text, source: ids.promotional)
      append(OpenSlot.code, .text, source: ids.code)
    }
    if offers.mayBeWinBack { append(OpenSlot.winBack, .boolean) }
  }

  private func append(
    _ cell: Cell, of part: Part, at slot: Int, _ entries: AccountEntries, row: (Int) -> Int?
  ) {
    let source = Int(cell.source)
    var (place, number) = (LegacyPlace.none, Self.noRow)
    if source != 0, let local = row(source) {
      number = UInt8(local)
      place = LegacyPlace(objects[local], key: Int(entries.record.tape[source].key))
    }
    let kind: Value.Kind = cell.kind == .integer ? .integer : cell.kind == .boolean ? .boolean : .text
    values.append(
      Value(
        part: part, slot: UInt8(slot), kind: kind, isInferred: entries.confidence(of: cell) == .inferred,
        relation: entries.relation(Int(cell.rule), source), place: place, row: number,
        isSoleUse: source != 0 && entries.isUsedOnce(source), source: source, number: cell.integer, text: cell.text))
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
    for (number, value) in entries.unmapped.enumerated() {
      let entry = record.tape[Int(value.index)]
      let isUndocumented = value.rule == AccountRules.LossNote.undocumented
      if value.isWholeObject {
        // Objects of one kind that the output does not describe are one loss.
        let object = entries.builder.object(of: value.row)
        guard seen & 1 << UInt32(object.rawValue) == 0 else { continue }
        seen |= 1 << UInt32(object.rawValue)
        losses.append(
          Loss(
            place: LegacyPlace(object), unknownKey: nil, row: Self.noRow, rule: -1, isShown: false, fate: value.fate,
            number: number, isAdded: false))
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
          isShown: !isContainer && value.rule >= 0, fate: value.fate, number: number, isAdded: false))
    }
  }

  /// Adds the members of a row that a rule speaks of and that may belong to the row of a V2 field: of those of one rule
  /// the first is shown.
  private func appendReadable(_ row: Int, _ entries: AccountEntries, isAdded: Bool) {
    let tape = entries.record.tape
    let first = losses.count
    for number in entries.unmapped(of: rows[row]) {
      let value = entries.unmapped[number]
      let entry = tape[Int(value.index)]
      let isContainer = entry.kind == .object || entry.kind == .array
      guard value.rule >= 0, !isContainer || value.fate == .unreadable, entry.key != LegacyKey.password.rawValue else {
        continue
      }
      let isFirst = !isContainer && !losses[first...].contains { $0.rule == value.rule && $0.isShown }
      losses.append(
        Loss(
          place: LegacyPlace(objects[row], key: Int(entry.key)), unknownKey: nil,
          row: UInt8(truncatingIfNeeded: row), rule: value.rule, isShown: isFirst, fate: value.fate, number: number,
          isAdded: isAdded))
    }
  }

  /// Recounts the uses of V1 values among the values of this outline.
  package func recountUses() {
    let uses = Dictionary(values.filter { !$0.isOpen }.map { ($0.source, 1) }, uniquingKeysWith: +)
    for place in values.indices {
      values[place].isSoleUse = !values[place].isOpen && uses[values[place].source] == 1
    }
  }
}

extension Converter {
  /// The account of a decoded notification in numbers; call after `convertToNotification`.
  package func outline(into outline: ConversionOutline) {
    entries.fill()
    outline.fill(entries)
  }

  /// Draws up the account of the whole conversion in numbers; call after `convert`.
  ///
  /// - Returns: what the objects of the account are; objects around others come last.
  package func drawUpAccount() -> [ObjectPart] {
    entries.fill()
    return entries.objects.map(\.part)
  }

  /// Some objects of the account that was drawn up, by their numbers.
  ///
  /// - Parameter isAdded: they are added to what the outline holds, that of another account of the same record.
  package func outline(_ objects: [Int], into outline: ConversionOutline, isAdded: Bool = false) {
    outline.fill(entries, objects: objects, isAdded: isAdded)
  }

  /// Where the object begins that has a value as its member; `nil` for a value in no row.
  package func origin(around source: Int) -> Int? {
    guard source > 0, let row = entries.row(holding: source) else { return nil }
    return record.rows.origin(row)
  }

  /// The object around a value, by its range on the tape; `nil` for the record itself.
  package func object(around source: Int) -> Range<Int>? {
    guard source > 0, let row = entries.row(holding: source), row != record.body else { return nil }
    let origin = record.rows.origin(row)
    return origin..<Int(record.tape[origin].nextOrSide)
  }

  package struct UnmappedValue {
    /// Its place on the tape.
    package let source: Int
    /// The place of its rule in `RuleSet.fields`; less than 0 for none.
    package let rule: Int
    package let fate: ValueFate
    /// Why it has no separate field.
    package let reason: String
    /// For a repeated value the V2 path of the field that holds it, or whose absence does.
    package var heldBy: String?
  }

  /// The numbers of the account's values without a V2 field, in the order of the record.
  package var unmappedInOrder: [Int] { entries.unmappedInOrder }

  package func sourceOfUnmapped(_ number: Int) -> Int { Int(entries.unmapped[number].index) }

  package func unmapped(_ number: Int) -> UnmappedValue {
    entries.value(number)
  }
}

extension AccountEntries {
  fileprivate func value(_ number: Int) -> Converter.UnmappedValue {
    let value = unmapped[number]
    return Converter.UnmappedValue(
      source: Int(value.index), rule: Int(value.rule), fate: value.fate, reason: words(value),
      heldBy: value.fate == .repeated ? holderPath(of: value) : nil)
  }
}
