extension JSONTape {
  /// The integer at a position; `nil` for fractions and for numbers beyond 64 bits.
  package func integer(_ index: Int) -> Int64? {
    let text = text(index).buffer
    var digits = text[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard !digits.isEmpty, digits.count <= 18 else {
      return Int64(String(decoding: text, as: UTF8.self))
    }
    var value: Int64 = 0
    for digit in digits {
      guard digit >= 48, digit <= 57 else { return nil }
      value = value &* 10 &+ Int64(digit &- 48)
    }
    return isNegative ? -value : value
  }
}
