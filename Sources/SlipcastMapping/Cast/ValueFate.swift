@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// What becomes of a V1 value or object that no V2 field was made from.
package enum ValueFate: UInt8, Sendable {
  /// V2 cannot hold it.
  case lost
  /// A V2 field, or the absence of one, holds the same value.
  case repeated
  /// Other messages, or another output of the same record, report it.
  case elsewhere
  /// It cannot be read, and no other V1 value takes its place.
  case unreadable
}

/// A V1 value that no V2 field was made from: its fate and why.
struct RemainingValue {
  /// Why a value has its fate; accounts put it into words.
  enum Reason {
    case undocumented, noRule, noPlace, otherOutput, empty, duplicateKey, sameDate, otherDate, sameValue, saysNo
    case anotherValueCounts, notTold, unreadable
  }

  let fate: ValueFate
  let reason: Reason
  /// The place in `WrittenCells.entries` of the V2 value that holds it; `nil` where an absence does.
  var holder: Int?

  init(_ fate: ValueFate, _ reason: Reason, holder: Int? = nil) {
    (self.fate, self.reason, self.holder) = (fate, reason, holder)
  }
}

/// The V2 values of one output with the V1 rows that their objects describe.
struct WrittenCells {
  struct Entry {
    let cell: Cell
    /// The row of the transaction or renewal; less than 0 for an object that describes the whole record.
    let owner: Int
  }

  private(set) var entries: [Entry] = []
  private var owners: [Int] = []

  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    owners.removeAll(keepingCapacity: true)
  }

  mutating func append(_ cell: Cell, owner: Int) {
    entries.append(Entry(cell: cell, owner: owner))
    if owner >= 0, !owners.contains(owner) { owners.append(owner) }
  }

  /// The place of the first value that a rule made for the object of a row, or for any object when the row has none of
  /// its own.
  func first(of rule: Int, row: Int, where holds: (Cell) -> Bool) -> Int? {
    let isOwner = owners.contains(row)
    for place in entries.indices {
      let entry = entries[place]
      guard Int(entry.cell.rule) == rule, entry.owner < 0 || entry.owner == row || !isOwner else { continue }
      if holds(entry.cell) { return place }
    }
    return nil
  }

  /// A rule made a value for the object of a row, or for any object when the row has none of its own.
  func has(_ rule: Int, row: Int) -> Bool { first(of: rule, row: row) { _ in true } != nil }
}

extension Caster {
  /// The row that an object of V2 describes; -1 for objects that describe the whole record.
  func owner(ofFamily family: String) -> Int {
    switch family {
    case "transaction": state.current.map { state.periods[$0].row } ?? -1
    case "renewal": state.renewalEntry
    default: -1
    }
  }

  /// What becomes of an object that the output does not describe.
  func fate(ofOther row: Int, _ form: CompiledRules.LossForm) -> ValueFate {
    let isListedTwice = form == .receipt && state.record.form == .verifyReceipt && !state.record.renewals.contains(row)
    return isListedTwice ? .repeated : .elsewhere
  }

  /// What a V1 value should look like, for a message about one that cannot be read.
  func expectation(_ kind: LegacyKind?, _ rule: FieldRule?) -> String {
    switch rule?.using {
    case "flag", "flagNumber", "trueOnly", "priceIncreaseStatus":
      "a flag: 1, 0, true or false"
    case "integer", "quantity", "revocationReason": "a whole number of 32 bits"
    case "uuid", "purchaserToken": "a UUID"
    case "appAppleId": "a whole number"
    default: kind?.expectation ?? "a string"
    }
  }

