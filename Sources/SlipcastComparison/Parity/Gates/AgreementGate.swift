/// A share of pairs that must agree: `99.9%` of all pairs, or of those that have one path.
package struct AgreementGate: Hashable, Sendable {
  /// The path, list places as `[*]`; `entitlement` for access; `nil` for pairs as a whole.
  package var path: String?
  /// The share, in millionths: 999,000 for 99.9 %.
  package var millionths: Int

  /// Reads `99.9%` or `data.transactionInfo.expiresDate=100%`; `nil` for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let share = parts.last, let millionths = Self.millionths(share) else { return nil }
    if parts.count == 2 {
      guard !parts[0].isEmpty else { return nil }
      path = parts[0]
    }
    self.millionths = millionths
  }

  /// A share from 0% to 100% with up to four places.
  ///
  /// The sign must be there: 0.95 may mean 95% or less than one.
  private static func millionths(_ text: String) -> Int? {
    guard text.hasSuffix("%") else { return nil }
    let parts = text.dropLast().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    // Int reads signs too.
    guard parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let whole = parts.first.flatMap({ Int($0) }), (0...100).contains(whole)
    else { return nil }
    var places = 0
    if parts.count == 2 {
      guard (1...4).contains(parts[1].count), let value = Int(parts[1]) else { return nil }
      places = value
      for _ in parts[1].count..<4 { places *= 10 }
    }
    let millionths = whole * 10_000 + places
    return millionths <= 1_000_000 ? millionths : nil
  }

  /// The share in words: `99.9%`.
  package var share: String {
    let whole = "\(millionths / 10_000)"
    var places = String("\(millionths % 10_000 + 10_000)".dropFirst())
    while places.hasSuffix("0") { places.removeLast() }
    return places.isEmpty ? whole + "%" : "\(whole).\(places)%"
  }

  /// True when so many of so many agree often enough.
  func holds(agreeing: Int, of all: Int) -> Bool {
    // Exact: a share that is missed by one pair in ten millions is missed.
    let (left, one) = agreeing.multipliedReportingOverflow(by: 1_000_000)
    let (right, two) = all.multipliedReportingOverflow(by: millionths)
    return one || two ? Double(agreeing) >= Double(all) * Double(millionths) / 1e6 : left >= right
  }
}
