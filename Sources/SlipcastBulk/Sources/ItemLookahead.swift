internal import SlipcastWire

/// First keys of the items of an array, by which the next item is recognized where an item is broken.
struct ItemShapes: Hashable, Sendable {
  /// Hashes of the first keys of complete items.
  var known: [Int] = []
  /// The hash of the current item; 0 for none.
  var current = 0

  static let most = 8

  /// An object with this first key is an item.
  func knows(_ shape: Int) -> Bool { shape != 0 && (shape == current || known.contains(shape)) }

  /// The same, while an item with this first key is read.
  func beginning(_ shape: Int) -> ItemShapes {
    var shapes = self
    shapes.current = shape
    return shapes
  }

  mutating func learn() {
    guard current != 0, !known.contains(current) else { return }
    if known.count == Self.most { known.removeFirst() }
    known.append(current)
  }
}

/// Looks ahead in the text of an array.
struct ItemLookahead {
  /// The number of bytes from a character on that decide its meaning.
  static let reach = 128

  /// What a sequence of objects between commas belongs to.
  enum Chain {
    case items
    /// An array inside an item, which ends here.
    case nested(end: Int)
  }

  /// Nothing follows the text.
  let isAtEnd: Bool

  /// The next byte that is not a blank; `nil` at the end of the available text.
  private func solid(_ text: Span<UInt8>, from start: Int, within reach: Int = reach) -> Int? {
    let end = min(start + reach, text.count)
    var place = start
    while place < end, text[place].isBlank { place += 1 }
    return place < end ? place : nil
  }

  /// The hash of the first key of the object here; 0 where none is available.
  func shape(_ text: Span<UInt8>, at start: Int) -> Int {
    guard text[start] == ArrayGrammar.object, let quote = solid(text, from: start + 1), let end = endOfKey(text, quote)
    else {
      return 0
    }
    // FNV-1a, reduced to the size that a checkpoint can hold.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for place in quote + 1..<end { hash = (hash ^ UInt64(text[place])) &* 0x100_0000_01B3 }
    return Int(hash & 0xFF_FFFF_FFFF) | 1
  }

  /// The closing quote of a string without escapes that a colon follows.
  private func endOfKey(_ text: Span<UInt8>, _ quote: Int) -> Int? {
    guard text[quote] == UInt8(ascii: "\"") else { return nil }
    let end = text.extracting(..<min(quote + 1 + Self.reach / 2, text.count)).firstIndex(from: quote + 1) {
      $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\")
    }
    guard let end, text[end] == UInt8(ascii: "\""), let colon = solid(text, from: end + 1, within: 16),
      text[colon] == UInt8(ascii: ":")
    else { return nil }
    return end
  }

  /// A key follows, and not an item.
  func isKey(_ text: Span<UInt8>, from start: Int) -> Bool {
    solid(text, from: start).flatMap { endOfKey(text, $0) } != nil
  }

  func isString(_ text: Span<UInt8>, from start: Int) -> Bool {
    solid(text, from: start).map { text[$0] == UInt8(ascii: "\"") } ?? false
  }

  /// The text behind a whole item, up to the comma or bracket that ends it: another item or the array's end follows.
  func follower(_ text: Span<UInt8>, of end: Int, _ shapes: ItemShapes) -> Int? {
    guard let next = solid(text, from: end), isAtEnd || next + Self.reach <= text.count else { return nil }
    switch text[next] {
    case UInt8(ascii: ","): return isKey(text, from: next + 1) ? nil : next
    case UInt8(ascii: "]"): return endsArray(text, behind: next, shapes) ? next : nil
    default: return nil
    }
  }

  /// The bracket at a position, after whole items, ends the array.
  func endsArray(_ text: Span<UInt8>, behind place: Int, _ shapes: ItemShapes) -> Bool {
    guard let next = solid(text, from: place + 1), !text.extracting(place..<next).contains(0x0A) else { return true }
    switch text[next] {
    case UInt8(ascii: "}"), UInt8(ascii: ":"), UInt8(ascii: "\""): return false
    case ArrayGrammar.object: return !shapes.knows(shape(text, at: next))
    case UInt8(ascii: ","):
      guard let item = solid(text, from: next + 1) else { return true }
      return text[item] != ArrayGrammar.object && text[item] != UInt8(ascii: "\"")
    default: return true
    }
  }

  /// The bracket at a position in a broken item ends the array: the text ends, or another one starts on a separate
  /// line.
  func endsText(_ text: Span<UInt8>, behind place: Int) -> Bool {
    guard let next = solid(text, from: place + 1) else { return isAtEnd || place + Self.reach <= text.count }
    return text.extracting(place..<next).contains(0x0A) && "{[\"eM".utf8.contains(text[next])
  }

  /// Follows objects between commas to the bracket after them, to an item, or to the end of the available text.
  func chain(_ text: Span<UInt8>, from start: Int, _ shapes: ItemShapes) -> Chain {
    var place = start
    for _ in 0..<64 {
      if place > start, shapes.knows(shape(text, at: place)) { return .items }
      let (end, isWhole) = WholeObject.end(in: text, from: place)
      // The content of the object was scanned: none of it is scanned again.
      guard isWhole else { return place > start ? .items : .nested(end: end) }
      guard let next = solid(text, from: end) else { return .items }
      if text[next] == UInt8(ascii: "]") {
        let isOver = solid(text, from: next + 1).map { !",}]".utf8.contains(text[$0]) } ?? true
        return endsArray(text, behind: next, shapes) && isOver ? .items : .nested(end: next)
      }
      guard text[next] == UInt8(ascii: ","), let item = solid(text, from: next + 1), text[item] == ArrayGrammar.object
      else {
        return .nested(end: next)
      }
      place = item
    }
    return .items
  }

  /// The kind of a text that does not start with a bracket.
  enum Opening {
    case records
    /// An array whose opening bracket is missing, damaged or after an extra byte, and where its items start.
    case items(at: Int, isOpen: Bool)
    /// More text is needed to decide.
    case unknown
  }

  /// A complete object before a comma and another one is the first item of an array.
  func opening(_ text: Span<UInt8>, from start: Int, limit: Int) -> Opening {
    let second = min(start + 1, text.count - 1)
    let hasBracket = text[second] == ArrayGrammar.array
    let candidates = hasBracket ? [solid(text, from: second + 1) ?? start] : [start, second]
    for place in candidates where text[place] == ArrayGrammar.object {
      let (end, isWhole) = WholeObject.end(in: text, from: place)
      guard end - place <= limit else { continue }
      if !isWhole, end == text.count, !isAtEnd { return .unknown }
      guard isWhole else { continue }
      switch follower(text, of: end) {
      case .records: continue
      case .unknown: return .unknown
      case .items: return .items(at: hasBracket ? second : place, isOpen: !hasBracket)
      }
    }
    return .records
  }

  /// Whether a comma follows on the line, and then another object.
  private func follower(_ text: Span<UInt8>, of end: Int) -> Opening {
    var place = end
    for (sign, mayFollowLine) in [(UInt8(ascii: ","), false), (ArrayGrammar.object, true)] {
      guard let next = solid(text, from: place) else {
        let isCut = !isAtEnd && place + Self.reach > text.count
        return isCut && (mayFollowLine || text.firstIndex(of: 0x0A, from: place) == nil) ? .unknown : .records
      }
      guard text[next] == sign, mayFollowLine || !text.extracting(place..<next).contains(0x0A) else { return .records }
      place = next + 1
    }
    return .items(at: place - 1, isOpen: true)
  }
}
