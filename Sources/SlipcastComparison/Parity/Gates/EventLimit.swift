/// How many records or events may be so: `12`, or a share such as `0.5%`.
package struct EventLimit: Hashable, Sendable, CustomStringConvertible {
  private let count: Int
  /// The share of the others; `nil` for a number.
  private let rest: AgreementGate?
  /// As it was given.
  package let description: String

  /// Reads `12` or `0.5%`; `nil` for anything else.
  package init?(_ text: String) {
    description = text
    if let number = Int(text), number >= 0, !text.hasPrefix("+") {
      (count, rest) = (number, nil)
      return
    }
    guard var share = AgreementGate(text), share.path == nil else { return nil }
    share.millionths = 1_000_000 - share.millionths
    (count, rest) = (0, share)
  }

  static let none = EventLimit(count: 0)

  private init(count: Int) { (self.count, rest, description) = (count, nil, "\(count)") }

  var isAll: Bool { rest.map { $0.millionths == 0 } ?? false }

  /// True when so many of so many are not too many.
  func allows(_ count: Int, of all: Int) -> Bool {
    rest.map { $0.holds(agreeing: all - count, of: all) } ?? (count <= self.count)
  }
}
