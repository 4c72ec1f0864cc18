internal import SlipcastWire

/// Finds the items of a top-level array without reading their values: it follows JSON's grammar and skips strings.
///
/// The state survives from block to block, so an array of any length is processed in pieces. An item that breaks the
/// grammar ends where the next item starts: at an object whose first key is that of an item, at a line that begins with
/// `{` and is not indented more than the item itself, or at an object that is followed by others up to the end of the
/// array. Where JSON allows such an object inside the item, the item may be complete: then the position is remembered,
/// and used when the grammar is broken later. No text is scanned more than a few times, whatever the input.
struct ArrayScanner: Hashable, Sendable {
  enum Result {
    case needsMore
    /// Items were found; the text up to here is consumed.
    case items(end: Int)
    case closed(end: Int)
    case unclosed
    /// The current item is longer than the limit and is being skipped.
    case oversized

    /// The end of the consumed text.
    var end: Int? {
      switch self {
      case .items(let end), .closed(let end): end
      case .needsMore, .unclosed, .oversized: nil
      }
    }
  }

  /// A position in an item where another item may start.
  struct Doubt: Hashable, Sendable {
    var at: Int
    var column: Int?
    /// The end of the current item's text, if it ended there.
    var solid: Int
  }

  var at: Int
  var grammar = ArrayGrammar()
  var itemStart: Int?
  /// The indentation of the item's first line, when the item starts its line and nested objects would be
  /// distinguishable.
  var itemColumn: Int?
  var isSkipping = false
  /// The current item has broken the grammar: it ends where the next item or the array's end is found.
  var isBroken = false
  /// Blanks since the last line feed, if nothing else followed it.
  var column: Int? = 0
  /// The position of the last byte that is neither blank nor comma.
  var lastSolid = 0
  var last: UInt8 = 0
  /// Where the current item may have been broken off.
  var doubt: Doubt?
  /// Uncertain positions up to here were resolved by going back; they are not recorded again.
  var settled = 0
  var shapes = ItemShapes()
  /// Objects before this position are known to be nested.
  var nestedEnd = 0
  /// Up to here whole items were searched in vain: no text is searched so twice.
  private var vain = Memo(place: 0)

  /// What only saves work, and distinguishes no two scanners.
  private struct Memo: Hashable, Sendable {
    var place: Int
    static func == (_: Memo, _: Memo) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
  }

  /// Starts at the opening bracket, or at the first item of an array without one.
  init(at start: Int, isOpen: Bool = false) {
    at = start
    if isOpen { _ = grammar.accept(ArrayGrammar.array) }
  }

  /// Discards the text before `end`.
  mutating func moved(by end: Int) {
    at -= end
    lastSolid -= end
    settled = max(settled - end, 0)
    nestedEnd = max(nestedEnd - end, 0)
    vain.place = max(vain.place - end, 0)
    doubt = doubt.map { Doubt(at: $0.at - end, column: $0.column, solid: $0.solid - end) }
    itemStart = itemStart.map { $0 - end }
  }

  mutating func scan(
    _ text: Span<UInt8>, isAtEnd: Bool, limit: Int, items: inout [Range<Int>]
  ) -> Result {
    dropFalsePlace(text.count, isAtEnd: isAtEnd, limit: limit)
    let ahead = ItemLookahead(isAtEnd: isAtEnd)
    let waits = !isAtEnd && itemStart.map { text.count - $0 <= limit } ?? true
    while at < text.count {
      if passWord(text) { continue }
      if waits, mustWait(ahead, in: text) { break }
      if text[at] == ArrayGrammar.object, passWhole(ahead, in: text, limit: limit) { continue }
      if step(ahead, in: text, &items) {
        at += 1
        return .closed(end: at)
      }
      at += 1
    }
    if let doubt, isAtEnd || text.count - (itemStart ?? doubt.at) > limit {
      goBack(&items)
      at += 1
      return scan(text, isAtEnd: isAtEnd, limit: limit, items: &items)
    }
    if isAtEnd {
      close(&items)
      return .unclosed
    }
    if isSkipping {
      // Text after an uncertain position may have to be scanned again, and a character at the end was not processed
      // yet.
      let end = doubt?.at ?? at
      return end > 0 ? .items(end: end) : .needsMore
    }
    guard let start = itemStart else { return at > 0 ? .items(end: at) : .needsMore }
    if !items.isEmpty { return .items(end: start) }
    if text.count - start > limit {
      (at, itemStart, isSkipping, doubt) = (text.count, nil, true, nil)
      return .oversized
    }
    return .needsMore
  }

