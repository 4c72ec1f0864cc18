@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastV2
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

/// Why a V1 value or object has its fate.
enum UnmappedReason: UInt8, CaseIterable {
  case undocumented, noRule, noPlace, otherOutput, empty, duplicateKey, sameDate, otherDate, sameValue, saysNo
  case anotherValueCounts, notTold, unreadable, noLineItem, noObject
  // Objects that the output does not describe.
  case ofPurchases, renewalOfHistory, otherRenewal, otherRenewalOfEvent, notNewest, listedTwice, otherTransaction
  case listedDifferently, renewalListedAgain, renewalUnassigned

  /// The reason in words; for `noPlace` and `unreadable` the beginning.
  var words: String {
    switch self {
    case .undocumented: "Apple documents no such key here"
    case .noRule: "no rule for this key"
    case .noPlace: "V2 has no place for it"
    case .otherOutput: "another output of this record has a field for it"
    case .empty: "empty or null: counts as absent"
    case .duplicateKey: "the same key follows again in this object; the last one counts"
    case .sameDate: "another spelling of the same date"
    case .otherDate: "a second spelling of a date, and another instant; V2 has the instant of the _ms key"
    case .sameValue: "another key has the same value"
    case .saysNo: "false, the same as absent"
    case .anotherValueCounts: "another value counts, or it is only part of the field's value"
    case .notTold: "V2 has no such field in this record"
    case .unreadable: "cannot be read: expected "
    case .noObject: "cannot be read: expected an object"
    case .noLineItem: "0 stands for no line item: counts as absent"
    case .ofPurchases: "a purchase or a renewal; convert --emit history and statuses write them"
    case .renewalOfHistory: "a history has no renewals; convert --emit statuses writes them"
    case .otherRenewal: "the renewal of another subscription"
    case .otherRenewalOfEvent: "the renewal of another subscription; convert --emit statuses writes all"
    case .notNewest: "not the newest period; convert --emit history writes all"
    case .listedTwice: "listed twice; written once"
    case .listedDifferently: "listed again with other values; those of the other entry count"
    case .renewalListedAgain: "another entry of the same renewal; the other one counts"
    case .renewalUnassigned:
      "a renewal entry that may be of several subscriptions, or one of several of the same renewal; none counts"
    case .otherTransaction: "not the event's transaction; convert --emit history writes all"
    }
  }
}

extension AccountEntries {
  /// A V1 value or object that no V2 field was made from.
  struct Unmapped {
    /// Its place on the tape.
    let index: UInt32
    /// The row whose member it is, or its own row for an object as a whole.
    let row: Int
    /// The index of the rule about its conversion; less than 0 for none.
    let rule: Int16
    let fate: ValueFate
    let reason: UnmappedReason
    /// For a repeated value the place in `objects` of the one that holds it.
    let holder: Int?

    /// The output does not describe the object, whatever it holds.
    var isWholeObject: Bool { reason.rawValue >= UnmappedReason.ofPurchases.rawValue }
  }

  struct Fate {
    let fate: ValueFate
    let reason: UnmappedReason
    var holder: Int?
    /// The rule of the value that holds it, where it is another one than that of the key.
    var rule: Int16?

    init(_ fate: ValueFate, _ reason: UnmappedReason, holder: Int? = nil) {
      (self.fate, self.reason, self.holder) = (fate, reason, holder)
    }
  }

  /// A V1 value with what Apple documents there and the rule about its conversion.
  fileprivate struct Statement {
    let index: Int
    let row: Int
    let key: LegacyKey
    let kind: LegacyKind?
    let number: Int
    let rule: AccountRule
  }

  // MARK: listing

  /// Lists the members of the rows in use that gave no V2 value.
  mutating func listUnmapped() {
    for row in rows {
      let (origin, start) = (record.rows.origin(row), unmapped.count)
      let (scope, end) = (builder.scope(of: row), Int(tape[origin].nextOrSide))
      var child = origin + 1
      while child < end {
        appendMember(child, of: row, scope)
        child = tape.after(child)
      }
      note(unmapped: start..<unmapped.count, of: row)
    }
  }

