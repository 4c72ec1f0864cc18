@_spi(Slipcast) public import SlipcastWire

/// The kind of a legacy record.
public enum LegacyForm: String, Hashable, Sendable {
  /// A version 1 server notification (`responseBodyV1`).
  case notification
  /// A verifyReceipt response, iOS 7 or iOS 6 style.
  case verifyReceipt
}

/// One legacy record: its objects as rows over the tape.
///
/// One `LegacyReader` refills it for each record; it is valid until the reader reads the next one.
@_spi(Slipcast) @dynamicMemberLookup public final class LegacyRecord {
  /// Its objects.
  public let rows = LegacyRows()
  // Unchecked exclusivity: a record belongs to one thread; its reader writes, and only then others read. The parts are
  // read by path because the attribute does not cover direct access from other modules.
  @exclusivity(unchecked) @usableFromInline var parts: LegacyParts
  /// A part of the record.
  @inlinable @inline(__always)
  public subscript<Part>(dynamicMember path: KeyPath<LegacyParts, Part>) -> Part { parts[keyPath: path] }

  init(tape: JSONTape) { parts = LegacyParts(tape: tape) }

  func note(_ drift: LegacyDrift, _ index: Int) { parts.findings.append(LegacyFinding(drift, index)) }

  /// Notes a value that is there and cannot be read.
  func noteUnreadable(_ drift: LegacyDrift, _ row: Int, _ key: LegacyKey, at index: Int) {
    note(drift, index)
    parts.unreadable.insert(LegacyUnreadable(row: row, key: key))
  }

  // MARK: what cannot be read

  /// A value is there under the key, and cannot be read; so it is neither absent nor false.
  ///
  /// Empty strings and nulls are absent. A date of which another spelling can be read is known.
  public func isUnreadable(_ row: Int, _ key: LegacyKey) -> Bool {
    guard !parts.unreadable.isEmpty else { return false }
    if let date = LegacyInstant.of(key) { return isUnreadable(row, date) }
    return parts.unreadable.contains(LegacyUnreadable(row: row, key: key))
  }

  /// A date is there in some spelling, and none of them can be read as a date of this century.
  public func isUnreadable(_ row: Int, _ date: LegacyInstant) -> Bool {
    guard !parts.unreadable.isEmpty else { return false }
    if let value = instant(row, date), LegacyInstant.plausible.contains(value) { return false }
    return date.keys.contains { parts.unreadable.contains(LegacyUnreadable(row: row, key: $0)) }
  }

  // MARK: values of a row

  /// The text of a string or number; `nil` when absent, null, empty or of another kind.
  @inlinable
  public func text(_ row: Int, _ key: LegacyKey) -> JSONText? {
    let index = rows.slot(row, key)
    return index == 0 ? nil : text(at: index)
  }

  /// The text of the value at an index on the tape; of an identifier that is a JSON number, its whole part.
  @inlinable @inline(__always)
  public func text(at index: Int) -> JSONText? {
    let entry = parts.tape[index]
    if entry.kind == .string { return parts.tape.text(of: entry) }
    return entry.kind == .number ? numberText(entry) : nil
  }

  @usableFromInline func numberText(_ entry: JSONEntry) -> JSONText {
    let text = parts.tape.text(of: entry)
    guard !LegacyNumber.isDigits(text), LegacyKey.identifiers.contains(entry.key) else { return text }
    return LegacyNumber.beforeZeros(text) ?? text
  }

  /// A whole number in either form.
  @inlinable
  public func integer(_ row: Int, _ key: LegacyKey) -> Int64? {
    let index = rows.slot(row, key)
    guard index != 0 else { return nil }
    switch parts.tape[index].kind {
    case .true: return 1
    case .false: return 0
    case .string, .number: return LegacyNumber.integer(parts.tape.text(index))
    default: return nil
    }
  }

  /// A flag in any of its forms.
  @inlinable
  public func flag(_ row: Int, _ key: LegacyKey) -> Bool? {
    let index = rows.slot(row, key)
    guard index != 0 else { return nil }
    switch parts.tape[index].kind {
    case .true: return true
    case .false: return false
    case .string, .number: return LegacyNumber.flag(parts.tape.text(index))
    default: return nil
    }
  }

