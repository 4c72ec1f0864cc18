internal import SlipcastWire

/// JSON's grammar inside a top-level array, byte by byte: what may come next, and which brackets are open.
///
/// Escapes, numbers and words are not checked: the reader of records does that.
struct ArrayGrammar: Hashable, Sendable {
  enum Expected: Int, Sendable {
    case value, valueOrClose, key, keyOrClose, colon, separator, scalar
  }

  static let object = UInt8(ascii: "{")
  static let array = UInt8(ascii: "[")
  /// Deeper text is not a record.
  static let deepest = WholeObject.deepest

  /// The open brackets, the array's own first.
  var brackets: [UInt8] = []
  var expected = Expected.value
  var isInString = false
  var isEscaped = false

  var depth: Int { brackets.count }
  /// A value may start here, for example an object.
  var mayBeginValue: Bool { !isInString && (expected == .value || expected == .valueOrClose) }
  var mayBeginItem: Bool { depth == 1 && mayBeginValue }
  /// The current item is an array, which may be the array's own bracket twice.
  var isDoubled: Bool { depth == 2 && brackets.last == Self.array && expected == .valueOrClose }

  mutating func endString() { (isInString, isEscaped) = (false, false) }

  /// Forgets all that is open inside of the array.
  mutating func beginItem() {
    brackets.removeLast(max(depth - 1, 0))
    expected = .valueOrClose
    endString()
  }

  /// Processes a byte; false, without any change, when JSON does not allow it here.
  mutating func accept(_ byte: UInt8) -> Bool {
    if isInString { return acceptInString(byte) }
    switch byte {
    case 0x20, 0x0A, 0x0D, 0x09: if expected == .scalar { expected = .separator }
    case UInt8(ascii: "\""): return beginString()
    case Self.object, Self.array:
      guard mayBeginValue, depth < Self.deepest else { return false }
      brackets.append(byte)
      expected = byte == Self.object ? .keyOrClose : .valueOrClose
    case UInt8(ascii: "}"): return closes(Self.object, .keyOrClose)
    case UInt8(ascii: "]"): return closes(Self.array, .valueOrClose)
    case UInt8(ascii: ":"):
      guard expected == .colon else { return false }
      expected = .value
    case UInt8(ascii: ","):
      guard expected == .separator || expected == .scalar else { return false }
      expected = brackets.last == Self.object ? .key : .value
    default:
      guard mayBeginValue || expected == .scalar else { return false }
      expected = .scalar
    }
    return true
  }

  private mutating func acceptInString(_ byte: UInt8) -> Bool {
    if byte == 0x0A { return false }
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
    return true
  }

  private mutating func beginString() -> Bool {
    switch expected {
    case .key, .keyOrClose: expected = .colon
    case .value, .valueOrClose: expected = .separator
    case .colon, .separator, .scalar: return false
    }
    isInString = true
    return true
  }

  private mutating func closes(_ bracket: UInt8, _ empty: Expected) -> Bool {
    guard depth > 1, brackets.last == bracket, expected == empty || expected == .separator || expected == .scalar else {
      return false
    }
    brackets.removeLast()
    expected = .separator
    return true
  }
}
