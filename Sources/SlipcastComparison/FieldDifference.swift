public import SlipcastMapping
public import SlipcastV2

/// One field of a pair: both sides, how they relate, why, and the sources.
public struct FieldDifference: Hashable, Sendable {
  /// Dotted path of the V1 value; `nil` when V1 has none.
  public var v1Path: String?
  /// Dotted path in the decoded V2 record; `nil` when V2 has no place for it.
  public var v2Path: String?
  /// The V1 value (`"1"`); `nil` when absent.
  public var v1: ComparedValue?
  /// What the rules make of it (`1`), or the value of a V2 record in place of V1; `nil` when absent.
  public var cast: ComparedValue?
  /// The V2 value; `nil` when absent.
  public var v2: ComparedValue?
  /// What the difference means.
  public var differenceClass: DifferenceClass
  /// The rule that decided; `nil` where no rule speaks of the field.
  public var rule: String?
  /// How well that rule is known.
  public var confidence: Confidence?
  /// One line for a person; empty only for `identical`.
  public var explanation: String
  /// The rule's trap, when it has one.
  public var note: String?
  /// The documents behind the rule.
  public var sources: [Citation]
  /// What a device would have said, where StoreKit has such a property and it was asked for.
  public var storekit: StoreKitColumn?
  /// V1 has a value that cannot be read as what Apple documents there, so the two sides cannot agree.
  public var isUnreadable = false
  /// Why this difference is ignored; `nil` when it counts.
  public var ignored: IgnoredDifference?

  /// The event agrees, but by another reading than the plain one.
  var isAcceptedReading = false

  /// The path to show first: V2's, or V1's where V2 has none.
  public var path: String { v2Path ?? v1Path ?? "" }
}

/// What StoreKit would have said on a device.
public struct StoreKitColumn: Hashable, Sendable {
  /// The property's name (`willAutoRenew`).
  public var name: String
  /// Its value according to the cast; `nil` for Swift's nil.
  public var cast: String?
  /// Its value according to V2; `nil` for Swift's nil.
  public var v2: String?
}

/// A line of an ignore file that matched.
public struct IgnoredDifference: Hashable, Sendable {
  /// The reason given there.
  public var reason: String
  /// What the caller calls the list: a file's path.
  public var list: String
  /// The line's number, from 1.
  public var line: Int
  /// The last day on which it counts, `yyyy-MM-dd`; `nil` when it does not end.
  public var until: String?
}