  /// Milliseconds since 1970 UTC, or `nil`.
  @inlinable
  public func instant(_ row: Int, _ date: LegacyInstant) -> Int64? {
    let value = rows.instant(row, date)
    return value == LegacyRows.noInstant ? nil : value
  }

  /// The dotted path of a value, starting at the record's own object.
  public func path(_ index: Int) -> JSONPath {
    let full = JSONPath(tape: parts.tape, index: index)
    guard parts.root != 0 else { return full }
    return JSONPath(Array(full.steps.dropFirst(JSONPath(tape: parts.tape, index: parts.root).steps.count)))
  }
}

/// The parts of a record: rows by their numbers.
@_spi(Slipcast) public struct LegacyParts {
  /// The kind of the record.
  public internal(set) var form: LegacyForm = .notification
  /// The record's JSON.
  public internal(set) var tape: JSONTape
  /// The index of the record's object on the tape: 0, or that of a wrapped body.
  public internal(set) var root: Int = 0
  /// The body of the notification or the verifyReceipt response.
  public internal(set) var body: Int = 0
  /// The row of `unified_receipt`.
  public internal(set) var unifiedReceipt: Int?
  /// The `receipt` of a response.
  public internal(set) var receipt: Int?
  /// `unified_receipt.latest_receipt_info`, or that of a response.
  public internal(set) var transactions: Range<Int> = 0..<0
  /// A flat object came in the place of the list; it marks no upgrades and shows no history.
  public internal(set) var isListFlat: Bool = false
  /// The flat object of a notification from before March 2021, or of an iOS 6 style response.
  public internal(set) var flat: Int?
  /// True when the flat object came as `latest_expired_receipt_info`.
  public internal(set) var flatIsExpired: Bool = false
  /// `latest_expired_receipt_info` stands next to `latest_receipt_info`, and was not read.
  public internal(set) var isExpiredUnused: Bool = false
  /// `receipt.in_app`.
  public internal(set) var inApp: Range<Int> = 0..<0
  /// `pending_renewal_info`.
  public internal(set) var renewals: Range<Int> = 0..<0
  /// The findings about it, in the order of reading.
  public internal(set) var findings: [LegacyFinding] = []
  /// The values of rows that are there and cannot be read.
  public internal(set) var unreadable: Set<LegacyUnreadable> = []
  /// The lists of which a part cannot be read: its rows are not all that it said.
  public internal(set) var damagedLists: LegacyLists = []

  init(tape: JSONTape) { self.tape = tape }
}

/// A value that is there and cannot be read.
@_spi(Slipcast) public struct LegacyUnreadable: Hashable, Sendable {
  /// The row that holds it.
  public let row: Int
  /// Its key.
  public let key: LegacyKey
}

/// The lists of a record, as a set.
@_spi(Slipcast) public struct LegacyLists: OptionSet, Hashable, Sendable {
  /// One bit for each list.
  public let rawValue: UInt8

  /// Creates a set of lists.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `latest_receipt_info` and its variants.
  public static let transactions = LegacyLists(rawValue: 1)
  /// `receipt.in_app`.
  public static let inApp = LegacyLists(rawValue: 2)
  /// `pending_renewal_info`.
  public static let renewals = LegacyLists(rawValue: 4)
}

/// Numbers and flags inside legacy strings.
@_spi(Slipcast) public enum LegacyNumber {
  /// Decimal digits with an optional sign, exact within 64 bits; a whole number written `1.0` counts too.
  public static func integer(_ text: JSONText) -> Int64? {
    var index = 0
    let negative = text.count > 0 && text[0] == UInt8(ascii: "-")
    if negative { index = 1 }
    guard text.count > index, text.count - index <= 19 else { return nil }
    if text.count == 13, isDigits(text) { return thirteenDigits(text) }
    var value: Int64 = 0
    while index < text.count {
      let digit = Int64(text[index]) &- 48
      if UInt64(bitPattern: digit) > 9 {
        return zeroFraction(text, from: index, after: negative ? 1 : 0) ? signed(value, negative) : nil
      }
      // Counted downwards, because the least integer has no positive counterpart.
      let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.subtractingReportingOverflow(digit)
      if overflow || carry { return nil }
      value = sum
      index += 1
    }
    return signed(value, negative)
  }

