internal import SlipcastWire

/// Finds records that follow another one on the same line: `{…}{…}`.
///
/// No valid JSON has a brace after a closing one, and then a quote and a letter: inside a string, that quote would end
/// the string, and no letter follows the end of a string. So such a place shows a record even in broken text.
extension Block {
  /// The end of the array or object that starts at a position.
  ///
  /// - Returns: the position behind it, or, where it breaks JSON's grammar or does not end, up to where it was searched.
  ///   What follows a string or a bracket is checked, so a search never passes the start of the next record.
  func endOfValue(from start: Int) -> (end: Int, isWhole: Bool) {
    var (depth, at) = (0, start)
    while at < count {
      switch self[at] {
      case UInt8(ascii: "\""):
        guard let end = endOfString(at + 1) else { return (at, false) }
        at = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        at += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        at += 1
        if depth == 0 { return (at, true) }
        let next = behindBlanks(at)
        guard next == count || ",}]".utf8.contains(self[next]) else { return (next, false) }
      default: at += 1
      }
    }
    return (count, false)
  }

  /// The position behind a string's closing quote; `nil` when the string has none, or something else follows it.
  private func endOfString(_ start: Int) -> Int? {
    var at = start
    while let quote = find(UInt8(ascii: "\""), from: at, to: count) {
      at = quote + 1
      var slash = quote
      while slash > start, self[slash - 1] == UInt8(ascii: "\\") { slash -= 1 }
      guard (quote - slash) % 2 == 0 else { continue }
      guard find(0x0A, from: start, to: quote) == nil else { return nil }
      let next = behindBlanks(at)
      return next == count || ",:}]".utf8.contains(self[next]) ? at : nil
    }
    return nil
  }

  private func behindBlanks(_ start: Int) -> Int {
    var at = start
    while at < count, self[at].isBlank { at += 1 }
    return at
  }

  /// Where the next record may start, behind one that ends here: on the next line, or on this one; `nil` when
  /// something else follows.
  func next(behind end: Int) -> Int? {
    var at = end
    while at < count, self[at].isBlank {
      at += 1
      if self[at - 1] == 0x0A { return at }
    }
    if at == count || self[at] == UInt8(ascii: "{") { return at }
    // The next one begins a file that was joined to this one.
    let mark = at + ByteOrderMark.count(in: whole.span.extracting(at...))
    return mark > at && mark < count && "{[".utf8.contains(self[mark]) ? mark : nil
  }

  /// The start of another record inside the text of a broken one.
  ///
  /// - Parameter lookahead: how many bytes may still be searched in vain.
  func joinedStart(in range: Range<Int>, _ lookahead: inout Int) -> Int? {
    let ahead = ItemLookahead(isAtEnd: true)
    let shape = self[range.lowerBound] == UInt8(ascii: "{") ? ahead.shape(whole.span, at: range.lowerBound) : 0
    var at = range.lowerBound + 1
    while lookahead > 0, let place = find(UInt8(ascii: "{"), from: at, to: range.upperBound) {
      at = place + 1
      guard hasKey(place) else { continue }
      let (isSame, isBehind) = (shape != 0 && ahead.shape(whole.span, at: place) == shape, isBehindBrace(place))
      if isSame, isBehind { return place }
      guard isSame || isBehind else { continue }
      let (end, isWhole) = endOfValue(from: place)
      if isWhole, next(behind: end) != nil { return place }
      lookahead -= end - place
    }
    return nil
  }

  /// A brace, a quote, and a character that does not follow the end of a string.
  private func hasKey(_ brace: Int) -> Bool {
    let quote = behindBlanks(brace + 1)
    guard quote + 1 < count, self[quote] == UInt8(ascii: "\"") else { return false }
    let byte = self[quote + 1]
    return !byte.isBlank && !",:}]".utf8.contains(byte)
  }

  /// Only blanks are between the brace and a closing one before it, and no line feed.
  private func isBehindBrace(_ brace: Int) -> Bool {
    var at = brace - 1
    while at >= 0, self[at].isBlank, self[at] != 0x0A { at -= 1 }
    return at >= 0 && self[at] == UInt8(ascii: "}")
  }

  /// The first record that starts behind a closing brace on its line.
  func firstJoinedStart(before end: Int) -> Int? {
    var at = 0
    while let place = find(UInt8(ascii: "{"), from: at, to: end) {
      if isBehindBrace(place), hasKey(place) { return place }
      at = place + 1
    }
    return nil
  }

  /// So many places are tried from the end; the record there may be cut off by the end of the text.
  private static let mostTried = 64

  /// The last record that starts behind another one on its line, where the text may be cut.
  var lastJoinedStart: Int? {
    let ahead = ItemLookahead(isAtEnd: true)
    let shape = count > 0 && self[0] == UInt8(ascii: "{") ? ahead.shape(whole.span, at: 0) : 0
    var (at, tried, last) = (count - 1, 0, Int?.none)
    while at > 0, tried < Self.mostTried {
      if self[at] == UInt8(ascii: "{"), isBehindBrace(at), hasKey(at) {
        last = last ?? at
        tried += 1
        // Elsewhere a comma may be missing inside a record.
        if shape != 0, ahead.shape(whole.span, at: at) == shape { return at }
        let (end, isWhole) = endOfValue(from: at)
        if isWhole, next(behind: end) != nil { return at }
      }
      at -= 1
    }
    return count < Self.size ? nil : last
  }

  /// How many bytes at the end may belong to the start of a record behind another one.
  var joinedTail: Int {
    var at = count - 1
    while at >= 0, count - at < ItemLookahead.reach, self[at].isBlank || "{\"".utf8.contains(self[at]) {
      at -= 1
    }
    return at >= 0 && self[at] == UInt8(ascii: "}") ? count - at : 0
  }
}
