@_spi(Slipcast) import SlipcastWire

/// Reads one JSON object into a row: checks every member once, notes drifts, computes the dates.
final class LegacyObjectReader {
  let record: LegacyRecord
  private let kinds: [UInt8]
  private static let notHere: UInt8 = 0xFF
  let instantOfKey: [UInt8]
  let daylight = DaylightTime()
  // Unchecked exclusivity: a reader belongs to one thread and never calls back into itself.
  @exclusivity(unchecked) var pending = Pending()

  typealias TextDate = LegacyRows.TextDate

  /// Values that wait until the whole row is read.
  struct Pending {
    /// Which dates have a text in this row, one bit each.
    var dated: UInt16 = 0
    /// Texts of dates that have a better one of the same zone.
    var doubles: [(date: Int, isPacific: Bool, text: TextDate)] = []
    /// Values that a later member of the same name replaced: what was noted of their dates is taken back.
    var replaced: Set<UInt32> = []
    /// Milliseconds under names that are not meant for them, by date.
    var digits: [(date: LegacyInstant, milliseconds: Int64, index: Int)] = []
  }

  init(_ record: LegacyRecord) {
    self.record = record
    var kinds = [UInt8](repeating: Self.notHere, count: LegacyScope.allCases.count * 256)
    for (number, scope) in LegacyScope.allCases.enumerated() {
      for field in scope.fields { kinds[number * 256 + Int(field.key.rawValue)] = field.kind.rawValue }
    }
    self.kinds = kinds
    instantOfKey = LegacyKey.allCases.map { key in LegacyInstant.of(key).map { UInt8($0.rawValue) } ?? Self.notHere }
  }

  // MARK: lists

  /// The rows of a list of objects; one object instead of an array is one row.
  func readList(
    of row: Int, _ key: LegacyKey, as scope: LegacyScope, expectsObject: Bool = false,
    allowsObject: Bool = false
  ) -> Range<Int> {
    let index = record.rows.slot(row, key)
    guard index != 0 else { return 0..<0 }
    let tape = record.tape
    let first = record.rows.count
    switch tape[index].kind {
    case .object:
      if tape[index].length == 0 {
        record.note(expectsObject || allowsObject ? .emptyValue : .objectForArray, index)
      } else if isNumbered(index) {
        record.note(.objectForArray, index)
        readElements(of: index, scope, isOfInApp: key == .in_app)
      } else {
        if !expectsObject, !allowsObject { record.note(.objectForArray, index) }
        _ = read(index, scope)
      }
    case .array:
      if expectsObject { record.note(.objectForArray, index) }
      readElements(of: index, scope, isOfInApp: key == .in_app)
    default:
      record.note(.unusableKind, index)
      noteDamage(scope, isOfInApp: key == .in_app)
    }
    return first..<record.rows.count
  }

  /// An object whose members are numbered, as PHP writes an array from which elements were removed.
  private func isNumbered(_ index: Int) -> Bool {
    record.tape.children(of: index).allSatisfy { LegacyNumber.isDigits(record.tape.key($0)) }
  }

  private func readElements(of index: Int, _ scope: LegacyScope, isOfInApp: Bool) {
    let tape = record.tape
    for child in tape.children(of: index) {
      if tape[child].kind == .object, tape[child].length > 0 {
        _ = read(child, scope)
      } else {
        let isEmpty = tape[child].kind == .null || tape[child].kind == .object
        record.note(isEmpty ? .emptyElement : .unusableKind, child)
        noteDamage(scope, isOfInApp: isOfInApp)
      }
    }
  }

  /// A part of a list cannot be read.
  private func noteDamage(_ scope: LegacyScope, isOfInApp: Bool) {
    switch scope {
    case .pending_renewal_info: record.parts.damagedLists.insert(.renewals)
    default: record.parts.damagedLists.insert(isOfInApp ? .inApp : .transactions)
    }
  }

  // MARK: one object

  /// Adds a row for the object at `index`.
  func read(_ index: Int, _ scope: LegacyScope) -> Int {
    // One reference for all members: reading the property for each would count references each time.
    let (record, rows) = (record, record.rows)
    let tape = record.tape
    let row = rows.add(origin: index)
    let place = rows.place(row)
    let offset = scope.number * 256
    if tape[index].hasDuplicateInside { record.note(.duplicateKey, index) }
    let end = Int(tape[index].nextOrSide)
    var child = index + 1
    while child < end {
      // An unknown key, 0xFFFF, leads to the last entry of the scope's table, which belongs to no field.
      let kind = kinds[offset | Int(tape[child].key & 0xFF)]
      if tape[child].isPlainText, takeAsExpected(child, as: kind, into: place, of: tape, rows) {
        child &+= 1
      } else {
        takeUnusual(child, as: kind, into: row)
        child = tape.after(child)
      }
    }
    settleDates(row)
    if !pending.replaced.isEmpty { takeBackReplaced() }
    return row
  }

