/// How well a mapping is known.
///
/// Source: Slipcast, mapping rules.
public enum Confidence: String, CaseIterable, Hashable, Sendable, Comparable {
  /// Stated in Apple's documents.
  case documented
  /// Real payloads, Apple's answers in its forum or public code agree on it.
  case corroborated
  /// Concluded from other rules or payloads.
  case inferred
  /// Several readings are possible; the candidates are listed.
  case ambiguous

  /// Orders from best to least known.
  public static func < (left: Confidence, right: Confidence) -> Bool { left.place < right.place }

  /// Its place in that order, from 0.
  package var place: Int {
    switch self {
    case .documented: 0
    case .corroborated: 1
    case .inferred: 2
    case .ambiguous: 3
    }
  }
}
