@_spi(Slipcast) internal import SlipcastWire

/// The extent of a record that starts on one line and may cover further lines.
///
/// It is for records that are broken (`Block.endOfValue` finds the end of others). Strings end with their line, so
/// brackets can be counted line by line. The record ends where the next one starts: at any line that begins with `{` or
/// `[`, unless nothing is indented and the bracket is alone on its line. A text record ends it too, and a line that is a
/// string with a record in it: no line of a record looks like one.
struct RecordExtent {
  let end: Int

  init(_ block: Block, from start: Int) {
    var scan = Scan(isFlat: Self.isFlat(block, start))
    var line = start
    while line < block.count {
      if line > start, scan.beginsRecord(block, line) {
        end = line
        return
      }
      let stop = block.endOfLine(line)
      let isClosed = scan.pass(block, line..<stop)
      line = min(stop + 1, block.count)
      // Once a string was left open, the brackets are unreliable; a closing one at the margin still counts.
      let isAtMargin = stop < 2 || block[stop - 2] == 0x0A
      if isClosed || scan.isBroken && isAtMargin && block[max(stop - 1, 0)] == UInt8(ascii: "}") {
        end = line
        return
      }
    }
    end = block.count
  }

  /// True for `{` alone on its line with the next line at the margin too.
  private static func isFlat(_ block: Block, _ start: Int) -> Bool {
    let stop = block.endOfLine(start)
    guard block.trimmed(start..<stop).count == 1, stop + 1 < block.count else { return false }
    return !block[stop + 1].isBlank
  }

  private struct Scan {
    /// Nothing is indented: a line may start with a nested object.
    let isFlat: Bool
    var brackets: [UInt8] = []
    var last: UInt8 = 0
    var isBroken = false

    init(isFlat: Bool) { self.isFlat = isFlat }

    func beginsRecord(_ block: Block, _ line: Int) -> Bool {
      guard "{[".utf8.contains(block[line]) else {
        guard block[line] == UInt8(ascii: "\"") || block.mayBeText(line..<line + 1) else { return false }
        let solid = block.trimmed(line..<block.endOfLine(line))
        return block.isQuotedRecord(solid) || block.isText(solid)
      }
      let isAlone = block.trimmed(line..<block.endOfLine(line)).count == 1
      return !isFlat || !isAlone || isBroken || !mayOpen
    }

    /// An object may be in an array after its bracket or a comma, and in an object after a colon.
    private var mayOpen: Bool {
      switch brackets.last {
      case UInt8(ascii: "["): last == UInt8(ascii: "[") || last == UInt8(ascii: ",")
      case UInt8(ascii: "{"): last == UInt8(ascii: ":")
      default: false
      }
    }

    /// Counts the brackets of a line; true when the record closes on it.
    mutating func pass(_ block: Block, _ line: Range<Int>) -> Bool {
      var isInString = false
      var at = line.lowerBound
      while at < line.upperBound {
        let byte = block[at]
        if isInString {
          if byte == UInt8(ascii: "\\") { at += 1 }
          isInString = byte != UInt8(ascii: "\"")
        } else {
          switch byte {
          case UInt8(ascii: "\""): isInString = true
          case UInt8(ascii: "{"), UInt8(ascii: "["): brackets.append(byte)
          case UInt8(ascii: "}"), UInt8(ascii: "]"):
            _ = brackets.popLast()
            if brackets.isEmpty, !isBroken { return true }
          default: break
          }
        }
        if !byte.isBlank { last = byte }
        at += 1
      }
      isBroken = isBroken || isInString
      return false
    }
  }
}

extension Block {
  /// A line that is one string, of a text that begins like a record.
  fileprivate func isQuotedRecord(_ line: Range<Int>) -> Bool {
    let inside = line.dropFirst().dropLast()
    guard !inside.isEmpty, self[line.lowerBound] == UInt8(ascii: "\""),
      isEndOfString(line.upperBound - 1, after: line.lowerBound)
    else { return false }
    return "{[".utf8.contains(self[inside.lowerBound]) || isText(inside)
  }

  /// The string that begins at a quote ends with the quote at a place.
  private func isEndOfString(_ place: Int, after quote: Int) -> Bool {
    var at = quote + 1
    while at < place, self[at] != UInt8(ascii: "\"") { at += self[at] == UInt8(ascii: "\\") ? 2 : 1 }
    return at == place && self[at] == UInt8(ascii: "\"")
  }

  func endOfLine(_ from: Int) -> Int { find(0x0A, from: from, to: count) ?? count }

  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (start, end) = (range.lowerBound, min(range.upperBound, count))
    while start < end, self[start].isBlank { start += 1 }
    while end > start, self[end - 1].isBlank { end -= 1 }
    return start..<max(start, end)
  }

  /// Without the byte order mark with which a text that was stored by itself may begin.
  func withoutMark(_ range: Range<Int>) -> Range<Int> {
    trimmed(range.dropFirst(ByteOrderMark.count(in: text(range).buffer.span)))
  }
}
