/// Finds the items of a top-level array without reading them: brackets are counted, strings are passed over.
///
/// The state survives from block to block, so an array of any length is taken in pieces. A string ends with its line.
/// An item that is broken ends where a line begins with `{` no further in than the item itself did: there the next item
/// begins. Where JSON allows an object at the place, the item may be whole and only laid out so: then the place is
/// remembered, and taken when the brackets turn out not to fit.
struct ArrayScanner: Hashable, Sendable {
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
  /// The brackets that are open, the array's own first.
  private var brackets: [UInt8] = []
  private var depth: Int { brackets.count }
  private var isInString = false
  private var isEscaped = false
  private var itemStart: Int?
  /// How far the item's first line is indented, when the item begins its line and nested objects would be told apart.
  private var itemColumn: Int?
  private var isSkipping = false
  /// Blanks since the last line feed, while nothing else has come.
  private var column: Int? = 0
  /// Where the last byte stood that is neither blank nor comma.
  private var lastSolid = 0
  /// The last byte that is no blank.
  private var last: UInt8 = 0
  /// Where the item at hand may have been broken off, and where its text then ended.
  private var doubt: Doubt?
  private struct Doubt: Hashable, Sendable {
    var at: Int
    var column: Int?
    var solid: Int
  }

  /// Up to here doubts were settled by going back; they are not remembered again.
  private var settled = 0

  /// Begins at the opening bracket.
  init(at bracket: Int) { at = bracket }

  /// All that the scanner knows, as numbers.
  var numbers: [Int] {
    func optional(_ value: Int?) -> [Int] { [value == nil ? 0 : 1, value ?? 0] }
    let flags = (isInString ? 1 : 0) | (isEscaped ? 2 : 0) | (isSkipping ? 4 : 0) | (doubt == nil ? 0 : 8)
    return [at, lastSolid, Int(last), settled, flags] + optional(itemStart) + optional(itemColumn) + optional(column)
      + [doubt?.at ?? 0, doubt?.solid ?? 0] + optional(doubt?.column) + brackets.map(Int.init)
  }

  /// The scanner that gave the numbers; `nil` for other numbers, which a checkpoint may hold that somebody has changed.
  init?(numbers: [Int]) {
    guard numbers.count > 15, numbers.allSatisfy({ $0.magnitude <= 1 << 40 }),
      numbers[15...].allSatisfy({ $0 == 0x5B || $0 == 0x7B }),
      let last = UInt8(exactly: numbers[2])
    else { return nil }
    func optional(_ place: Int) -> Int? { numbers[place] == 0 ? nil : numbers[place + 1] }
    let flags = numbers[4]
    (at, lastSolid, settled) = (numbers[0], numbers[1], numbers[3])
    self.last = last
    (isInString, isEscaped, isSkipping) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    (itemStart, itemColumn, column) = (optional(5), optional(7), optional(9))
    if flags & 8 != 0 { doubt = Doubt(at: numbers[11], column: optional(13), solid: numbers[12]) }
    brackets = numbers[15...].map { UInt8($0) }
    guard isSound else { return nil }
  }

  /// Places stand in the order in which they come about.
  private var isSound: Bool {
    guard at >= 0, lastSolid <= at, itemStart.map({ $0 >= 0 && $0 <= lastSolid }) ?? true else { return false }
    // What is passed over is no item, and inside of brackets one or the other is at hand.
    guard isSkipping ? itemStart == nil : itemStart != nil || depth == 1 else { return false }
    guard let doubt else { return true }
    guard let itemStart else { return isSkipping && doubt.at >= 0 && doubt.at <= at }
    return doubt.at > itemStart && doubt.at <= at && doubt.solid >= itemStart && doubt.solid < doubt.at
  }

  /// The text before `end` is gone.
  mutating func moved(by end: Int) {
    at -= end
    lastSolid -= end
    settled -= end
    doubt = doubt.map { Doubt(at: $0.at - end, column: $0.column, solid: $0.solid - end) }
    itemStart = itemStart.map { $0 - end }
  }

