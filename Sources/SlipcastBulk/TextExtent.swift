@_spi(Slipcast) internal import SlipcastWire

/// The extent of a text record that starts on one line and may cover further lines.
///
/// Base64 may be wrapped into lines of one width. It ends after a shorter line or its padding, before a blank line or
/// any other text, and where its first bytes show that it is complete and the next line starts like another record.
struct TextExtent {
  /// Wider lines are separate records: no encoder wraps at a larger width.
  static let widest = 80

  let form: TextRecord.Form
  /// The record without leading and trailing blanks.
  let range: Range<Int>
  /// The position after its last line.
  let end: Int
  /// Only the end of the text ended it.
  let isOpen: Bool

  init?(_ block: Block, _ line: Range<Int>, feed: Int, before limit: Int) {
    guard let form = TextRecord.form(of: block.text(line).buffer.span) else { return nil }
    var (last, next) = (line, feed + 1)
    let isBase64 = form == .encoded && TextRecord.signOfDigits(block.text(line).buffer.span) == nil
    var isOpen = isBase64 && block.isWrapped(line, width: Self.widest) && !block.isPadded(line)
    if isOpen {
      let expected = TextRecord.expectedCharacters(block.text(line).buffer.span) ?? Int.max
      var characters = line.count
      while isOpen, next < limit {
        let stop = min(block.endOfLine(next), limit)
        let more = block.trimmed(next..<stop)
        isOpen = block.isWrapped(more, width: line.count)
        if !isOpen || (characters >= expected && TextRecord.begins(block.text(more).buffer.span)) {
          isOpen = false
          break
        }
        (last, next) = (more, stop + 1)
        characters += more.count
        isOpen = more.count == line.count && !block.isPadded(more)
      }
    }
    self.form = form
    range = line.lowerBound..<last.upperBound
    end = min(next, limit)
    self.isOpen = isOpen
  }
}

extension Block {
  /// Whether the line may be a text record; checks only its first byte, because this runs for every line.
  @inline(__always)
  func mayBeText(_ line: Range<Int>) -> Bool {
    switch self[line.lowerBound] {
    case UInt8(ascii: "e"), UInt8(ascii: "M"), UInt8(ascii: "H"), UInt8(ascii: "\\"), UInt8(ascii: "0"): true
    default: false
    }
  }

  /// Whether the line, without leading and trailing blanks, is a text record or the start of one.
  func isText(_ line: Range<Int>) -> Bool {
    !line.isEmpty && mayBeText(line) && TextRecord.form(of: text(line).buffer.span) != nil
  }

  /// The lines of PEM that begin with this one, and the line feed after them; `nil` for any other line.
  func endOfPEM(_ line: Range<Int>, feed: Int) -> (text: Range<Int>, end: Int)? {
    guard text(line).buffer.starts(with: TextWrappings.pemStart) else { return nil }
    var at = feed + 1
    while at < count {
      let stop = endOfLine(at)
      let next = trimmed(at..<stop)
      if text(next).buffer.starts(with: TextWrappings.pemEnd) { return (line.lowerBound..<next.upperBound, stop) }
      guard isWrapped(next, width: TextExtent.widest) else { return nil }
      at = stop + 1
    }
    return nil
  }

  func isPadded(_ line: Range<Int>) -> Bool { !line.isEmpty && self[line.upperBound - 1] == UInt8(ascii: "=") }

  /// Whether the line, without leading and trailing blanks, may be part of base64 wrapped at a width.
  func isWrapped(_ line: Range<Int>, width: Int) -> Bool {
    guard !line.isEmpty, line.count <= width else { return false }
    var end = line.upperBound
    while end > line.lowerBound, self[end - 1] == UInt8(ascii: "=") { end -= 1 }
    return text(line.lowerBound..<end).buffer.allSatisfy { Base64.isLetter($0) }
  }
}
