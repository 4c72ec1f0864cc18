#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// How far a record that begins on one line reaches over the next ones.
enum RecordExtent {
  /// The place behind the record's last line, and whether its brackets balance there.
  ///
  /// The search ends early at a line that begins with `{` where JSON allows none, or that says more than the bracket:
  /// there another record begins, and this one was cut off. Printers that do not indent put nested brackets alone.
  static func find(_ block: Block, from start: Int) -> (end: Int, isBalanced: Bool) {
    var brackets: [UInt8] = []
    var isInString = false
    var last: UInt8 = 0
    var at = start
    while at < block.count {
      let byte = block.memory[at]
      if isInString {
        switch byte {
        case UInt8(ascii: "\\"): at += 1
        case UInt8(ascii: "\""): isInString = false
        // No string reaches over a line: the record is broken here, and brackets behind are no longer its own.
        case 0x0A: return (at + 1, false)
        default: break
        }
      } else if byte == UInt8(ascii: "{"), at > start, block.memory[at - 1] == 0x0A,
        !mayOpen(brackets.last, last) || !isAlone(block, at)
      {
        return (at, false)
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): brackets.append(byte)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          _ = brackets.popLast()
          if brackets.isEmpty { return (min(block.endOfLine(at) + 1, block.count), true) }
        default: break
        }
      }
      if !BlockReader.isSpace(byte) { last = byte }
      at += 1
    }
    return (block.count, false)
  }

  private static func isAlone(_ block: Block, _ bracket: Int) -> Bool {
    block.trimmed(bracket..<block.endOfLine(bracket)).count == 1
  }

  /// An object may stand in an array behind its bracket or a comma, and in an object behind a colon.
  private static func mayOpen(_ bracket: UInt8?, _ last: UInt8) -> Bool {
    switch bracket {
    case UInt8(ascii: "["): last == UInt8(ascii: "[") || last == UInt8(ascii: ",")
    case UInt8(ascii: "{"): last == UInt8(ascii: ":")
    default: false
    }
  }
}

extension Block {
  /// The place of the next line feed, or the end.
  func endOfLine(_ from: Int) -> Int {
    guard from < count, let feed = memchr(memory + from, 0x0A, count - from) else { return count }
    return UnsafeRawPointer(feed) - UnsafeRawPointer(memory)
  }

  /// The range without blanks at either end.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, min(range.upperBound, count))
    while start < end, BlockReader.isSpace(memory[start]) { start += 1 }
    while end > start, BlockReader.isSpace(memory[end - 1]) { end -= 1 }
    return start..<max(start, end)
  }
}