  private mutating func appendMember(_ index: Int, of row: Int, _ scope: LegacyScope) {
    let entry = tape[index]
    if isUsed(index) {
      // A container as an id: a V2 value was concluded from it, though it cannot be read itself.
      if entry.kind == .string || entry.kind == .number { return }
      guard let key = LegacyKey(entry), !key.holdsRows, fate(of: index, in: row, scope).fate == .unreadable
      else { return }
    } else if entry.kind == .object || entry.kind == .array, LegacyKey(entry)?.holdsRows == true, hasRows(index) {
      return appendStrays(of: index, row)
    }
    let (note, fate) = (accounts.lossNote(entry.key, in: scope, form), fate(of: index, in: row, scope))
    var holder = fate.holder
    if fate.fate == .repeated, holder == nil, note >= 0 { holder = holderOfAbsence(Int(note), row: row) }
    unmapped.append(
      Unmapped(
        index: UInt32(truncatingIfNeeded: index), row: row, rule: fate.rule ?? note, fate: fate.fate,
        reason: fate.reason, holder: holder))
  }

  /// Elements of a list of objects that are not objects.
  private mutating func appendStrays(of list: Int, _ row: Int) {
    guard tape[list].kind == .array else { return }
    for child in tape.children(of: list) where tape[child].kind != .object || tape[child].length == 0 {
      let isEmpty = tape[child].kind == .object || tape[child].kind == .null
      unmapped.append(
        Unmapped(
          index: UInt32(truncatingIfNeeded: child), row: row, rule: AccountRules.LossNote.withoutRule,
          fate: isEmpty ? .repeated : .unreadable, reason: isEmpty ? .empty : .noObject, holder: nil))
    }
  }

  /// Lists an object that the output does not describe: one entry, whatever it holds.
  mutating func appendOther(_ row: Int) {
    let isRenewal = record.renewals.contains(row)
    let isOfAnswer = record.form == .verifyReceipt
    let other = isRenewal ? renewal(of: row) : nil
    let twin = isRenewal ? other.flatMap { describing($0) } : form == .statuses ? nil : twin(of: row)
    let isRepeated = twin.map { record.isRepeat(row, of: objects[$0].owner) } ?? true
    let reason: UnmappedReason =
      switch (isOfAnswer, isRenewal, form) {
      case (_, _, .appTransaction): .ofPurchases
      case (_, true, _) where isUnassigned(row): .renewalUnassigned
      case (_, true, _) where other != nil: isRepeated ? .listedTwice : .renewalListedAgain
      case (_, false, .history): isRepeated ? .listedTwice : .listedDifferently
      case (true, true, .history): .renewalOfHistory
      case (true, true, _): .otherRenewal
      case (true, false, _): .notNewest
      case (false, true, _): .otherRenewalOfEvent
      case (false, false, _) where twin != nil && isRepeated: .listedTwice
      case (false, false, _): .otherTransaction
      }
    let fate: ValueFate =
      switch reason {
      case .listedTwice: .repeated
      case .listedDifferently, .renewalListedAgain, .renewalUnassigned: .lost
      default: .elsewhere
      }
    unmapped.append(
      Unmapped(
        index: UInt32(truncatingIfNeeded: record.rows.origin(row)), row: row, rule: AccountRules.LossNote.withoutRule,
        fate: fate, reason: reason, holder: fate == .repeated ? twin : nil))
  }

  /// A renewal entry that was given to no subscription, because several fit.
  private func isUnassigned(_ row: Int) -> Bool {
    builder.unassignedRenewals.contains(row)
  }

  /// The entry from which the output has the renewal of that original transaction and product.
  private func renewal(of row: Int) -> Int? {
    guard let original = record.text(row, .original_transaction_id) else { return nil }
    // A notification has one renewal.
    let other = builder.assignedRenewals.map { $0[original] } ?? objects.first { $0.part == .renewal }?.owner
    guard let other, other >= 0, other != row, isDescribed(other),
      record.isSame(.original_transaction_id, in: row, and: other) == true,
      record.isSame(.product_id, in: row, and: other) != false
    else { return nil }
    return other
  }

  // MARK: judging

