package import SlipcastMapping

/// How far apart the deliveries of one message are.
package struct RepeatWindows: Sendable {
  /// In one environment, in milliseconds.
  package struct Lengths: Hashable, Sendable {
    /// At most.
    package var delivery: Int64 = 0
    /// At least, where Apple repeats a message.
    package var firstRetry: Int64 = 0

    package init(delivery: Int64 = 0, firstRetry: Int64 = 0) {
      (self.delivery, self.firstRetry) = (delivery, firstRetry)
    }
  }

  private let production: Lengths
  private let sandbox: Lengths

  /// - Parameter lengths: the same in both environments; without any, no two messages are deliveries of one.
  package init(_ lengths: Lengths = Lengths()) { (production, sandbox) = (lengths, lengths) }

  /// As the rules say.
  package init(_ rules: RuleSet) {
    let (delivery, firstRetry) = (rules.window(.delivery), rules.window(.firstRetry))
    production = Lengths(delivery: delivery.milliseconds, firstRetry: firstRetry.milliseconds)
    sandbox = Lengths(delivery: delivery.sandbox, firstRetry: firstRetry.sandbox)
  }

  /// The lengths for the environment of a message.
  package func lengths(isSandbox: Bool) -> Lengths { isSandbox ? sandbox : production }
}
