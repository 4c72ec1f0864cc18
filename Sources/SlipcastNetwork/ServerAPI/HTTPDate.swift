internal import SlipcastWire

/// Dates of HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 section 5.6.7).
enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Milliseconds since 1970 UTC; `nil` for anything else.
  static func milliseconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: words[2]), let day = Int(words[1]),
      let year = Int(words[3])
    else { return nil }
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return RFC3339Date.milliseconds(Array("\(year)-\(digits(month + 1))-\(digits(day))T\(words[4])Z".utf8))
  }
}
