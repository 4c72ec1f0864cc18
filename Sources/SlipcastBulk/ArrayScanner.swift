/// Finds the items of a top-level array without reading them: brackets are counted, strings are passed over.
///
/// The state survives from block to block, so an array of any length is taken in pieces. A string ends with its line.
/// An item that is broken ends where a line begins with `{` no further in than the item itself did: there the next item
/// begins.
struct ArrayScanner {
  enum Result {
    /// No whole item yet.
    case needsMore
    /// Items were found; the text up to here is used up.
    case items(end: Int)
    /// The array ended here.
    case closed(end: Int)
    /// The source ends inside the array.
    case unclosed
    /// The item at hand is longer than the limit; it is being passed over.
    case oversized
  }

  private var at: Int
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var itemStart: Int?
  /// How far the item's first line is indented, when the item begins its line and nested objects would be told apart.
  private var itemColumn: Int?
  private var isSkipping = false
  /// Blanks since the last line feed, while nothing else has come.
  private var column: Int? = 0
  /// Where the last byte stood that is neither blank nor comma.
  private var lastSolid = 0

  /// Begins at the opening bracket.
  init(at bracket: Int) { at = bracket }

  /// The text before `end` is gone.
  mutating func moved(by end: Int) {
    at -= end
    lastSolid -= end
    itemStart = itemStart.map { $0 - end }
  }

  mutating func scan(
    _ text: UnsafeBufferPointer<UInt8>, isAtEnd: Bool, limit: Int, items: inout [Range<Int>]
  ) -> Result {
    while at < text.count {
      // The line of a bracket must be known to tell whether it stands alone.
      if text[at] == UInt8(ascii: "{"), at + 1 == text.count, !isAtEnd { break }
      if step(text, &items) {
        at += 1
        return .closed(end: at)
      }
      at += 1
    }
    if isAtEnd {
      close(&items)
      return .unclosed
    }
    if isSkipping { return .items(end: text.count) }
    guard let start = itemStart else { return .items(end: at) }
    if !items.isEmpty { return .items(end: start) }
    if text.count - start > limit {
      (itemStart, isSkipping) = (nil, true)
      return .oversized
    }
    return .needsMore
  }

  /// Passes one byte; true at the array's closing bracket.
  private mutating func step(_ text: UnsafeBufferPointer<UInt8>, _ items: inout [Range<Int>]) -> Bool {
    let byte = text[at]
    defer { if byte == 0x0A { column = 0 } else if byte != 0x20, byte != 0x09 { column = nil } else { column? += 1 } }
    if byte == 0x0A { (isInString, isEscaped) = (false, false) }
    if isInString {
      passString(byte)
    } else if depth == 1, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
      close(&items)
      return byte == UInt8(ascii: "]")
    } else {
      if byte == UInt8(ascii: "{"), depth > 1, let column, let itemColumn, column <= itemColumn {
        breakOff(&items)
      }
      open(text, byte)
    }
    if byte != UInt8(ascii: ","), !BlockReader.isSpace(byte) { lastSolid = at }
    return false
  }

  private mutating func passString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func open(_ text: UnsafeBufferPointer<UInt8>, _ byte: UInt8) {
    if depth >= 1, itemStart == nil, !BlockReader.isSpace(byte) { begin(text) }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    // A brace too many belongs to its broken item; it must not close the array.
    case UInt8(ascii: "]"), UInt8(ascii: "}"): if depth > 1 { depth -= 1 }
    default: break
    }
  }

  private mutating func begin(_ text: UnsafeBufferPointer<UInt8>) {
    if !isSkipping { itemStart = at }
    // Without any indentation a bracket alone on its line says nothing about where its object stands.
    let isAlone = at + 1 < text.count && (text[at + 1] == 0x0A || text[at + 1] == 0x0D)
    itemColumn = column.flatMap { $0 == 0 && isAlone ? nil : $0 }
  }

  private mutating func close(_ items: inout [Range<Int>]) {
    if let start = itemStart { items.append(start..<at) }
    (itemStart, itemColumn, isSkipping) = (nil, nil, false)
  }

  private mutating func breakOff(_ items: inout [Range<Int>]) {
    if let start = itemStart { items.append(start..<lastSolid + 1) }
    (itemStart, itemColumn, isSkipping, depth) = (nil, nil, false, 1)
  }
}
