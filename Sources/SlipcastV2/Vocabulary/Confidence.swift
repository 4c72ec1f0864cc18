/// The confidence of a mapping rule.
///
/// Source: Slipcast, mapping rules.
public enum Confidence: String, CaseIterable, Hashable, Sendable {
  /// Stated in Apple's documents.
  case documented
  /// Real payloads or public code agree on it.
  case corroborated
  /// Concluded from other rules or payloads.
  case inferred
  /// Several readings are possible; the candidates are listed.
  case ambiguous
}
