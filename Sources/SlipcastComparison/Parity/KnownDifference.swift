internal import SlipcastWire

/// A known difference that a team has looked at: where, between which events, how often at most, why, and until when.
package struct KnownDifference: Hashable, Sendable {
  /// The path of V2, or V1's where V2 has none, list places as `[*]`; `entitlement` for a conflict about access.
  package var path: String
  /// Its class: `conflict`, or a class that `--strict` lets fail.
  package var differenceClass: String
  /// How the two sides stand to each other; `nil` in files that older versions wrote: it then accepts nothing.
  package var kind: DifferenceKind?
  /// V1's `notification_type`, or type and subtype of a V2 record in its place.
  package var legacy: String
  /// V2's type and subtype.
  package var server: String
  /// So many pairs at most; `nil` for any number.
  package var atMost: Int?
  /// Why it is accepted.
  package var reason: String
  /// The last day on which it counts, `yyyy-MM-dd` UTC; `nil` when it does not end.
  package var until: String?

  /// Describes a known difference.
  package init(
    path: String, differenceClass: String, kind: DifferenceKind?, legacy: String, server: String, atMost: Int?,
    reason: String, until: String?
  ) {
    (self.path, self.differenceClass, self.kind) = (path, differenceClass, kind)
    (self.legacy, self.server) = (legacy, server)
    (self.atMost, self.reason, self.until) = (atMost, reason, until)
  }

  /// What makes it the same as a difference that was found.
  struct Identity: Hashable {
    var path: String
    var differenceClass: String
    var kind: DifferenceKind?
    var legacy: String
    var server: String
  }

  var identity: Identity {
    Identity(path: path, differenceClass: differenceClass, kind: kind, legacy: legacy, server: server)
  }

  func isExpired(at now: Timestamp) -> Bool { until.map { now.isPast(day: $0) } ?? false }

  /// Both are about the same path, class and events, and of the same kind where both state one.
  package func isSame(as other: KnownDifference) -> Bool {
    (path, differenceClass, legacy, server) == (other.path, other.differenceClass, other.legacy, other.server)
      && (kind == nil || other.kind == nil || kind == other.kind)
  }

  /// The path by which conflicts about access are known.
  package static let entitlement = "entitlement"
}
