import SlipcastWire

/// Numbers of things in words, moments, and shares.
package enum Words {
  /// `1 pair`, `1,204 pairs`.
  package static func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(number.grouped) \(several ?? one + "s")"
  }

  /// `2025-07-15 00:00:00 UTC`.
  package static func moment(_ milliseconds: Int64) -> String {
    Timestamp(milliseconds: milliseconds).description.replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// `2025-07-15`, in UTC.
  package static func day(_ milliseconds: Int64) -> String {
    String(Timestamp(milliseconds: milliseconds).description.prefix { $0 != "T" })
  }

  /// `2021-11-02 to 2025-03-01`; one day where both are the same.
  static func days(_ span: ClosedRange<Int64>) -> String {
    let (first, last) = (day(span.lowerBound), day(span.upperBound))
    return first == last ? first : "\(first) to \(last)"
  }

  /// A share from 0 to 1, which a report states with four decimal places, as `percent(_:of:)` writes it.
  package static func percent(_ share: Double) -> String {
    percent(Int((min(1, max(0, share)) * 1_000_000).rounded()), of: 1_000_000)
  }

  /// `99.87%`: cut, never rounded up, so that 100% means all and 0% means none.
  ///
  /// Four decimal places where two would be nines; `–` where there is nothing to share.
  static func percent(_ part: Int, of whole: Int) -> String {
    guard whole > 0 else { return "–" }
    guard part > 0 else { return "0%" }
    guard part < whole else { return "100%" }
    // Twice as wide in between: counts have no bounds here.
    let millionths = whole.dividingFullWidth(part.multipliedFullWidth(by: 1_000_000)).quotient
    if millionths < 100 { return "under 0.01%" }
    let (percent, rest) = (millionths / 10_000, millionths % 10_000)
    return millionths >= 999_900 ? "\(percent).\(rest)%" : "\(percent).\(rest < 1000 ? "0" : "")\(rest / 100)%"
  }
}

extension String {
  /// The text without characters that control a terminal or change the direction of writing.
  var safe: String { SafeText.words(self) }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension Sequence where Element == String {
  /// The texts that are not empty, with commas between them.
  var listed: String { filter { !$0.isEmpty }.joined(separator: ", ") }
}
