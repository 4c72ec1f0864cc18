extension Int {
  /// The digits in groups of three: `1,234,567`.
  package var grouped: String {
    var digits = Array(String(magnitude).reversed())
    for place in stride(from: 3, to: digits.count, by: 3).reversed() { digits.insert(",", at: place) }
    return (self < 0 ? "-" : "") + String(digits.reversed())
  }
}