  mutating func scan(
    _ text: UnsafeBufferPointer<UInt8>, isAtEnd: Bool, limit: Int, items: inout [Range<Int>]
  ) -> Result {
    dropFalsePlace(text.count, isAtEnd: isAtEnd, limit: limit)
    while at < text.count {
      // The line of a bracket must be known to tell whether it stands alone.
      if text[at] == UInt8(ascii: "{"), at + 1 == text.count, !isAtEnd { break }
      if step(text, &items) {
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
      // What lies behind a doubt may have to be gone over once more, and a bracket at the end has not been passed yet.
      let end = doubt?.at ?? at
      return end > 0 ? .items(end: end) : .needsMore
    }
    guard let start = itemStart else { return .items(end: at) }
    if !items.isEmpty { return .items(end: start) }
    if text.count - start > limit {
      passLast(text, &items)
      (itemStart, isSkipping, doubt) = (nil, true, nil)
      return .oversized
    }
    return .needsMore
  }

  /// A place behind the text is one in an item that is still being read; elsewhere only a checkpoint that somebody has
  /// changed says so.
  private mutating func dropFalsePlace(_ count: Int, isAtEnd: Bool, limit: Int) {
    guard at > count else { return }
    if let itemStart, !isAtEnd, itemStart <= count, count - itemStart <= limit { return }
    (at, lastSolid, itemStart, doubt) = (count, count, nil, nil)
  }

  /// Passes a bracket that waits for the byte behind it: all of the text is given up now.
  private mutating func passLast(_ text: UnsafeBufferPointer<UInt8>, _ items: inout [Range<Int>]) {
    guard at < text.count else { return }
    _ = step(text, &items)
    at += 1
  }

  /// Passes one byte; true at the array's closing bracket.
  private mutating func step(_ text: UnsafeBufferPointer<UInt8>, _ items: inout [Range<Int>]) -> Bool {
    let byte = text[at]
    if byte == 0x0A { (isInString, isEscaped) = (false, false) }
    if isInString {
      passString(byte)
    } else if depth == 1, byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
      close(&items)
      if byte == UInt8(ascii: "]") { return true }
    } else {
      if byte == UInt8(ascii: "{"), depth > 1, let column, let itemColumn, column <= itemColumn {
        if RecordExtent.mayBeginObject(in: brackets.last, behind: last), at >= settled {
          doubt = doubt ?? Doubt(at: at, column: column, solid: lastSolid)
        } else if doubt != nil {
          goBack(&items)
          return false
        } else {
          breakOff(&items, solid: lastSolid)
        }
      }
      if doubt != nil, !fits(byte) {
        goBack(&items)
        return false
      }
      open(text, byte)
    }
    note(byte)
    return false
  }

  /// Remembers what the next byte may be judged by.
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

  private mutating func passString(_ byte: UInt8) {
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      isInString = false
    }
  }

  private mutating func open(_ text: UnsafeBufferPointer<UInt8>, _ byte: UInt8) {
    if depth >= 1, itemStart == nil, !BlockReader.isSpace(byte) { begin(text) }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "["), UInt8(ascii: "{"): brackets.append(byte)
    // A brace too many belongs to its broken item; it must not close the array.
    case UInt8(ascii: "]"), UInt8(ascii: "}"): if depth > 1 { brackets.removeLast() }
    default: break
    }
  }

  private mutating func begin(_ text: UnsafeBufferPointer<UInt8>) {
    if !isSkipping { itemStart = at }
    // Without any indentation a bracket alone on its line says nothing about where its object stands.
    let isAlone = at + 1 < text.count && (text[at + 1] == 0x0A || text[at + 1] == 0x0D)
    itemColumn = column.flatMap { $0 == 0 && isAlone ? nil : $0 }
  }

  private mutating func close(_ items: inout [Range<Int>]) {
    if let start = itemStart { items.append(start..<at) }
    (itemStart, itemColumn, isSkipping, doubt) = (nil, nil, false, nil)
  }

  private mutating func breakOff(_ items: inout [Range<Int>], solid: Int) {
    if let start = itemStart, solid >= start { items.append(start..<solid + 1) }
    (itemStart, itemColumn, isSkipping, doubt) = (nil, nil, false, nil)
    brackets.removeLast(depth - 1)
  }

  /// Ends the item where it came into doubt, and goes on from there.
  private mutating func goBack(_ items: inout [Range<Int>]) {
    guard let place = doubt else { return }
    settled = max(settled, at)
    breakOff(&items, solid: place.solid)
    // One before: the caller steps on.
    (at, column, isInString, isEscaped) = (place.at - 1, place.column, false, false)
  }

  /// A closing bracket fits the one that is open.
  private func fits(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "]"): brackets.last == UInt8(ascii: "[")
    case UInt8(ascii: "}"): brackets.last == UInt8(ascii: "{")
    default: true
    }
  }
}
