/// How the two sides of a difference stand to each other: what a baseline accepts besides path and class.
///
/// V1 is the legacy side, also where a V2 record is compared in its place.
package enum DifferenceKind: String, CaseIterable, Hashable, Sendable {
  /// Two values that have no order: texts, types, objects.
  case changed
  /// V2's date is before V1's.
  case earlierInV2
  /// V2's date is after V1's.
  case laterInV2
  /// V2's number is smaller, or V1's flag is true and V2's is false.
  case smallerInV2
  /// V2's number is larger, or V1's flag is false and V2's is true.
  case largerInV2
  /// V1 has no value.
  case absentInV1
  /// V2 has no value.
  case absentInV2
  /// V1 has a value that cannot be read.
  case unreadableInV1
  /// The values are equal, and their class fails by `--strict`.
  case same
  /// V1 grants access and V2 does not.
  case lockedOut
  /// V2 grants access and V1 does not.
  case servedForFree

  /// The kind in words: `earlier in V2`.
  package var words: String {
    switch self {
    case .changed: "changed"
    case .earlierInV2: "earlier in V2"
    case .laterInV2: "later in V2"
    case .smallerInV2: "smaller in V2"
    case .largerInV2: "larger in V2"
    case .absentInV1: "absent in V1"
    case .absentInV2: "absent in V2"
    case .unreadableInV1: "unreadable in V1"
    case .same: "same value"
    case .lockedOut: "locked out"
    case .servedForFree: "served for free"
    }
  }

  /// The kind of two values of one field; `nil` is absent.
  init(_ cast: ScalarView?, _ server: ScalarView?, isDate: Bool) {
    guard let cast else {
      self = server == nil ? .same : .absentInV1
      return
    }
    guard let server else {
      self = .absentInV2
      return
    }
    if cast.isEqual(to: server) {
      self = .same
    } else if cast.kind == server.kind, cast.kind == .integer || cast.kind == .boolean {
      let isLess = server.integer < cast.integer
      self = isDate ? (isLess ? .earlierInV2 : .laterInV2) : isLess ? .smallerInV2 : .largerInV2
    } else {
      self = .changed
    }
  }
}