  @inline(never)
  private func takeUnusual(_ index: Int, as kind: UInt8, into row: Int) {
    let entry = record.tape[index]
    if entry.hasDuplicateKey { record.note(.duplicateKey, index) }
    if let kind = LegacyKind(rawValue: kind), let key = LegacyKey(entry) {
      member(key, entry, at: index, as: kind, into: row)
    } else {
      record.note(.unrecognizedKey, index)
    }
  }

  /// Reads the usual value of most fields: a string in exactly the documented form.
  ///
  /// - Returns: false for all other values, which `member` reads.
  @inline(__always)
  private func takeAsExpected(
    _ index: Int, as kind: UInt8, into row: LegacyRows.Place, of tape: JSONTape, _ rows: LegacyRows
  ) -> Bool {
    let text = JSONText(base: tape.bytes + Int(tape[index].start), count: Int(tape[index].length), isVerbatim: true)
    let key = Int(tape[index].key)
    switch kind {
    case LegacyKind.text.rawValue: break
    case LegacyKind.identifier.rawValue: guard LegacyNumber.areManyDigits(text) else { return false }
    case LegacyKind.integer.rawValue: guard text.count < 10, LegacyNumber.isDigits(text) else { return false }
    case LegacyKind.flagDigit.rawValue: guard text == "0" || text == "1" else { return false }
    case LegacyKind.milliseconds.rawValue:
      // JSON allows no zero before a number: `member` decides.
      guard text.count == 13, text.buffer[0] != UInt8(ascii: "0"), LegacyNumber.isDigits(text) else { return false }
      row.setInstant(Int(instantOfKey[key]), LegacyNumber.thirteenDigits(text), from: index)
    case LegacyKind.greenwich.rawValue, LegacyKind.millisecondsOrGreenwich.rawValue:
      guard let seconds = ReceiptDate.greenwich(text) else { return false }
      note(rows, tape, date: Int(instantOfKey[key]), TextDate(seconds: seconds, index: index), isPacific: false)
    case LegacyKind.pacific.rawValue:
      guard let seconds = ReceiptDate.pacific(text) else { return false }
      note(rows, tape, date: Int(instantOfKey[key]), TextDate(seconds: seconds, index: index), isPacific: true)
    case LegacyKind.flagWord.rawValue: guard text == "false" || text == "true" else { return false }
    default: return false
    }
    row.setSlot(key, index)
    return true
  }

  @inline(__always)
  func note(_ rows: LegacyRows, _ tape: JSONTape, date: Int, _ text: TextDate, isPacific: Bool) {
    pending.dated |= 1 << UInt16(date)
    if rows.text(date, isPacific: isPacific).index != 0 {
      noteSecond(rows, tape, date: date, text, isPacific: isPacific)
    } else {
      rows.setText(date, isPacific: isPacific, text)
    }
  }

  /// Two names for one date, as in old flat objects: both are checked, and the better one is used whatever their order.
  @inline(never)
  private func noteSecond(_ rows: LegacyRows, _ tape: JSONTape, date: Int, _ text: TextDate, isPacific: Bool) {
    let other = rows.text(date, isPacific: isPacific)
    let isBetter = isBetter(text.index, than: other.index, tape)
    pending.doubles.append((date, isPacific, isBetter ? other : text))
    if isBetter { rows.setText(date, isPacific: isPacific, text) }
  }

