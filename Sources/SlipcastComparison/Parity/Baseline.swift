/// A known difference that a team has looked at: where, between which events, how often at most, why, and until when.
public struct KnownDifference: Hashable, Sendable {
  /// The path of V2, or V1's where V2 has none, list places as `[*]`; `entitlement` for a conflict about access.
  public var path: String
  /// Its class: `conflict`, or a class that `--strict` lets fail.
  public var differenceClass: String
  /// V1's `notification_type`, or type and subtype of a V2 record that stands in.
  public var legacy: String
  /// V2's type and subtype.
  public var server: String
  /// So many pairs at most; `nil` for any number.
  public var atMost: Int?
  /// Why it is accepted.
  public var reason: String
  /// The last day on which it counts, `yyyy-MM-dd` UTC; `nil` when it does not end.
  public var until: String?
}
