internal import SlipcastMapping
internal import SlipcastWire

/// One field of a pair, ready to be classed.
struct Situation {
  /// What the rules know of it; `nil` for a member that no rule knows.
  var field: ComparedField?
  /// How V1 and V2 relate here; the rule's, or the V1 key's own.
  var relation = Relation.identical
  /// The cast is a conclusion.
  var isInferred = false
  var cast: ScalarView?
  var server: ScalarView?
  /// V2's value of the field that the rule follows.
  var sibling: ScalarView?
  /// Why the cast has no value.
  var absence: Account.Absence.Reason?
  /// False when both are V2 records of the same standing.
  var isFromLegacy = true
  /// One side, whichever it is, holds what Slipcast made.
  var isOneOfTwoCast = true
  /// V1 has a value that cannot be read.
  var isUnreadable = false
}

/// What surrounds the fields of one object pair, for readings that need more than two values.
struct Surroundings {
  /// When the V2 record was signed, milliseconds since 1970 UTC.
  var signedDate: Int64?
  /// When the legacy event happened.
  var eventTime: Int64?
  /// Ends of periods, as either side states them.
  var expiries = Instants()
  /// Ends of grace periods, as either side states them.
  var graceEnds = Instants()
  /// V2's revocation is younger than V1's record.
  var isRevokedLater = false
  /// Both sides name the same `webOrderLineItemId`.
  var isSamePurchase = false
  /// Both sides name one, and not the same.
  var isOtherPurchase = false

  /// The V2 record's time, else the event's.
  var time: Int64? { signedDate ?? eventTime }

  /// True when the event or the signing is within a distance of one of the instants.
  func isNear(_ instants: Instants, _ distance: Int64) -> Bool {
    instants.isNear(eventTime, distance) || instants.isNear(signedDate, distance)
  }
}

/// Up to four instants, without memory of their own; milliseconds since 1970 UTC.
struct Instants {
  private var values: (Int64?, Int64?, Int64?, Int64?)

  init(_ one: Int64? = nil, _ two: Int64? = nil, _ three: Int64? = nil, _ four: Int64? = nil) {
    values = (one, two, three, four)
  }

  /// One of them is not before a time.
  func reach(_ time: Int64) -> Bool {
    [values.0, values.1, values.2, values.3].contains { $0.map { $0 >= time } ?? false }
  }

  /// One of them is within a distance of a time.
  func isNear(_ time: Int64?, _ distance: Int64) -> Bool {
    guard let time else { return false }
    func isNear(_ value: Int64?) -> Bool {
      guard let value else { return false }
      return value.distanceMagnitude(to: time) <= UInt64(distance)
    }
    return isNear(values.0) || isNear(values.1) || isNear(values.2) || isNear(values.3)
  }
}

extension Int64 {
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
    /// V1 has no key for it.
    case noSource
    /// V1's value cannot be read.
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
