/// Shares in words.
enum Share {
  /// `99.87%`: cut, never rounded up, so that 100% means all and 0% means none.
  ///
  /// Four digits behind the point where two would be nines; `–` where there is nothing to share.
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