  private static func signed(_ downwards: Int64, _ negative: Bool) -> Int64? {
    if negative { return downwards }
    return downwards == .min ? nil : -downwards
  }

  /// Current milliseconds have thirteen digits; they cannot overflow.
  ///
  /// The first eight and the last eight digits are read at once; three of them overlap.
  @inline(__always)
  static func thirteenDigits(_ text: JSONText) -> Int64 {
    eightDigits(text, 0) / 1000 &* 100_000_000 &+ eightDigits(text, 5)
  }

  /// Neighbors become numbers of two digits, then of four, then one of eight.
  @inline(__always)
  private static func eightDigits(_ text: JSONText, _ at: Int) -> Int64 {
    var word = text.word(at)
    word = ((word & 0x0F0F_0F0F_0F0F_0F0F) &* (10 << 8 | 1)) >> 8
    word = ((word & 0x00FF_00FF_00FF_00FF) &* (100 << 16 | 1)) >> 16
    word = ((word & 0x0000_FFFF_0000_FFFF) &* (10_000 << 32 | 1)) >> 32
    return Int64(truncatingIfNeeded: word)
  }

  private static func zeroFraction(_ text: JSONText, from index: Int, after start: Int) -> Bool {
    guard index > start, text[index] == UInt8(ascii: "."), index + 1 < text.count else { return false }
    return (index + 1..<text.count).allSatisfy { text[$0] == UInt8(ascii: "0") }
  }

  /// What quantities, reasons and intents can be: V2 has 32 bits for them, and none is negative.
  package static let small: ClosedRange<Int64> = 0...Int64(Int32.max)

  /// The digits of an identifier that is written as a number with a fraction of zeros, such as `1001.0`.
  ///
  /// Software that writes one reads numbers as Double: beyond 2^53 it may have rounded the identifier.
  static func beforeZeros(_ text: JSONText) -> JSONText? {
    guard let value = integer(text), value < 1 << 53, let point = text.buffer.firstIndex(of: UInt8(ascii: ".")),
      text[0] != UInt8(ascii: "-")
    else { return nil }
    return JSONText(base: text.base, count: point, isVerbatim: true)
  }

  /// `true`, `1`, `false`, `0`.
  public static func flag(_ text: JSONText) -> Bool? {
    switch text.count {
    case 1: text[0] == UInt8(ascii: "1") ? true : text[0] == UInt8(ascii: "0") ? false : nil
    case 4: text == "true" ? true : nil
    case 5: text == "false" ? false : nil
    default: nil
    }
  }

  /// True for decimal digits only.
  public static func isDigits(_ text: JSONText) -> Bool {
    if text.count >= 8 { return areManyDigits(text) }
    var bad: UInt8 = text.count == 0 ? 1 : 0
    for index in 0..<text.count { bad |= (text[index] &- 48) > 9 ? 1 : 0 }
    return bad == 0
  }

  /// True for eight decimal digits or more, as nearly all identifiers have.
  static func areManyDigits(_ text: JSONText) -> Bool {
    guard text.count >= 8 else { return false }
    var at = 0
    while at + 8 < text.count {
      if !isEightDigits(text, at) { return false }
      at += 8
    }
    return isEightDigits(text, text.count - 8)
  }

  /// Eight bytes at once: each is 0x30 to 0x39 exactly when its high half is 3, also after adding 6.
  @inline(__always)
  private static func isEightDigits(_ text: JSONText, _ at: Int) -> Bool {
    let word = text.word(at)
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let threes: UInt64 = 0x3030_3030_3030_3030
    return word & high == threes && (word &+ 0x0606_0606_0606_0606) & high == threes
  }
}