  /// Passes a whole item that another one or the array's end follows; false for any other one, which is scanned with care.
  private mutating func passWhole(_ ahead: ItemLookahead, in text: Span<UInt8>, limit: Int) -> Bool {
    guard at >= vain.place, itemStart == nil, !isSkipping, !isBroken, grammar.mayBeginItem else { return false }
    let (end, isWhole) = WholeObject.end(in: text, from: at)
    guard isWhole, end - at <= limit, ahead.follower(text, of: end, shapes.beginning(ahead.shape(text, at: at))) != nil
    else {
      vain.place = end
      return false
    }
    begin(ahead, in: text)
    grammar.expected = .separator
    (at, column, last, lastSolid) = (end, nil, text[end - 1], end - 1)
    return true
  }

  /// Passes letters and digits inside a string, which mean nothing to the grammar; false for any other byte.
  ///
  /// An array of 20,000 records is converted in half the time.
  private mutating func passWord(_ text: Span<UInt8>) -> Bool {
    guard grammar.isInString, !grammar.isEscaped, !isBroken else { return false }
    var end = at
    while end < text.count, text[end].isAlphanumeric { end += 1 }
    guard end > at else { return false }
    (column, last, lastSolid, at) = (nil, text[end - 1], end - 1, end)
    return true
  }

  /// The meaning of the current character depends on what follows it, which was not read yet.
  private func mustWait(_ ahead: ItemLookahead, in text: Span<UInt8>) -> Bool {
    guard at + ItemLookahead.reach > text.count else { return false }
    switch text[at] {
    case ArrayGrammar.object: return true
    case UInt8(ascii: ","): return isBroken || grammar.depth == 1
    case UInt8(ascii: "]"):
      return isBroken || beginsLine || grammar.depth == 1 || grammar.brackets.last == ArrayGrammar.object
    default: return false
    }
  }

  /// A position after the text is in an item that is still being read; otherwise the checkpoint was changed.
  private mutating func dropFalsePlace(_ count: Int, isAtEnd: Bool, limit: Int) {
    guard at > count else { return }
    if let itemStart, !isAtEnd, itemStart <= count, count - itemStart <= limit { return }
    (at, lastSolid, itemStart, doubt) = (count, count, nil, nil)
  }

