import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// Finds where a run of records may be cut, so that no record is in two blocks.
extension Block {
  /// The start of the last record that can be recognized; `nil` where none starts after the first line feed.
  var lastRecordStart: Int? {
    var end = count - 1
    while end > 0, let feed = lastFeed(before: end) {
      switch self[feed + 1] {
      case UInt8(ascii: "{"): if !isNested(behind: feed) { return feed + 1 }
      case UInt8(ascii: "\""): if cutsText(at: feed + 1) { return feed + 1 }
      default: if mayBeText(feed + 1..<count), cutsText(at: feed + 1) { return feed + 1 }
      }
      end = feed
    }
    return nil
  }

  /// Printers that do not indent also put nested objects at the start of lines: after a comma, bracket or colon.
  private func isNested(behind feed: Int) -> Bool {
    var index = feed - 1
    while index >= 0, self[index].isBlank { index -= 1 }
    guard index >= 0 else { return false }
    let byte = self[index]
    return byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: ":")
  }

  var feeds: Int { Platform.count(0x0A, in: whole.span) }

  func lastFeed(before end: Int) -> Int? { findLast(0x0A, before: end) }

  /// A text record starts on the line at this position, and no earlier record reaches into it.
  ///
  /// Inside JSON no line starts like one. Wrapped base64 may have such a line: then its width is that of the lines
  /// before.
  func cutsText(at start: Int) -> Bool {
    let isString = self[start] == UInt8(ascii: "\"")
    let record = text((isString ? start + 1 : start)..<count).buffer.span
    guard TextRecord.begins(record) || isString && record.starts(with: Self.jsonInString) else { return false }
    let line = trimmed(start..<endOfLine(start))
    guard isString ? isStringOfText(line) : isText(line), let above = lineAbove(start) else { return false }
    // A string after a string: JSON has a comma between them.
    if isString { return !above.isEmpty && self[above.upperBound - 1] == UInt8(ascii: "\"") }
    guard isWrapped(above, width: TextExtent.widest), !isPadded(above) else {
      return !text(above).buffer.starts(with: TextWrappings.pemStart)
    }
    if TextRecord.begins(text(above).buffer.span) { return false }
    guard let top = lineAbove(startOfLine(start - 1)) else { return true }
    return top.count != above.count || !isWrapped(top, width: TextExtent.widest) || isPadded(top)
  }

  private static let jsonInString = "{\\\"".utf8

  /// A JSON string of base64 and its escapes, or of JSON; the end of the text may cut it.
  private func isStringOfText(_ line: Range<Int>) -> Bool {
    let content = text(line.dropFirst())
    return content.buffer.starts(with: Self.jsonInString)
      || content.buffer.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "="), UInt8(ascii: "\\"), UInt8(ascii: "\""): true
        default: Base64.isLetter(byte)
        }
      }
  }

  private func startOfLine(_ feed: Int) -> Int { lastFeed(before: feed).map { $0 + 1 } ?? 0 }

  /// The line above the one that starts here, without leading and trailing blanks.
  private func lineAbove(_ start: Int) -> Range<Int>? {
    start > 0 ? trimmed(startOfLine(start - 1)..<start - 1) : nil
  }

  /// The width of the lines, when all whole lines belong to one wrapped text that continues after them.
  var widthOfOpenText: Int? {
    guard let feed = lastFeed(before: count) else { return nil }
    var at = 0
    while at <= feed {
      let stop = endOfLine(at)
      let line = trimmed(at..<stop)
      if line.isEmpty {
        at = stop + 1
        continue
      }
      guard mayBeText(line), let extent = TextExtent(self, line, feed: stop, before: feed + 1) else { return nil }
      return extent.isOpen ? line.count : nil
    }
    return nil
  }
}
