import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures

/// What `diff --verify` finds out about the two records.
struct PairTrust {
  /// The sides all of whose signed things are trusted.
  private(set) var verified: Set<ComparisonError.Side> = []
  private(set) var notes: [Comparison.Note] = []

  /// Verifies what is signed in both records; `nil` when nothing was asked for.
  ///
  /// - Throws: `UncomparableError` where only trusted records will do.
  init?(
    legacy: DiffCommand.Input, server: DiffCommand.Input, _ arguments: Arguments, _ rules: RuleSet, _ console: Console
  ) throws {
    guard let policy = try TrustOptions.policyIfAsked(arguments) else { return nil }
    TrustOptions.warn(policy, console)
    let verifier = SignedRecordVerifier(stored: policy, rules: rules)
    let sides: [(DiffCommand.Input, ComparisonError.Side, String)] = [
      (legacy, .legacy, "first"), (server, .server, "second"),
    ]
    for (input, side, which) in sides {
      let verdicts = verifier.verify(input.record)
      if verdicts.allSatisfy({ $0.isValid && !$0.isUnverified }) { verified.insert(side) }
      for verdict in verdicts {
        guard let refusal = verdict.refusal else { continue }
        let place = verdict.path.isEmpty ? "" : "\(verdict.path): "
        let message = "\(place)\(refusal.reason.rawValue): \(refusal)"
        if arguments.has("require-verified") { throw UncomparableError(message: "\(input.name): \(message)") }
        let code = refusal.reason == .nothingSigned ? "nothingSigned" : "unverified"
        notes.append(
          Comparison.Note(code: code, isWarning: code == "unverified", message: "the \(which) record: \(message)"))
      }
    }
  }
}
