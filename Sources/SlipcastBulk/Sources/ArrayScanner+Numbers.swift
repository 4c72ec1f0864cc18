// The state of an array scanner, as numbers: a checkpoint contains them.
extension ArrayScanner {
  private static let fixed = 19

  var numbers: [Int] {
    func optional(_ value: Int?) -> [Int] { [value == nil ? 0 : 1, value ?? 0] }
    let flags =
      (grammar.isInString ? 1 : 0) | (grammar.isEscaped ? 2 : 0) | (isSkipping ? 4 : 0) | (doubt == nil ? 0 : 8)
      | (isBroken ? 16 : 0)
    return [at, lastSolid, Int(last), settled, flags] + optional(itemStart) + optional(itemColumn) + optional(column)
      + [doubt?.at ?? 0, doubt?.solid ?? 0] + optional(doubt?.column)
      + [nestedEnd, grammar.expected.rawValue, shapes.current, shapes.known.count] + shapes.known
      + grammar.brackets.map(Int.init)
  }

  /// The scanner with that state; `nil` for invalid numbers, which a changed checkpoint may contain.
  init?(numbers: [Int]) {
    guard numbers.count > Self.fixed, numbers.allSatisfy({ $0.magnitude <= 1 << 40 }),
      (0...ItemShapes.most).contains(numbers[18]), numbers.count > Self.fixed + numbers[18],
      let last = UInt8(exactly: numbers[2]), let expected = ArrayGrammar.Expected(rawValue: numbers[16])
    else { return nil }
    let brackets = numbers[(Self.fixed + numbers[18])...]
    guard brackets.first == 0x5B, brackets.allSatisfy({ $0 == 0x5B || $0 == 0x7B }) else { return nil }
    func optional(_ place: Int) -> Int? { numbers[place] == 0 ? nil : numbers[place + 1] }
    let flags = numbers[4]
    self.init(at: numbers[0])
    (lastSolid, self.last, settled) = (numbers[1], last, numbers[3])
    (grammar.isInString, grammar.isEscaped) = (flags & 1 != 0, flags & 2 != 0)
    (isSkipping, isBroken) = (flags & 4 != 0, flags & 16 != 0)
    (itemStart, itemColumn, column) = (optional(5), optional(7), optional(9))
    if flags & 8 != 0 { doubt = Doubt(at: numbers[11], column: optional(13), solid: numbers[12]) }
    (nestedEnd, grammar.expected, shapes.current) = (numbers[15], expected, numbers[17])
    shapes.known = Array(numbers[Self.fixed..<Self.fixed + numbers[18]])
    grammar.brackets = brackets.map { UInt8($0) }
    guard isSound else { return nil }
  }

  private var isSound: Bool {
    guard at >= 0, lastSolid <= at, itemStart.map({ $0 >= 0 && $0 <= lastSolid }) ?? true else { return false }
    // Skipped text is not an item, and inside brackets there is either of the two.
    guard isSkipping ? itemStart == nil : itemStart != nil || grammar.depth == 1 && !isBroken else { return false }
    guard let doubt else { return true }
    guard let itemStart else { return isSkipping && doubt.at >= 0 && doubt.at <= at }
    return doubt.at > itemStart && doubt.at <= at && doubt.solid >= itemStart && doubt.solid < doubt.at
  }
}
