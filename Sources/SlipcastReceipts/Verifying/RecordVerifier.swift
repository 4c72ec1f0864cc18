public import SlipcastMapping
public import SlipcastSignatures
internal import SlipcastWire

/// Verifies all signed values of a record: a bare token or receipt, or the tokens and receipts in a JSON record.
///
/// Make one verifier and share it: any number of tasks may use it at the same time.
public final class RecordVerifier: Sendable {
  /// As many as work at the same time; each caches signers.
  private let verifiers: Pool<SignedRecordVerifier>

  /// A verifier with a policy.
  public init(policy: VerificationPolicy, rules: RuleSet) {
    verifiers = Pool { SignedRecordVerifier(policy: policy, rules: rules) }
  }

  /// A verifier with a policy and the built-in rules.
  ///
  /// - Throws: `MappingErrors`; only a broken build can cause it.
  public convenience init(policy: VerificationPolicy) throws {
    self.init(policy: policy, rules: try LegacyConverter.PreparedRules.builtIn().rules)
  }

  /// Verifies a record: JSON text, a token, or a receipt in any of its forms.
  ///
  /// - Parameter record: an array of bytes, Foundation's `Data`, or the `utf8` of a text.
  /// - Returns: one verdict for each signed thing, in their order; at least one.
  public func verify(_ record: some Sequence<UInt8>) -> [Verdict] {
    let record = Array(record)
    return verifiers.use { $0.verify(record) }
  }

  /// Verifies a record from text.
  public func verify(_ record: String) -> [Verdict] { verify(record.utf8) }
}
