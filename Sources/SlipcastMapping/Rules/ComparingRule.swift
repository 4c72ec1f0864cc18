public import SlipcastV2

/// A reading that lets two unequal values stand side by side without contradiction.
public struct ComparingRule: Sendable {
  /// How it is applied.
  public enum Way: String, CaseIterable, Hashable, Sendable {
    /// Type and subtype as one event.
    case event
    /// A value that Slipcast makes up.
    case synthetic
    /// A date of Apple's signature.
    case signing
    /// A list's own way of being cut into pages.
    case paging
    /// A version that may differ.
    case version
    /// UUIDs by value.
    case uuid
    /// Another id of the same purchase.
    case renumbered
    /// A date within a tolerance.
    case skew
    /// A date that has a meaning only while it is in the future.
    case grace
    /// A state near the moment in which it changes.
    case boundary
    /// A member that is younger than the V2 record.
    case since
    /// An item that may be on another page of the answer.
    case page
    /// An item, or a revocation, that is younger than V1's record.
    case later
    /// A purchase that one list has twice.
    case repeated
    /// A value that Apple changes on earlier transactions too.
    case revised
    /// A date within the tolerance that the rule of its field, or the caller, sets.
    case tolerance
    /// A cancellation that V1 does not distinguish from an upgrade.
    case upgrade
    /// One of two offers that V1 names.
    case offers
    /// A state that one of the two records shows to be younger than the other one.
    case snapshot
    /// A state that may have changed between two answers.
    case between
    /// A consumable, which V1 does not list once it is finished.
    case finished
    /// A flag that V2 states as false where V1 leaves the key out.
    case quiet

    /// The two values are not comparable.
    package var isNeverCompared: Bool { self == .synthetic || self == .signing || self == .paging }
  }

  /// `compare.` and the way.
  public var id: String
  /// How it is applied.
  public var way: Way
  /// The class of a difference that it explains.
  public var differenceClass: DifferenceClass
  /// Its tolerance in milliseconds, where it has one.
  public var milliseconds: Int64
  /// One sentence for reports.
  public var meaning: String
  /// How well it is known.
  public var confidence: Confidence
  /// Keys of `sources.json`.
  public var source: String
}

/// What a field rule knows besides the mapping itself, for comparing.
public struct ComparingNotes: Hashable, Sendable {
  /// What an absent V1 key means; `nil` when absence has no meaning.
  public var absent: String?
  /// The V2 value, as JSON text, that says the same as silence.
  public var silentAs: String?
  /// V2 values that V1 cannot express, each with the converted values (`absent` for none) that may correspond to it.
  public var untold: [String: [String]] = [:]
  /// V2 values that a converted value may stand for, each with the converted values, where the record leaves it open.
  public var mayBe: [String: [String]] = [:]
  /// The V2 sibling that decides whether V1 could express this one.
  public var follows: String?
  /// The reading for unequal values.
  public var compare: ComparingRule.Way?
  /// The V2 type of events in which V1's silence has no meaning; `*`: V1 may mention it and yet leave it open, so its
  /// absence in an earlier conversion has no meaning.
  public var undecidable: String?
  /// It is a state at the time of the record, which purchases and refunds change.
  public var isState = false
  /// It is a value of one period of a subscription, and of the next one another.
  public var isOfPeriod = false
  /// How far two dates of the field may differ without a conflict, in milliseconds; `nil`: not at all.
  public var tolerance: Int64?
  /// Relations of single V1 keys, where they differ from the rule's.
  public var relations: [String: Relation] = [:]
}