  /// What becomes of a value in one of the rows that the output describes.
  func remaining(
    _ index: Int, row: Int, scope: LegacyScope, form: CompiledRules.LossForm, written: WrittenCells
  ) -> RemainingValue {
    let note = lossNote(index, scope, form)
    guard note != CompiledRules.LossNote.undocumented,
      let key = LegacyKey(rawValue: UInt8(truncatingIfNeeded: state.record.tape[index].key))
    else { return RemainingValue(.lost, .undocumented) }
    guard note >= 0 else { return RemainingValue(.lost, .noRule) }
    let rule = compiled.rules.fields[Int(note)]
    if rule.relation == .legacyOnly { return RemainingValue(.lost, .noPlace) }
    if !form.writes(rule.family) { return RemainingValue(.elsewhere, .otherOutput) }
    let slot = state.record.rows.slot(row, key)
    if slot == 0 { return RemainingValue(.repeated, .empty) }
    if slot != index { return RemainingValue(.lost, .duplicateKey) }
    let value = Statement(index: index, row: row, key: key, kind: CompiledRules.kinds[scope.number][Int(key.rawValue)])
    if let date = LegacyInstant.of(key), value.kind?.isDate ?? false {
      return remaining(value, of: date, rule: Int(note), written)
    }
    return remaining(value, rule, Int(note), written)
  }

  /// A V1 value with its place and what Apple documents there.
  private struct Statement {
    let index: Int
    let row: Int
    let key: LegacyKey
    let kind: LegacyKind?
  }

  // MARK: dates

  private func remaining(
    _ value: Statement, of date: LegacyInstant, rule: Int, _ written: WrittenCells
  ) -> RemainingValue {
    let record = state.record
    let instant = record.instant(value.row, date)
    let source = record.rows.source(value.row, date)
    if source != value.index, !isReadableDate(value) {
      let isDecisive =
        instant == nil
        ? !written.has(rule, row: value.row) : isInPlace(of: value, source: source, rule: rule, written)
      return RemainingValue(isDecisive ? .unreadable : .lost, .unreadable)
    }
    guard let instant else { return RemainingValue(.lost, .notTold) }
    let isOther = record.findings.contains { $0.drift == .dateMismatch && Int($0.index) == value.index }
    if isOther { return RemainingValue(.lost, .otherDate) }
    let holder = written.first(of: rule, row: value.row) { $0.kind == .integer && $0.integer == instant }
    if let holder { return RemainingValue(.repeated, source == value.index ? .sameValue : .sameDate, holder: holder) }
    return RemainingValue(.lost, written.has(rule, row: value.row) ? .anotherValueCounts : .notTold)
  }

  /// A text date was read because the milliseconds next to it cannot be read: V2's field depends on a second spelling.
  private func isInPlace(of value: Statement, source: Int, rule: Int, _ written: WrittenCells) -> Bool {
    guard isMilliseconds(value), !isMilliseconds(source) else { return false }
    return !written.has(rule, row: value.row)
      || written.first(of: rule, row: value.row) { Int($0.source) == source } != nil
  }

  private func isReadableDate(_ value: Statement) -> Bool {
    let entry = state.record.tape[value.index]
    guard entry.kind == .string || entry.kind == .number && isMilliseconds(value) else { return false }
    let isMalformed = state.record.findings.contains { $0.drift == .malformedDate && Int($0.index) == value.index }
    // Milliseconds under a name for text dates are read all the same.
    return !isMalformed || !isMilliseconds(value) && LegacyNumber.integer(state.record.tape.text(of: entry)) != nil
  }

  private func isMilliseconds(_ value: Statement) -> Bool {
    value.kind == .milliseconds || value.kind == .millisecondsOrGreenwich
  }

  /// The value that an instant was read from is a number of milliseconds, not a text date.
  private func isMilliseconds(_ source: Int) -> Bool {
    source != 0 && LegacyNumber.integer(state.record.tape.text(source)) != nil
  }

  // MARK: other values

