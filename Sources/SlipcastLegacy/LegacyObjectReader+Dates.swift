@_spi(Slipcast) import SlipcastWire

/// Dates: numbers and texts are compared, and the best of them is the value.
extension LegacyObjectReader {
  func milliseconds(_ key: LegacyKey, _ entry: JSONEntry, at index: Int, into row: Int, isAuthority: Bool) {
    guard entry.kind == .string || entry.kind == .number,
      let value = LegacyNumber.integer(record.tape.text(of: entry)), value > -62_135_769_600_001,
      value < 253_402_300_800_000
    else {
      if !isReadable(key, entry, at: index) { record.noteUnreadable(.malformedDate, row, key, at: index) }
      return
    }
    if entry.kind == .number { record.note(.unexpectedKind, index) }
    if !LegacyInstant.plausible.contains(value) { record.noteUnreadable(.implausibleDate, row, key, at: index) }
    guard let date = LegacyInstant(rawValue: Int(instantOfKey[Int(key.rawValue)])) else { return }
    if isAuthority {
      record.rows.setInstant(row, date, value, from: index)
    } else {
      pending.digits.append((date, value, index))
    }
  }

  func textDate(_ key: LegacyKey, _ entry: JSONEntry, at index: Int, into row: Int) {
    guard entry.kind == .string else {
      if !isReadable(key, entry, at: index) { record.noteUnreadable(.unusableKind, row, key, at: index) }
      return
    }
    let date = Int(instantOfKey[Int(key.rawValue)])
    switch ReceiptDate.read(record.tape.text(of: entry)) {
    case .utc(let seconds):
      note(record.rows, record.tape, date: date, TextDate(seconds: seconds, index: index), isPacific: false)
    case .pacific(let seconds):
      note(record.rows, record.tape, date: date, TextDate(seconds: seconds, index: index), isPacific: true)
    case .malformed:
      if !isReadable(key, entry, at: index) { record.noteUnreadable(.malformedDate, row, key, at: index) }
    }
  }

  /// Reads a date in a form that is not meant for its name but has one meaning only; it helps where the _ms field is
  /// missing.
  ///
  /// Real bodies contain milliseconds under the plain name, and copies of bodies ISO 8601 with a zone.
  private func isReadable(_ key: LegacyKey, _ entry: JSONEntry, at index: Int) -> Bool {
    guard entry.kind == .string || entry.kind == .number,
      let date = LegacyInstant(rawValue: Int(instantOfKey[Int(key.rawValue)]))
    else { return false }
    let text = record.tape.text(of: entry)
    guard let value = LegacyNumber.integer(text) ?? RFC3339Date.milliseconds(Array(text.buffer)),
      100_000_000_000..<253_402_300_800_000 ~= value
    else { return false }
    record.note(entry.kind == .number ? .unexpectedKind : .dateSpelling, index)
    pending.digits.append((date, value, index))
    return true
  }

  /// The order of `LegacyKey` decides between two names of one date, and the later of two members of one name.
  func isBetter(_ index: Int, than other: Int, _ tape: JSONTape) -> Bool {
    (tape[index].key, other) <= (tape[other].key, index)
  }

  /// The `_ms` field is the authority; the texts are compared with it, or replace it when it is missing.
  func settleDates(_ row: Int) {
    if !pending.digits.isEmpty { settleDigits(row) }
    defer { if !pending.doubles.isEmpty { settleDoubles(row) } }
    let (record, rows) = (record, record.rows)
    while pending.dated != 0, let date = LegacyInstant(rawValue: pending.dated.trailingZeroBitCount) {
      pending.dated &= pending.dated - 1
      let utc = rows.text(date.rawValue, isPacific: false)
      let wall = rows.text(date.rawValue, isPacific: true)
      var value = rows.instant(row, date)
      if value == LegacyRows.noInstant {
        guard utc.index != 0 else {
          value = readPacific(wall) * 1000
          rows.setInstant(row, date, value, from: wall.index)
          rows.setText(date.rawValue, isPacific: true, TextDate())
          continue
        }
        value = utc.seconds * 1000
        rows.setInstant(row, date, value, from: utc.index)
        record.note(.millisecondsMissing, utc.index)
      }
      // Dates of texts are within ten thousand years, and so is every value (`milliseconds`): nothing overflows.
      let isSame = utc.index != 0 && 0..<1000 ~= value &- utc.seconds &* 1000
      if utc.index != 0 {
        if !isSame { record.note(.dateMismatch, utc.index) }
        rows.setText(date.rawValue, isPacific: false, TextDate())
      }
      if wall.index != 0 {
        if !daylight.agrees(wall.seconds, at: isSame ? utc.seconds : value.floorDivided(by: 1000)) {
          record.note(.dateMismatch, wall.index)
        }
        rows.setText(date.rawValue, isPacific: true, TextDate())
      }
    }
  }

  /// The seconds since 1970 UTC of a Pacific text that is all there is of a date.
  private func readPacific(_ wall: TextDate) -> Int64 {
    let utc = daylight.seconds(ofPacific: wall.seconds)
    let isRepeated = daylight.agrees(wall.seconds, at: utc) && daylight.agrees(wall.seconds, at: utc + 3600)
    let isSkipped = !daylight.agrees(wall.seconds, at: utc)
    record.note(isSkipped ? .skippedHour : isRepeated ? .repeatedHour : .pacificDateOnly, wall.index)
    return utc
  }

  /// The `_ms` field first, then the other names in the order of `LegacyKey`.
  private func settleDigits(_ row: Int) {
    for (date, milliseconds, index) in pending.digits.sorted(by: { isBetter($0.index, than: $1.index, record.tape) }) {
      let value = record.rows.instant(row, date)
      if value == LegacyRows.noInstant {
        record.rows.setInstant(row, date, milliseconds, from: index)
      } else if value != milliseconds {
        record.note(.dateMismatch, index)
      }
    }
    pending.digits.removeAll(keepingCapacity: true)
  }

  private func settleDoubles(_ row: Int) {
    for (date, isPacific, text) in pending.doubles {
      guard let date = LegacyInstant(rawValue: date), let value = record.instant(row, date) else { continue }
      let seconds = value.floorDivided(by: 1000)
      let agrees = isPacific ? daylight.agrees(text.seconds, at: seconds) : text.seconds == seconds
      if !agrees { record.note(.dateMismatch, text.index) }
    }
    pending.doubles.removeAll(keepingCapacity: true)
  }
}
