import SlipcastComparison

/// A reviewed and accepted difference, written in a test's source.
///
/// It says what a line of an ignore file says, with the same patterns: a dotted path of V2 or V1 or a JSON pointer,
/// where `*` stands for any part of one name, `[*]` for any place of a list, `**` for any number of steps.
///
///     expectParity(
///       legacy: v1, server: v2,
///       ignoring: [IgnoreRule("data.transactionInfo.price", until: "2027-01-31", because: "billing checks prices")])
///
/// A rule that has expired no longer counts. A rule that has expired or fits no difference becomes a warning of the
/// test, as in `slipcast diff`: a list must not rot, but a test does not fail because things have become better.
public struct IgnoreRule: Hashable, Sendable {
  /// What it fits.
  public var pattern: String
  /// The last day on which it counts, `yyyy-MM-dd` UTC; `nil` when it does not end.
  public var until: String?
  /// Why the difference is accepted.
  public var reason: String
  /// True for a rule that serves many cases: no warning where one of them does not need it.
  public var isShared: Bool

  /// The file and line of the rule.
  let source: String
  let line: Int

  /// Accepts a difference.
  ///
  /// An expectation with a rule that has no reason, or an invalid day, fails.
  ///
  /// - Parameters:
  ///   - pattern: the path of the field, or a pattern for several.
  ///   - until: the last day on which the rule counts, `yyyy-MM-dd` UTC.
  ///   - isShared: true for a rule that serves many cases, of which some do not need it.
  ///   - reason: why the difference is accepted.
  ///   - fileID: the source file, for messages.
  ///   - line: the line in it.
  public init(
    _ pattern: String, until: String? = nil, isShared: Bool = false, because reason: String,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    (self.pattern, self.until, self.isShared, self.reason) = (pattern, until, isShared, reason)
    source = "\(fileID)".split(separator: "/").last.map(String.init) ?? "\(fileID)"
    self.line = Int(line)
  }
}
