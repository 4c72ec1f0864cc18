/// What a difference between a legacy field and its V2 counterpart means, the most serious class first.
public enum DifferenceClass: String, CaseIterable, Hashable, Sendable, Comparable {
  /// The two state different things: the only class that fails by itself.
  case conflict
  /// Two clocks near a boundary, or a date that only one side keeps: no contradiction, but no proof either.
  case timeDependent
  /// A V2 member or value that the rules do not name: kept as it is, and compared with nothing.
  case unknown
  /// Compatible values of different meaning: one side says more than the other.
  case semantic
  /// V2 agrees with the value inferred from V1.
  case derived
  /// Only V1 can express it.
  case legacyOnly
  /// V2 alone says it.
  case serverOnly
  /// A V1 object that other messages or other outputs report: an older period, another subscription.
  case elsewhere
  /// A second V1 spelling of a value that has its own row.
  case repeated
  /// The same fact under another name, in another type or spelling.
  case representation
  /// The same name, type and value.
  case identical

  /// Orders by seriousness, `conflict` first.
  public static func < (left: DifferenceClass, right: DifferenceClass) -> Bool { left.place < right.place }

  package var place: Int {
    switch self {
    case .conflict: 0
    case .timeDependent: 1
    case .unknown: 2
    case .semantic: 3
    case .derived: 4
    case .legacyOnly: 5
    case .serverOnly: 6
    case .elsewhere: 7
    case .repeated: 8
    case .representation: 9
    case .identical: 10
    }
  }

  /// False for rows that only repeat or point elsewhere: reports count them, and cannot fail because of them.
  public var isCompared: Bool { self != .repeated && self != .elsewhere }

  /// The class in words, as reports head a group with it.
  public var meaning: String {
    switch self {
    case .conflict: "the two sides state different things"
    case .timeDependent: "it depends on the moment each side was made"
    case .unknown: "a V2 member or value unknown to this version"
    case .semantic: "compatible values, but one side's meaning is wider"
    case .derived: "V2 agrees with the value inferred from V1"
    case .legacyOnly: "only V1 can express it"
    case .serverOnly: "V2 alone says it"
    case .elsewhere: "other messages report it"
    case .repeated: "V1 states a value a second time"
    case .representation: "the same fact, written in another way"
    case .identical: "the same in name, type and value"
    }
  }
}

extension Relation {
  /// The class of two values that agree through a rule of this relation.
  package var differenceClass: DifferenceClass {
    switch self {
    case .identical: .identical
    case .renamed, .retyped: .representation
    case .widened, .narrowed: .semantic
    case .derived: .derived
    case .legacyOnly: .legacyOnly
    case .serverOnly: .serverOnly
    }
  }
}
