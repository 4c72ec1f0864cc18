package import SlipcastMapping

/// How far apart the deliveries of one message are, in milliseconds.
package struct RepeatWindows: Sendable {
  /// At most.
  package var delivery: Int64 = 0
  /// At least, where Apple repeats a message.
  package var firstRetry: Int64 = 0

  /// No two messages are deliveries of one.
  package init() {}

  /// As the rules say.
  package init(_ rules: RuleSet) {
    (delivery, firstRetry) = (rules.window(.delivery).milliseconds, rules.window(.firstRetry).milliseconds)
  }
}
