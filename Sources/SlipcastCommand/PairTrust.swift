import SlipcastComparison
import SlipcastMapping
import SlipcastReceipts
import SlipcastSignatures

/// What `diff --verify` finds out about the two records.
final class PairTrust {
  private let verifier: RecordVerifier
  private let isRequired: Bool
  /// The sides all of whose signed things are trusted.
  private(set) var verified: Set<ComparisonError.Side> = []
  /// What a person should know.
  private(set) var notes: [Comparison.Note] = []

  /// `nil` when nothing was asked for.
  init?(_ arguments: Arguments, _ rules: RuleSet, _ console: Console) throws {
    guard let policy = try TrustOptions.policyIfAsked(arguments, DiffCommand.description) else { return nil }
    TrustOptions.warn(policy, console)
    verifier = RecordVerifier(policy: policy, rules: rules)
    isRequired = arguments.has("require-verified")
  }

  /// Verifies what is signed in both records.
  ///
  /// - Throws: `UncomparableError` where only trusted records will do.
  func judge(legacy: DiffCommand.Input, server: DiffCommand.Input) throws {
    try judge(legacy, .legacy, "first")
    try judge(server, .server, "second")
  }

  private func judge(_ input: DiffCommand.Input, _ side: ComparisonError.Side, _ which: String) throws {
    let verdicts = verifier.verify(input.bytes)
    if verdicts.allSatisfy({ $0.isValid && !$0.isUnverified }) { verified.insert(side) }
    for verdict in verdicts {
      guard let refusal = verdict.refusal else { continue }
      let place = verdict.path.isEmpty ? "" : "\(verdict.path): "
      let message = "\(place)\(refusal.reason.rawValue): \(refusal)"
      if isRequired { throw UncomparableError(message: "\(input.name): \(message)") }
      let code = refusal.reason == .nothingSigned ? "nothingSigned" : "unverified"
      notes.append(
        Comparison.Note(code: code, isWarning: code == "unverified", message: "the \(which) record: \(message)"))
    }
  }
}
