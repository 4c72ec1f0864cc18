/// How sure a mapping rule is of what it says.
///
/// Source: Slipcast, mapping rules.
public enum Confidence: String, CaseIterable, Hashable, Sendable {
  /// Apple's text says so.
  case documented
  /// Real payloads or public code agree on it.
  case corroborated
  /// Concluded from other rules or payloads.
  case inferred
  /// Several readings are possible; the candidates are listed.
  case ambiguous
}