  /// Passes one byte; true at the array's closing bracket.
  private mutating func step(_ ahead: ItemLookahead, in text: Span<UInt8>, _ items: inout [Range<Int>]) -> Bool {
    let byte = text[at]
    if byte == ArrayGrammar.object, itemStart != nil || isSkipping, passObject(ahead, in: text, &items) { return false }
    if isBroken {
      if endsBroken(byte, ahead, in: text, &items) { return true }
    } else if grammar.depth == 1, !grammar.isInString, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
      let isItem = itemStart.map { $0 < text.count && text[$0] == ArrayGrammar.object } ?? false
      let isEnd =
        byte == UInt8(ascii: "]")
        ? ahead.endsArray(text, behind: at, shapes) : !(isItem && ahead.isKey(text, from: at + 1))
      if isEnd {
        close(&items)
        if byte == UInt8(ascii: "]") { return true }
      } else if breakGrammar(&items) {
        return false
      }
    } else {
      if grammar.mayBeginItem, !byte.isBlank { begin(ahead, in: text) }
      if endsEarly(byte, ahead, in: text) || !grammar.accept(byte) {
        if breakGrammar(&items) { return false }
        if endsBroken(byte, ahead, in: text, &items) { return true }
      }
    }
    note(byte)
    return false
  }

  /// A bracket on a separate line, after which the text ends or another record starts: the array's, whatever the item
  /// has left open.
  private func endsEarly(_ byte: UInt8, _ ahead: ItemLookahead, in text: Span<UInt8>) -> Bool {
    byte == UInt8(ascii: "]") && beginsLine && !grammar.isInString && ahead.endsText(text, behind: at)
  }

  /// Ends a broken item at a character that marks its end; true at the array's closing bracket.
  private mutating func endsBroken(
    _ byte: UInt8, _ ahead: ItemLookahead, in text: Span<UInt8>, _ items: inout [Range<Int>]
  ) -> Bool {
    if byte == UInt8(ascii: "]"), ahead.endsText(text, behind: at) {
      breakOff(&items, solid: lastSolid)
      return true
    }
    if byte == UInt8(ascii: ","), isText(in: text), ahead.isString(text, from: at + 1),
      !ahead.isKey(text, from: at + 1)
    {
      breakOff(&items, solid: lastSolid)
    }
    return false
  }

  /// Decides whether an object inside an item is another item; true when the scanner has gone back.
  private mutating func passObject(_ ahead: ItemLookahead, in text: Span<UInt8>, _ items: inout [Range<Int>]) -> Bool {
    let isAllowed = !isBroken && grammar.mayBeginValue
    let isItem = shapes.knows(ahead.shape(text, at: at)) || beginsLine || (grammar.isDoubled && !isBroken)
    if isItem {
      if isAllowed || grammar.isInString, at >= settled {
        doubt = doubt ?? Doubt(at: at, column: column, solid: lastSolid)
        return false
      }
      if grammar.isInString { return false }
      if doubt != nil {
        goBack(&items)
        return true
      }
      breakOff(&items, solid: lastSolid)
      return false
    }
    guard !isAllowed, !grammar.isInString else { return false }
    if !isBroken, breakGrammar(&items) { return true }
    guard last == UInt8(ascii: ","), at >= nestedEnd else { return false }
    switch ahead.chain(text, from: at, shapes) {
    case .items: breakOff(&items, solid: lastSolid)
    case .nested(let end): nestedEnd = end
    }
    return false
  }

  /// The current item is neither object nor array.
  private func isText(in text: Span<UInt8>) -> Bool {
    guard let itemStart, itemStart < text.count else { return false }
    return text[itemStart] != ArrayGrammar.object && text[itemStart] != ArrayGrammar.array
  }

  /// The line starts here and is not indented more than the item.
  private var beginsLine: Bool {
    guard let column, let itemColumn else { return false }
    return column <= itemColumn && (grammar.depth > 1 || isBroken)
  }

  /// The current item is not valid; true when the scanner has gone back to its uncertain position.
  private mutating func breakGrammar(_ items: inout [Range<Int>]) -> Bool {
    if doubt != nil {
      goBack(&items)
      return true
    }
    isBroken = true
    grammar.endString()
    if itemStart == nil, !isSkipping { itemStart = at }
    return false
  }

  /// Records what the decision about the next byte may need.
  private mutating func note(_ byte: UInt8) {
    switch byte {
    case 0x0A: column = 0
    case 0x20, 0x09, 0x0D: column? += 1
    default:
      column = nil
      last = byte
      if byte != UInt8(ascii: ",") { lastSolid = at }
    }
  }

  // MARK: items

  private mutating func begin(_ ahead: ItemLookahead, in text: Span<UInt8>) {
    guard !isSkipping else { return }
    itemStart = at
    shapes.current = ahead.shape(text, at: at)
    // Without any indentation, a bracket alone on its line does not show the level of its object.
    let next = at + 1 < text.count ? text[at + 1] : 0
    itemColumn = column.flatMap { $0 == 0 && (next == 0x0A || next == 0x0D) ? nil : $0 }
  }

  private mutating func close(_ items: inout [Range<Int>]) {
    if let start = itemStart { items.append(start..<at) }
    if !isBroken { shapes.learn() }
    reset()
  }

  private mutating func breakOff(_ items: inout [Range<Int>], solid: Int) {
    if let start = itemStart, solid >= start { items.append(start..<solid + 1) }
    reset()
  }

  private mutating func reset() {
    (itemStart, itemColumn, isSkipping, doubt, isBroken) = (nil, nil, false, nil, false)
    grammar.beginItem()
  }

  /// Ends the item at its uncertain position, and continues from there.
  private mutating func goBack(_ items: inout [Range<Int>]) {
    guard let place = doubt else { return }
    settled = max(settled, at)
    breakOff(&items, solid: place.solid)
    // One before: the caller steps on.
    (at, column, last, lastSolid) = (place.at - 1, place.column, 0, min(place.solid, place.at))
  }
}