  private func remaining(
    _ value: Statement, _ rule: FieldRule, _ number: Int, _ written: WrittenCells
  ) -> RemainingValue {
    let entry = state.record.tape[value.index]
    let isContainer = entry.kind == .object || entry.kind == .array
    if value.kind == .object || value.kind == .objects, isContainer {
      return entry.length == 0 ? RemainingValue(.repeated, .empty) : RemainingValue(.lost, .notTold)
    }
    guard isReadable(value, rule, isContainer: isContainer) else {
      return RemainingValue(written.has(number, row: value.row) ? .lost : .unreadable, .unreadable)
    }
    let isFlag = value.kind.map { [.flagWord, .flagDigit, .boolean].contains($0) } ?? false
    if isFlag, rule.relation == .derived || rule.using == "trueOnly", state.flag(value.index) == false {
      return RemainingValue(.repeated, .saysNo)
    }
    let holder = written.first(of: number, row: value.row) { holds($0, value.index, rule) }
    let relation = relation(rule.comparing.relations, value.index) ?? rule.relation
    if let holder, relation != .narrowed, relation != .widened {
      return RemainingValue(.repeated, .sameValue, holder: holder)
    }
    return RemainingValue(.lost, written.has(number, row: value.row) ? .anotherValueCounts : .notTold)
  }

  private func isReadable(_ value: Statement, _ rule: FieldRule, isContainer: Bool) -> Bool {
    if isContainer || value.kind == .object || value.kind == .objects { return false }
    let index = value.index
    switch rule.using {
    case "flag", "flagNumber", "trueOnly", "priceIncreaseStatus": return state.flag(index) != nil
    case "integer", "quantity", "revocationReason": return state.integer(index).flatMap { Int32(exactly: $0) } != nil
    case "appAppleId": return state.integer(index) != nil
    case "uuid", "purchaserToken": return state.textCell(index)?.text.map { UUIDText.isValid($0.buffer) } ?? false
    default: break
    }
    switch value.kind {
    case .flagWord, .flagDigit, .boolean: return state.flag(index) != nil
    case .integer, .number: return state.integer(index) != nil
    default: return state.textCell(index) != nil
    }
  }

  /// A V2 value is what the rule makes of a V1 value.
  private func holds(_ cell: Cell, _ index: Int, _ rule: FieldRule) -> Bool {
    switch rule.using {
    case "flag", "flagNumber", "trueOnly", "priceIncreaseStatus":
      return state.flag(index).map { ($0 ? 1 : 0) == cell.integer } ?? false
    case "integer", "quantity", "revocationReason", "appAppleId":
      return state.integer(index).map { $0 == cell.integer } ?? false
    case "environment":
      guard let text = state.textCell(index)?.text, let own = cell.text else { return false }
      return (Transform.environmentName(text)?.text ?? text) == own
    default:
      guard let text = state.textCell(index)?.text, let own = cell.text else { return false }
      return text == own || ["uuid", "purchaserToken"].contains(rule.using) && UUIDText.isSame(text.string, own.string)
    }
  }

  // MARK: misread values

  /// True for a value that a V2 field was concluded from though it cannot be read itself: a container as an id.
  func isMisread(
    _ index: Int, row: Int, scope: LegacyScope, form: CompiledRules.LossForm, written: WrittenCells
  ) -> Bool {
    switch state.record.tape[index].kind {
    case .string, .number: return false
    default:
      guard let key = LegacyKey(rawValue: UInt8(truncatingIfNeeded: state.record.tape[index].key)), !key.holdsRows
      else { return false }
      return remaining(index, row: row, scope: scope, form: form, written: written).fate == .unreadable
    }
  }
}

extension LegacyKind {
  fileprivate var isDate: Bool {
    switch self {
    case .milliseconds, .greenwich, .pacific, .millisecondsOrGreenwich: true
    default: false
    }
  }

  /// What the kind looks like, for messages about values that cannot be read.
  var expectation: String {
    switch self {
    case .text: "a string"
    case .identifier: "a string of decimal digits"
    case .eitherNumber, .integer, .number: "a whole number"
    case .milliseconds: "milliseconds since 1970 UTC in decimal digits"
    case .greenwich: "a date like 2025-03-08 10:00:00 Etc/GMT"
    case .pacific: "a date like 2025-03-08 02:00:00 America/Los_Angeles"
    case .millisecondsOrGreenwich: "milliseconds since 1970 UTC or a date like 2025-03-08 10:00:00 Etc/GMT"
    case .flagWord, .flagDigit, .boolean: "a flag: 1, 0, true or false"
    case .uuid: "a UUID"
    case .object: "an object"
    case .objects: "an array of objects"
    case .secret: "a string"
    }
  }
}