  private func member(_ key: LegacyKey, _ entry: JSONEntry, at index: Int, as kind: LegacyKind, into row: Int) {
    if entry.hasDuplicateKey {
      let replaced = record.rows.slot(row, key)
      if replaced != 0 { pending.replaced.insert(UInt32(truncatingIfNeeded: replaced)) }
      record.parts.unreadable.remove(LegacyUnreadable(row: row, key: key))
      record.rows.clear(row, key, LegacyInstant(rawValue: Int(instantOfKey[Int(key.rawValue)])))
    }
    if kind == .secret { return }
    if entry.kind == .null {
      if key != .download_id { record.note(.nullValue, index) }
      return
    }
    if entry.kind == .string, entry.length == 0 {
      record.note(.emptyValue, index)
      return
    }
    record.rows.setSlot(row, key, index)
    switch kind {
    case .text, .uuid:
      if entry.kind == .number {
        record.note(.unexpectedKind, index)
      } else if entry.kind != .string {
        drop(key, at: index, from: row, .unusableKind)
      }
    case .identifier, .eitherIdentifier: identifier(key, entry, at: index, as: kind, into: row)
    case .integer, .number, .eitherNumber: number(key, entry, at: index, as: kind, into: row)
    case .milliseconds: milliseconds(key, entry, at: index, into: row, isAuthority: true)
    case .greenwich, .pacific: textDate(key, entry, at: index, into: row)
    case .millisecondsOrGreenwich:
      if entry.kind == .number || entry.kind == .string && LegacyNumber.isDigits(record.tape.text(of: entry)) {
        milliseconds(key, entry, at: index, into: row, isAuthority: false)
      } else {
        textDate(key, entry, at: index, into: row)
      }
    case .flagWord, .flagDigit, .boolean: flag(key, entry, at: index, as: kind, into: row)
    case .object:
      if entry.kind != .object { record.noteUnreadable(.unusableKind, row, key, at: index) }
    case .objects, .secret: break
    }
  }

  private func takeBackReplaced() {
    record.parts.findings.removeAll { $0.drift == .implausibleDate && pending.replaced.contains($0.index) }
    pending.replaced.removeAll()
  }

  /// Notes a value of no use; the row has none of that name.
  private func drop(_ key: LegacyKey, at index: Int, from row: Int, _ drift: LegacyDrift) {
    // `LegacyReader` rejects the record for such a type, and names its kind.
    if key != .notification_type { record.rows.setSlot(row, key, 0) }
    // The line item 0 stands for none.
    if drift == .zeroLineItem { return record.note(drift, index) }
    record.noteUnreadable(drift, row, key, at: index)
  }

  private func identifier(_ key: LegacyKey, _ entry: JSONEntry, at index: Int, as kind: LegacyKind, into row: Int) {
    guard entry.kind == .string || entry.kind == .number else {
      return drop(key, at: index, from: row, .unusableKind)
    }
    let text = record.tape.text(of: entry)
    let whole = LegacyNumber.isDigits(text) ? text : entry.kind == .number ? LegacyNumber.beforeZeros(text) : nil
    guard let whole else {
      if entry.kind == .number { return drop(key, at: index, from: row, .unreadableNumber) }
      return record.note(.identifierSpelling, index)
    }
    if key == .web_order_line_item_id, LegacyNumber.integer(whole) == 0 {
      drop(key, at: index, from: row, .zeroLineItem)
    } else if whole.count != text.count {
      record.note(.identifierFraction, index)
    } else if entry.kind == .number, kind == .identifier {
      record.note(.unexpectedKind, index)
    }
  }

  private func number(_ key: LegacyKey, _ entry: JSONEntry, at index: Int, as kind: LegacyKind, into row: Int) {
    guard entry.kind == .string || entry.kind == .number else {
      // A boolean is read as 1 or 0.
      if entry.kind == .true || entry.kind == .false { return record.note(.unexpectedKind, index) }
      return record.noteUnreadable(.unusableKind, row, key, at: index)
    }
    let text = record.tape.text(of: entry)
    guard let value = LegacyNumber.integer(text), value >= 0, kind == .number || LegacyNumber.small.contains(value)
    else {
      let isWord = kind == .number && (text == "OK" || text == "ok")
      return isWord ? record.note(.statusWord, index) : record.noteUnreadable(.unreadableNumber, row, key, at: index)
    }
    if key == .auto_renew_status, value > 1 {
      record.noteUnreadable(.unreadableFlag, row, key, at: index)
    } else if kind != .eitherNumber, (entry.kind == .string) != (kind == .integer) {
      record.note(.unexpectedKind, index)
    }
  }

  private func flag(_ key: LegacyKey, _ entry: JSONEntry, at index: Int, as kind: LegacyKind, into row: Int) {
    guard record.flag(row, key) != nil else {
      let isContainer = entry.kind == .object || entry.kind == .array
      return record.noteUnreadable(isContainer ? .unusableKind : .unreadableFlag, row, key, at: index)
    }
    let isDocumented: Bool =
      switch kind {
      case .flagWord: entry.kind == .string && entry.length > 1
      case .flagDigit: entry.kind == .string && entry.length == 1
      default: entry.kind == .true || entry.kind == .false
      }
    if !isDocumented { record.note(.flagSpelling, index) }
  }
}

extension LegacyScope {
  package var number: Int {
    switch self {
    case .responseBodyV1: 0
    case .unified_receipt: 1
    case .latest_receipt_info: 2
    case .pending_renewal_info: 3
    case .verifyReceipt: 4
    case .receipt: 5
    }
  }
}
