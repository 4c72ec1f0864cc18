internal import SlipcastWire

/// Numbers of things in words, and moments.
enum Words {
  /// `1 pair`, `1,204 pairs`.
  static func count(_ number: Int, _ one: String, _ several: String? = nil) -> String {
    number == 1 ? "1 \(one)" : "\(number.grouped) \(several ?? one + "s")"
  }

  /// `2025-07-15 00:00:00 UTC`.
  static func moment(_ milliseconds: Int64) -> String {
    Timestamp(milliseconds: milliseconds).description.replacing("T", with: " ").replacing("Z", with: " UTC")
  }

  /// `2025-07-15`.
  static func day(_ milliseconds: Int64) -> String {
    String(Timestamp(milliseconds: milliseconds).description.prefix { $0 != "T" })
  }
}
