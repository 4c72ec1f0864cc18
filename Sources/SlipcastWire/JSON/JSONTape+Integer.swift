extension JSONTape {
  /// The integer at a position, also one written `1.0` or `1e3`; `nil` for fractions and for numbers beyond 64 bits.
  package func integer(_ index: Int) -> Int64? {
    let text = text(index).buffer
    var digits = text[...]
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative { digits = digits.dropFirst() }
    guard !digits.isEmpty, digits.count <= 18 else {
      return Self.whole(String(decoding: text, as: UTF8.self))
    }
    var value: Int64 = 0
    for digit in digits {
      guard digit >= 48, digit <= 57 else { return Self.whole(String(decoding: text, as: UTF8.self)) }
      value = value &* 10 &+ Int64(digit &- 48)
    }
    return isNegative ? -value : value
  }

  /// A number in any spelling of JSON, by its digits: `Double` rounds beyond 2^53.
  ///
  /// Source: Foundation's JSONDecoder, with which Apple's Swift library reads integers, accepts `1.0` and `1e3`.
  private static func whole(_ text: String) -> Int64? {
    let parts = text.split { $0 == "e" || $0 == "E" }
    let mantissa = parts[0].split(separator: ".")
    let fraction = mantissa.count == 2 ? mantissa[1] : ""
    let digits = mantissa[0] + fraction
    guard digits.contains(where: { $0 != "0" && $0 != "-" }) else { return 0 }
    guard let exponent = parts.count == 2 ? Int32(parts[1]) : 0 else { return nil }
    let shift = Int(exponent) - fraction.count
    guard shift <= 0 else { return shift > 18 ? nil : Int64(digits + String(repeating: "0", count: shift)) }
    return digits.suffix(-shift).allSatisfy { $0 == "0" } ? Int64(digits.dropLast(-shift)) : nil
  }
}
