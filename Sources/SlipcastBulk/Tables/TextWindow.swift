/// Text of a stream that was read and not yet used.
struct TextWindow {
  private let stream: HeadedBytes
  /// The text; everything before `used` was used.
  private(set) var text: [UInt8] = []
  var used = 0
  /// Bytes before the text in the source.
  private(set) var base = 0
  private(set) var isAtEnd = false

  init(_ stream: HeadedBytes) { self.stream = stream }

  /// The position of the next unused byte in the source.
  var position: Int { base + used }

  /// Everything was read and used.
  var isFinished: Bool { used == text.count && isAtEnd }

  /// The position behind the first line feed after a place, up to an end.
  func lineEnd(from place: Int, before end: Int? = nil) -> Int? {
    text[place..<(end ?? text.count)].firstIndex(of: 0x0A).map { $0 + 1 }
  }

  /// Reads more; false at the end.
  ///
  /// What is not used moves to the start of the text.
  mutating func readMore() throws(BulkError) -> Bool {
    base += used
    text.removeFirst(used)
    used = 0
    let got = try text.append(max(Block.size, text.count / 2), from: stream)
    isAtEnd = got == 0
    return got > 0
  }

  /// Moves to a later position of the source; false when it is shorter.
  mutating func skip(to offset: Int) throws(BulkError) -> Bool {
    while base + text.count < offset {
      used = text.count
      guard try readMore() else { return false }
    }
    used = max(used, offset - base)
    return true
  }
}
