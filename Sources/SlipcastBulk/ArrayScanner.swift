/// Finds the items of a top-level array without reading them: brackets are counted, strings are passed over.
///
/// The state survives from block to block, so an array of any length is taken in pieces.
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
  private var isSkipping = false

  /// Begins at the opening bracket.
  init(at bracket: Int) { at = bracket }

  /// The text before `end` is gone.
  mutating func moved(by end: Int) {
    at -= end
    itemStart = itemStart.map { $0 - end }
  }

  mutating func scan(
    _ text: UnsafeBufferPointer<UInt8>, isAtEnd: Bool, limit: Int, items: inout [Range<Int>]
  ) -> Result {
    while at < text.count {
      let byte = text[at]
      if isInString {
        passString(byte)
      } else if depth == 1, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
        close(&items)
        if byte == UInt8(ascii: "]") {
          at += 1
          return .closed(end: at)
        }
      } else {
        open(byte)
      }
      at += 1
    }
    if isAtEnd {
      close(&items)
      return .unclosed
    }
    if isSkipping { return .items(end: text.count) }
    if let start = itemStart, text.count - start > limit {
      (itemStart, isSkipping) = (nil, true)
      return .oversized
    }
    return items.isEmpty && itemStart != nil ? .needsMore : .items(end: itemStart ?? text.count)
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

  private mutating func open(_ byte: UInt8) {
    if depth >= 1, itemStart == nil, !isSkipping, !BlockReader.isSpace(byte) { itemStart = at }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
    // A brace too many belongs to its broken item; it must not close the array.
    case UInt8(ascii: "]"), UInt8(ascii: "}"): if depth > 1 { depth -= 1 }
    default: break
    }
  }

  private mutating func close(_ items: inout [Range<Int>]) {
    if let start = itemStart { items.append(start..<at) }
    (itemStart, isSkipping) = (nil, false)
  }
}
