/// What many failing differences of one path have in common: one cause, instead of many differences.
package struct ParityCause: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// Dates differ by one constant.
    case shifted
    /// One value stands where another one should.
    case recoded
    case absentInV2
    case absentInV1
    /// Differences without a common form.
    case other
  }

  /// The path of V2, or V1's where V2 has none.
  package var path: String
  package var kind: Kind
  /// Pairs that fail because of it.
  package var pairs: Int
  /// Failing pairs of the path.
  package var all: Int
  /// V2's date less V1's, in milliseconds, where dates are shifted.
  package var by: Int64?
  /// All differences are equal to the millisecond.
  package var isExact = false
  /// V1's value and V2's, where one replaces the other.
  package var from: ComparedValue?
  package var to: ComparedValue?
  package var common = Common()

  /// What all its pairs have in common and the other pairs with the path lack.
  package struct Common: Hashable, Sendable {
    package var bundleId: String?
    package var productId: String?
    /// V2's type and subtype.
    package var type: String?
    /// All other pairs are earlier; milliseconds since 1970 UTC.
    package var since: Int64?
    /// All other pairs are later, or come before `since`.
    package var until: Int64?

    package var isEmpty: Bool { self == Common() }
  }

  /// The length of the shift where it is that of a time zone: whole quarter hours up to 14 hours.
  package var zoneShift: Int64? {
    guard let by, by.magnitude <= 14 * 3_600_000, by.magnitude >= 900_000 else { return nil }
    let quarters = (Double(by) / 900_000).rounded()
    return abs(Double(by) - quarters * 900_000) <= 1000 ? Int64(quarters) * 900_000 : nil
  }

  /// The time zone whose local time was probably taken for UTC; Apple writes text dates in that of Los Angeles.
  package var timeZone: String? {
    guard let zoneShift else { return nil }
    let (hours, minutes) = (zoneShift.magnitude / 3_600_000, zoneShift.magnitude / 60_000 % 60)
    if minutes == 0, hours == 7 || hours == 8 { return "America/Los_Angeles" }
    let clock = "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    return "UTC\(zoneShift < 0 ? "-" : "+")\(clock)"
  }

  package init(path: String, kind: Kind, pairs: Int, all: Int) {
    (self.path, self.kind, self.pairs, self.all) = (path, kind, pairs, all)
  }
}

/// How far the dates of one path lie apart, in all pairs in which they fail.
package struct DateShifts: Hashable, Sendable {
  package var path: String
  /// Pairs by the length of the difference, from V2 much earlier to V2 much later; see `limits`.
  package var counts: [Int]

  /// The upper limits of the lengths in milliseconds, without sign; the last one has none.
  package static let limits: [Int64] = [
    1_000, 60_000, 3_600_000, 21_600_000, 86_400_000, 7 * 86_400_000, 31 * 86_400_000,
  ]

  /// The place of a difference among `counts`.
  static func place(_ by: Int64) -> Int {
    let length = limits.firstIndex { by.magnitude <= UInt64($0) } ?? limits.count
    return by < 0 ? limits.count - length : limits.count + 1 + length
  }

  static let places = 2 * (limits.count + 1)
}

/// Pairs of one app in one month.
package struct AppMonth: Hashable, Sendable {
  package var bundleId: String
  /// Months since January of the year 0.
  package var month: Int
  package var pairs = 0
  package var conflicting = 0
}