  private func fate(of index: Int, in row: Int, _ scope: LegacyScope) -> Fate {
    let entry = tape[index]
    let note = accounts.lossNote(entry.key, in: scope, form)
    guard note != AccountRules.LossNote.undocumented, let key = LegacyKey(entry) else {
      return Fate(.lost, .undocumented)
    }
    guard note >= 0 else { return Fate(.lost, .noRule) }
    let rule = accounts.rules[Int(note)]
    if rule.relation == .legacyOnly { return spellingOfUsedDate(index, key, in: row) ?? Fate(.lost, .noPlace) }
    // No output has what was not read.
    if key == .latest_expired_receipt_info, record.isExpiredUnused { return Fate(.lost, .notTold) }
    if !rule.isWritten(in: form) { return Fate(.elsewhere, .otherOutput) }
    let slot = record.rows.slot(row, key)
    if slot == 0 { return fateOfUnused(index, key, isWritten: isWritten(Int(note), row: row)) }
    if slot != index { return Fate(.lost, .duplicateKey) }
    let value = Statement(
      index: index, row: row, key: key, kind: AccountRules.kind(entry.key, in: scope), number: Int(note), rule: rule)
    if value.kind?.isDate ?? false, let date = LegacyInstant.of(key) { return fate(of: value, date) }
    return fate(of: value)
  }

  /// The row has no value of the key.
  private func fateOfUnused(_ index: Int, _ key: LegacyKey, isWritten: Bool) -> Fate {
    if unreadable.contains(index) { return Fate(isWritten ? .lost : .unreadable, .unreadable) }
    let isZero = key == .web_order_line_item_id && tape[index].kind != .null && tape[index].length > 0
    return Fate(.repeated, isZero ? .noLineItem : .empty)
  }

  /// Another spelling of a date that gave a V2 value all the same.
  private func spellingOfUsedDate(_ index: Int, _ key: LegacyKey, in row: Int) -> Fate? {
    guard let date = LegacyInstant.of(key), !mismatches.contains(index), !unreadable.contains(index) else { return nil }
    let source = record.rows.source(row, date)
    guard source != index, source != 0, isUsed(source), record.rows.slot(row, key) == index else { return nil }
    guard let (holder, rule) = holder(ofSource: source) else { return nil }
    var fate = Fate(.repeated, .sameDate, holder: holder)
    fate.rule = Int16(truncatingIfNeeded: rule)
    return fate
  }

  private func fate(of value: Statement, _ date: LegacyInstant) -> Fate {
    let instant = record.instant(value.row, date)
    let source = record.rows.source(value.row, date)
    if source != value.index, !isReadableDate(value) {
      let isDecisive =
        instant == nil ? !isWritten(value.number, row: value.row) : isInPlace(of: value, source: source)
      return Fate(isDecisive ? .unreadable : .lost, .unreadable)
    }
    guard let instant else { return Fate(.lost, .notTold) }
    if mismatches.contains(value.index) { return Fate(.lost, .otherDate) }
    let holder = holder(of: value.number, row: value.row) { $0.kind == .integer && $0.integer == instant }
    if let holder { return Fate(.repeated, source == value.index ? .sameValue : .sameDate, holder: holder) }
    return Fate(.lost, isWritten(value.number, row: value.row) ? .anotherValueCounts : .notTold)
  }

  /// A text date was read because the milliseconds next to it cannot be read: V2's field depends on a second spelling.
  private func isInPlace(of value: Statement, source: Int) -> Bool {
    guard value.isMilliseconds, !isMilliseconds(source) else { return false }
    return !isWritten(value.number, row: value.row)
      || holder(of: value.number, row: value.row) { Int($0.source) == source } != nil
  }

  private func isReadableDate(_ value: Statement) -> Bool {
    let entry = tape[value.index]
    return (entry.kind == .string || entry.kind == .number) && !unreadable.contains(value.index)
  }

  /// The value that an instant was read from is a number of milliseconds, not a text date.
  private func isMilliseconds(_ source: Int) -> Bool {
    source != 0 && LegacyNumber.integer(tape.text(source)) != nil
  }

