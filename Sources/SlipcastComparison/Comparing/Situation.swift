internal import SlipcastMapping
internal import SlipcastWire

/// One field of a pair, ready to be classed.
struct Situation {
  var field: ComparedField?
  /// How V1 and V2 relate here; the rule's, or the V1 key's own.
  var relation = Relation.identical
  var isInferred = false
  var cast: ScalarView?
  var server: ScalarView?
  /// V2's value of the field that the rule follows.
  var sibling: ScalarView?
  var absence: Account.Absence.Reason?
  /// False when both are V2 records of the same standing.
  var isFromLegacy = true
  /// One side, whichever it is, holds what Slipcast made.
  var isOneOfTwoCast = true
  var isUnreadable = false
  /// V1 names two values and leaves open which one applied.
  var open: OpenOffer?
  /// The record leaves open whether the converted value stands for another V2 value.
  var mayBeOther = false
}

/// What surrounds the fields of one object pair, for readings that need more than two values.
struct Surroundings {
  /// When the V2 record was signed, milliseconds since 1970 UTC.
  var signedDate: Int64?
  var eventTime: Int64?
  // Lists are made where they are asked for: few pairs need them, and each list is an allocation.
  var ends: (Int64?, Int64?, Int64?, Int64?) = (nil, nil, nil, nil)
  var graces: (Int64?, Int64?) = (nil, nil)

  /// Ends of periods, as either side states them.
  var expiries: [Int64?] { [ends.0, ends.1, ends.2, ends.3] }
  /// Ends of grace periods, as either side states them.
  var graceEnds: [Int64?] { [graces.0, graces.1] }
  /// V2's revocation is younger than V1's record.
  var isRevokedLater = false
  /// V1's record shows a purchase, a refund or a change that is later than V2's signature.
  var isSnapshotLater = false
  /// V1's record shows a purchase, a refund or a change between its event and V2's signature, which says what was so then.
  var isChangedBetween = false
  /// What happened between two answers; `nil` for other records.
  var between: TimeBetween?
  /// V2 reads V1's cancellation as an upgrade, which V1 leaves possible.
  var isReadAsUpgrade = false
  /// Both sides name the same `webOrderLineItemId`.
  var isSamePurchase = false
  var isOtherPurchase = false

  /// The V2 record's time, else the event's.
  var time: Int64? { signedDate ?? eventTime }

  /// True when the event or the signing is within a distance of one of the instants.
  func isNear(_ instants: [Int64?], _ distance: Int64) -> Bool {
    [eventTime, signedDate].contains { $0.map { $0.isNear(instants, distance) } ?? false }
  }
}

extension Int64 {
  /// One of the instants is within a distance of this one.
  func isNear(_ instants: [Int64?], _ distance: Int64) -> Bool {
    instants.contains { $0.map { $0.distanceMagnitude(to: self) <= UInt64(distance) } ?? false }
  }

  /// The distance to another instant, whatever the two are.
  func distanceMagnitude(to other: Int64) -> UInt64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? .max : difference.magnitude
  }
}

/// What a field's difference is, and which reading made it so.
struct Outcome: Equatable {
  /// The ways in which two sides can stand to each other; explanations are made from these.
  enum Case: Equatable {
    case equal
    case differ
    /// The cast has a value and V2 has none.
    case missing
    /// V2 has a value where V1's silence says another thing.
    case silence
    /// V2's value says the same as V1's silence.
    case sameAsSilence
    /// V1 cannot express V2's value.
    case untold
    /// V1 names two values, and V2 has neither.
    case notAmong
    /// V1 has no key for it.
    case noSource
    case unreadable
    /// V1 has a key for it, which is absent.
    case notTold(Account.Absence.Reason?)
    /// The rules do not name V2's member.
    case unknownMember
    /// The rules do not name V2's value.
    case unknownValue
    /// A reading lets the two stand side by side.
    case read(ComparingRule.Way)
  }

  var differenceClass: DifferenceClass
  var kind: Case

  /// The two values are not comparable.
  var isNeverCompared: Bool {
    if case .read(let way) = kind { way.isNeverCompared } else { false }
  }
}
