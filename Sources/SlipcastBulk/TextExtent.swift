// Unsafe on purpose: looks at texts where they stand in a block.

/// How far a text record that begins on one line reaches over the next ones.
///
/// Base64 may be wrapped into lines of one width. It ends with a shorter line or with its padding, before a blank line or
/// anything that is not its own; and where its first bytes say that it is complete and the next line begins like another.
struct TextExtent {
  /// Wider lines are records by themselves: nobody wraps so late.
  static let widest = 80

  let form: TextRecord.Form
  /// The record without blanks at either end.
  let range: Range<Int>
  /// The place behind its last line.
  let end: Int
  /// Nothing but the end of the text ended it.
  let isOpen: Bool

  /// - Parameters:
  ///   - line: the line without blanks at either end.
  ///   - feed: where the line ends.
  ///   - limit: where the text ends.
  init?(_ block: Block, _ line: Range<Int>, feed: Int, before limit: Int) {
    guard let form = TextRecord.form(of: block.text(line)) else { return nil }
    var (last, next) = (line, feed + 1)
    var isOpen = form == .base64 && block.isWrapped(line, width: Self.widest) && !block.isPadded(line)
    if isOpen {
      let expected = TextRecord.expectedCharacters(block.text(line)) ?? Int.max
      var characters = line.count
      while isOpen, next < limit {
        let stop = min(block.endOfLine(next), limit)
        let more = block.trimmed(next..<stop)
        isOpen = block.isWrapped(more, width: line.count)
        if !isOpen || (characters >= expected && TextRecord.begins(block.text(more))) {
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
  func text(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: memory + range.lowerBound, count: range.count)
  }

  /// The line may be a text record: one look at its first byte, for this is asked of every line.
  @inline(__always)
  func mayBeText(_ line: Range<Int>) -> Bool {
    let first = memory[line.lowerBound]
    return first == UInt8(ascii: "e") || first == UInt8(ascii: "M")
  }

  /// The line, without blanks at either end, is a text record or the beginning of one.
  func isText(_ line: Range<Int>) -> Bool {
    !line.isEmpty && mayBeText(line) && TextRecord.form(of: text(line)) != nil
  }

  func isPadded(_ line: Range<Int>) -> Bool { !line.isEmpty && memory[line.upperBound - 1] == UInt8(ascii: "=") }

  /// The line, without blanks at either end, may be part of base64 that is wrapped at a width.
  func isWrapped(_ line: Range<Int>, width: Int) -> Bool {
    guard !line.isEmpty, line.count <= width else { return false }
    var end = line.upperBound
    while end > line.lowerBound, memory[end - 1] == UInt8(ascii: "=") { end -= 1 }
    return text(line.lowerBound..<end).allSatisfy { TextRecord.isBase64($0) }
  }
}