  private func fate(of value: Statement) -> Fate {
    let entry = tape[value.index]
    let isContainer = entry.kind == .object || entry.kind == .array
    if value.kind == .object || value.kind == .objects, isContainer {
      return entry.length == 0 ? Fate(.repeated, .empty) : Fate(.lost, .notTold)
    }
    guard isReadable(value, isContainer: isContainer) else {
      return Fate(isWritten(value.number, row: value.row) ? .lost : .unreadable, .unreadable)
    }
    if value.rule.offIsAbsent, value.kind?.isFlag ?? false, builder.flag(value.index) == false {
      return Fate(.repeated, .saysNo)
    }
    let relation = relation(value.number, value.index)
    if relation != .narrowed, relation != .widened {
      // The closure must not capture these entries: each time it would copy all of them.
      let holder = holder(of: value.number, row: value.row) { [builder] in Self.holds($0, value, builder) }
      if let holder { return Fate(.repeated, .sameValue, holder: holder) }
    }
    return Fate(.lost, isWritten(value.number, row: value.row) ? .anotherValueCounts : .notTold)
  }

  private func isReadable(_ value: Statement, isContainer: Bool) -> Bool {
    if isContainer || value.kind == .object || value.kind == .objects { return false }
    let index = value.index
    switch value.rule.reading {
    case .flag: return builder.flag(index) != nil
    case .integer: return builder.integer(index).map(LegacyNumber.small.contains) ?? false
    case .appAppleId: return builder.integer(index).map { $0 >= 0 } ?? false
    case .uuid: return builder.textCell(index)?.text.map { UUIDText.isValid($0.buffer.span) } ?? false
    case .text, .date, .environment, .several: break
    }
    switch value.kind {
    case .flagWord, .flagDigit, .boolean: return builder.flag(index) != nil
    case .integer, .number: return builder.integer(index) != nil
    default: return builder.textCell(index) != nil
    }
  }

  /// A V2 value is what the rule makes of a V1 value.
  private static func holds(_ cell: Cell, _ value: Statement, _ builder: RecordBuilder) -> Bool {
    switch value.rule.reading {
    case .flag: return builder.flag(value.index).map { ($0 ? 1 : 0) == cell.integer } ?? false
    case .integer, .appAppleId: return builder.integer(value.index).map { $0 == cell.integer } ?? false
    case .text, .date, .uuid, .environment, .several: break
    }
    guard let text = builder.textCell(value.index)?.text, let own = cell.text else { return false }
    return switch value.rule.reading {
    case .environment: (Transform.environmentName(text)?.text ?? text) == own
    case .uuid: text == own || UUIDText.isSame(text.string, own.string)
    default: text == own
    }
  }

  // MARK: words

  func words(_ value: Unmapped) -> String {
    switch value.reason {
    case .noPlace where value.rule >= 0: compiled.rules.fields[Int(value.rule)].reasonOfLoss
    case .unreadable: value.reason.words + expectation(value)
    case .duplicateKey where builder.known.input.isOfAttributes:
      "another attribute of this type comes first; that one counts"
    default: value.reason.words
    }
  }

  private func expectation(_ value: Unmapped) -> String {
    if let words = expectationOfAttribute(value) { return words }
    let reading = value.rule < 0 ? .several : accounts.rules[Int(value.rule)].reading
    let kind = AccountRules.kind(tape[Int(value.index)].key, in: builder.scope(of: value.row))
    return switch reading {
    case .flag: "a flag: 1, 0, true or false"
    case .integer: "a whole number of 32 bits"
    case .uuid: "a UUID"
    case .appAppleId: "a whole number"
    case .text, .date, .environment, .several: kind?.expectation ?? "a string"
    }
  }
}

extension AccountEntries.Statement {
  fileprivate var isMilliseconds: Bool { kind == .milliseconds || kind == .millisecondsOrGreenwich }
}

extension LegacyKind {
  fileprivate var isDate: Bool {
    switch self {
    case .milliseconds, .greenwich, .pacific, .millisecondsOrGreenwich: true
    default: false
    }
  }

  fileprivate var isFlag: Bool { self == .flagWord || self == .flagDigit || self == .boolean }

  var expectation: String {
    switch self {
    case .text: "a string"
    case .identifier: "a string of decimal digits"
    case .eitherIdentifier: "an identifier in decimal digits"
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
