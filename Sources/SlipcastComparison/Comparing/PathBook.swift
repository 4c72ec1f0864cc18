internal import SlipcastMapping
internal import SlipcastV2

/// Numbers the paths that pairs have: V2 fields by part and slot, then places of V1, then all others as they come.
final class PathBook {
  /// Honest archives have some hundreds; what comes behind counts under one name.
  private static let mostOthers = 4096
  private static let places = EventPart.fieldCount
  private static let others = places + 1 << 12

  /// Stands for the path of changes of access.
  static let entitlement = Int.max

  private var numbers: [String: Int] = [:]
  private var names: [(path: String, isV1: Bool)] = []

  func number(of place: LegacyPlace) -> Int { Self.places + Int(place.code & 0xFFF) }

  func number(of path: String, isV1: Bool) -> Int {
    if let known = numbers[path] { return known }
    let path = names.count < Self.mostOthers ? path : "…"
    if let known = numbers[path] { return known }
    let number = count
    numbers[path] = number
    names.append((path, isV1))
    return number
  }

  var count: Int { Self.others + names.count }

  /// What the paths lead through.
  var unit = ParityUnit.notification

  /// The path of a number, and whether it is one of V1.
  func path(_ number: Int) -> (path: String, isV1: Bool) {
    if number == Self.entitlement { return (KnownDifference.entitlement, false) }
    if number < Self.places { return (unit.path(ObjectPart.path(of: number)), false) }
    if number < Self.others { return (LegacyPlace(code: UInt16(number - Self.places)).path, true) }
    let other = names[number - Self.others]
    return other.isV1 ? other : (unit.path(other.path), false)
  }
}
