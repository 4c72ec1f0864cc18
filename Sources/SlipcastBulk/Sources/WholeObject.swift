import SlipcastSystem

/// Finds the end of an object that keeps `ArrayGrammar`'s rules, with few instructions for each byte.
///
/// Whole objects are nearly all of an array: the careful scanner handles only what is broken or cut.
struct WholeObject {
  /// Whether the innermost brackets are those of objects, the last one in the lowest bit; outer ones are in `outer`.
  private var kinds: UInt64 = 0
  private var outer: [UInt64] = []
  private var depth = 0

  /// The position after an object; where it breaks the grammar, or its end is not available, the position of that.
  static func end(in text: Span<UInt8>, from start: Int) -> (end: Int, isWhole: Bool) {
    var scan = WholeObject()
    return scan.pass(text, start)
  }

  private mutating func pass(_ text: Span<UInt8>, _ start: Int) -> (end: Int, isWhole: Bool) {
    var expected = ArrayGrammar.Expected.value
    var at = start
    while at < text.count {
      switch text[at] {
      case 0x20, 0x0A, 0x0D, 0x09: if expected == .scalar { expected = .separator }
      case UInt8(ascii: "\""):
        switch expected {
        case .key, .keyOrClose: expected = .colon
        case .value, .valueOrClose: expected = .separator
        case .colon, .separator, .scalar: return (at, false)
        }
        let (end, isClosed) = Self.endOfString(text, at + 1)
        guard isClosed else { return (end, false) }
        at = end
      case ArrayGrammar.object:
        guard expected == .value || expected == .valueOrClose, open(isObject: true) else { return (at, false) }
        expected = .keyOrClose
      case ArrayGrammar.array:
        guard expected == .value || expected == .valueOrClose, open(isObject: false) else { return (at, false) }
        expected = .valueOrClose
      case UInt8(ascii: "}"):
        guard isInObject, expected == .keyOrClose || expected == .separator || expected == .scalar else {
          return (at, false)
        }
        close()
        if depth == 0 { return (at + 1, true) }
        expected = .separator
      case UInt8(ascii: "]"):
        guard !isInObject, expected == .valueOrClose || expected == .separator || expected == .scalar else {
          return (at, false)
        }
        close()
        expected = .separator
      case UInt8(ascii: ":"):
        guard expected == .colon else { return (at, false) }
        expected = .value
      case UInt8(ascii: ","):
        guard expected == .separator || expected == .scalar else { return (at, false) }
        expected = isInObject ? .key : .value
      default:
        guard expected == .value || expected == .valueOrClose || expected == .scalar else { return (at, false) }
        expected = .scalar
      }
      at += 1
    }
    return (at, false)
  }

  // MARK: brackets

  private var isInObject: Bool { kinds & 1 != 0 }

  private mutating func open(isObject: Bool) -> Bool {
    guard depth < ArrayGrammar.deepest - 1 else { return false }
    if depth > 0, depth % 64 == 0 { outer.append(kinds) }
    kinds = kinds << 1 | (isObject ? 1 : 0)
    depth += 1
    return true
  }

  private mutating func close() {
    kinds >>= 1
    depth -= 1
    if depth > 0, depth % 64 == 0, let last = outer.popLast() { kinds = last }
  }

  // MARK: strings

  /// Strings are searched byte by byte up to this length, and then by the system's search: most are shorter.
  private static let long = 48

  /// The closing quote of a string whose content starts at a position, or where it breaks the grammar.
  private static func endOfString(_ text: Span<UInt8>, _ start: Int) -> (end: Int, isClosed: Bool) {
    var (at, next, quote) = (start, start + long, start)
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "\""): return (at, true)
      case 0x0A: return (at, false)
      case UInt8(ascii: "\\"):
        at += 1
        guard at < text.count, text[at] != 0x0A else { return (at, false) }
      default: break
      }
      at += 1
      guard at >= next else { continue }
      // A quote further ahead is not searched again.
      if quote < at { quote = Platform.find(UInt8(ascii: "\""), in: text, from: at) ?? text.count }
      let stop = Platform.find(UInt8(ascii: "\\"), in: text, from: at, to: quote) ?? quote
      at = Platform.find(0x0A, in: text, from: at, to: stop) ?? stop
      next = at + long
    }
    return (at, false)
  }
}
