@_spi(Slipcast) public import SlipcastWire

/// What a legacy record is.
public enum LegacyForm: String, Hashable, Sendable {
  /// A version 1 server notification (`responseBodyV1`).
  case notification
  /// An answer of verifyReceipt, iOS 7 or iOS 6 style.
  case verifyReceipt
}

/// One legacy record, read: its objects as rows over the tape.
///
/// A record is filled again and again by one `LegacyReader`; it is valid until the reader reads the next one.
@_spi(Slipcast) public final class LegacyRecord {
  // Unchecked exclusivity: a record belongs to one thread; its reader writes, and only then others read.
  /// What the record is.
  @exclusivity(unchecked) public internal(set) var form = LegacyForm.notification
  /// The record's JSON.
  @exclusivity(unchecked) public internal(set) var tape: JSONTape
  /// Its objects.
  public let rows = LegacyRows()
  /// Where the record's object begins on the tape: 0, or the place of a wrapped body.
  @exclusivity(unchecked) public internal(set) var root = 0
  /// The body of the notification or the answer of verifyReceipt.
  @exclusivity(unchecked) public internal(set) var body = 0
  /// The row of `unified_receipt`.
  @exclusivity(unchecked) public internal(set) var unifiedReceipt: Int?
  /// The `receipt` of an answer.
  @exclusivity(unchecked) public internal(set) var receipt: Int?
  /// `unified_receipt.latest_receipt_info`, or that of an answer.
  @exclusivity(unchecked) public internal(set) var transactions = 0..<0
  /// The flat object of a notification from before March 2021, or of an iOS 6 style answer.
  @exclusivity(unchecked) public internal(set) var flat: Int?
  /// True when the flat object came as `latest_expired_receipt_info`.
  @exclusivity(unchecked) public internal(set) var flatIsExpired = false
  /// `receipt.in_app`.
  @exclusivity(unchecked) public internal(set) var inApp = 0..<0
  /// `pending_renewal_info`.
  @exclusivity(unchecked) public internal(set) var renewals = 0..<0
  /// What is unusual about it, in the order of reading.
  @exclusivity(unchecked) public internal(set) var findings: [LegacyFinding] = []

  init(tape: JSONTape) { self.tape = tape }

  // MARK: values of a row

  /// The text of a string or number; `nil` when absent, null, empty or of another kind.
  @inlinable
  public func text(_ row: Int, _ key: LegacyKey) -> JSONText? {
    let index = rows.slot(row, key)
    guard index != 0 else { return nil }
    let entry = tape[index]
    return entry.kind == .string || entry.kind == .number ? tape.text(of: entry) : nil
  }

  /// A whole number in either dress.
  @inlinable
  public func integer(_ row: Int, _ key: LegacyKey) -> Int64? {
    let index = rows.slot(row, key)
    guard index != 0 else { return nil }
    switch tape[index].kind {
    case .true: return 1
    case .false: return 0
    case .string, .number: return LegacyNumber.integer(tape.text(index))
    default: return nil
    }
  }

  /// A flag in any of its spellings.
  @inlinable
  public func flag(_ row: Int, _ key: LegacyKey) -> Bool? {
    let index = rows.slot(row, key)
    guard index != 0 else { return nil }
    switch tape[index].kind {
    case .true: return true
    case .false: return false
    case .string, .number: return LegacyNumber.flag(tape.text(index))
    default: return nil
    }
  }

  /// Milliseconds since 1970 UTC, or `nil`.
  @inlinable
  public func instant(_ row: Int, _ date: LegacyInstant) -> Int64? {
    let value = rows.instant(row, date)
    return value == LegacyRows.noInstant ? nil : value
  }

  /// The dotted path of a value, beginning at the record's own object.
  public func path(_ index: Int) -> JSONPath {
    let full = JSONPath(tape: tape, index: index)
    return root == 0 ? full : JSONPath(Array(full.steps.dropFirst(JSONPath(tape: tape, index: root).steps.count)))
  }
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

  /// Milliseconds of today have thirteen digits; they cannot overflow.
  @inline(__always)
  static func thirteenDigits(_ text: JSONText) -> Int64 {
    var value: Int64 = 0
    for index in 0..<13 { value = value &* 10 &+ Int64(text[index] &- 48) }
    return value
  }

  private static func zeroFraction(_ text: JSONText, from index: Int, after start: Int) -> Bool {
    guard index > start, text[index] == UInt8(ascii: "."), index + 1 < text.count else { return false }
    return (index + 1..<text.count).allSatisfy { text[$0] == UInt8(ascii: "0") }
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
    guard text.count >= 8 else {
      var bad: UInt8 = text.count == 0 ? 1 : 0
      for index in 0..<text.count { bad |= (text[index] &- 48) > 9 ? 1 : 0 }
      return bad == 0
    }
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
    let word = UnsafeRawPointer(text.base).loadUnaligned(fromByteOffset: at, as: UInt64.self)
    let high: UInt64 = 0xF0F0_F0F0_F0F0_F0F0
    let threes: UInt64 = 0x3030_3030_3030_3030
    return word & high == threes && (word &+ 0x0606_0606_0606_0606) & high == threes
  }
}
