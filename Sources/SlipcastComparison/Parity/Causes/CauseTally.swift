internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Finds what failing differences have in common: groups the failing pairs of each path by the form of their difference, and
/// counts for all pairs with the path what app, product, type and time they have.
struct CauseTally {
  /// Hostile archives have values without end; what comes behind counts as `other`.
  private static let mostGroups = 2000
  private static let mostKinds = 4096

  /// App, product and type of a pair.
  struct PairKind {
    var bundleId: String?
    var productId: String?
    var type: String
  }

  private struct KindKey: Hashable {
    var bundleId: UInt64?
    var productId: UInt64?
    var types: Int
  }

  private var numbers: [KindKey: Int] = [:]
  private(set) var kinds: [PairKind] = []
  /// By the number of the path.
  private(set) var paths: [Path?] = []
  private var months: [AppMonthKey: (pairs: Int, conflicting: Int)] = [:]
  private let days: DayScale
  /// The kind and the time of the pair at hand.
  private var current = (kind: 0, time: Int64?.none, day: 0)

  private struct AppMonthKey: Hashable {
    var bundleId: UInt64?
    var month: Int
  }

  private var apps: [UInt64: String] = [:]

  init(_ span: ClosedRange<Int64>?) { days = DayScale(span) }

  /// Begins a pair.
  mutating func begin(_ legacy: RecordView, _ server: RecordView, types: Int, time: Int64?) {
    let bundle = server.name(FieldNumber.bundleId) ?? server.name(FieldNumber.bundleIdOfTransaction)
    let product = legacy.name(FieldNumber.productId) ?? server.name(FieldNumber.productId)
    var key = KindKey(bundleId: bundle, productId: product, types: types)
    if numbers[key] == nil, kinds.count >= Self.mostKinds { key = KindKey(bundleId: nil, productId: nil, types: -1) }
    let number = numbers[key] ?? kinds.count
    if number == kinds.count {
      numbers[key] = number
      kinds.append(
        PairKind(
          bundleId: server.text(FieldNumber.bundleId) ?? server.text(FieldNumber.bundleIdOfTransaction),
          productId: legacy.text(FieldNumber.productId) ?? server.text(FieldNumber.productId), type: server.head.name))
      if let bundle { apps[bundle] = kinds[number].bundleId }
    }
    current = (number, time, time.map(days.day) ?? 0)
  }

  /// Counts a field of the pair at hand.
  mutating func add(_ path: Int, fails: Bool, _ form: @autoclosure () -> DifferenceForm) {
    if path >= paths.count { paths += Array(repeating: nil, count: path + 1 - paths.count) }
    if paths[path] == nil { paths[path] = Path() }
    paths[path]?.add(current, form: fails ? form() : nil, most: Self.mostGroups)
  }

  /// Ends the pair at hand.
  mutating func end(isConflicting: Bool) {
    guard let time = current.time, let month = days.month(time) else { return }
    let bundle = kinds[current.kind].bundleId.map { Fingerprint.number(Array($0.utf8).span) }
    let key = AppMonthKey(bundleId: bundle, month: month)
    if months[key] == nil, months.count >= Self.mostKinds { return }
    let count = months[key] ?? (0, 0)
    months[key] = (count.pairs + 1, count.conflicting + (isConflicting ? 1 : 0))
  }

  var appMonths: [AppMonth] {
    months.map { key, count in
      AppMonth(
        bundleId: key.bundleId.flatMap { apps[$0] } ?? "", month: key.month, pairs: count.pairs,
        conflicting: count.conflicting)
    }.sorted { ($0.bundleId, $0.month) < ($1.bundleId, $1.month) }
  }
}

/// What the difference of a pair looks like.
enum DifferenceForm: Hashable {
  /// Dates that are so far apart.
  case date(Int64)
  case values(from: ComparedValue, to: ComparedValue)
  case absentInV2
  case absentInV1
  case other
}

extension CauseTally {
  /// The pairs that have a path.
  struct Path {
    /// All pairs by their kind.
    private(set) var kinds: [Int] = []
    private(set) var groups: [DifferenceForm: Group] = [:]
    private(set) var shifts: [Int] = []
    /// Of the pairs that do not fail: the first and last time of each day.
    private var times: [ClosedRange<Int64>?] = []

    struct Group {
      var count = 0
      var kinds: [Int: Int] = [:]
      /// From the first to the last.
      var times: ClosedRange<Int64>?

      mutating func add(_ group: Group) {
        count += group.count
        kinds.merge(group.kinds) { $0 + $1 }
        if let other = group.times { times = times?.joined(other) ?? other }
      }
    }

    mutating func add(_ pair: (kind: Int, time: Int64?, day: Int), form: DifferenceForm?, most: Int) {
      if pair.kind >= kinds.count { kinds += Array(repeating: 0, count: pair.kind + 1 - kinds.count) }
      kinds[pair.kind] += 1
      guard var form else {
        guard let time = pair.time else { return }
        if pair.day >= times.count { times += Array(repeating: nil, count: pair.day + 1 - times.count) }
        times[pair.day] = times[pair.day]?.joined(time...time) ?? time...time
        return
      }
      if case .date(let by) = form {
        if shifts.isEmpty { shifts = Array(repeating: 0, count: DateShifts.places) }
        shifts[DateShifts.place(by)] += 1
      }
      if groups.count >= most, groups[form] == nil { form = .other }
      var group = groups[form] ?? Group()
      group.count += 1
      group.kinds[pair.kind, default: 0] += 1
      if let time = pair.time { group.times = group.times?.joined(time...time) ?? time...time }
      groups[form] = group
    }

    /// The first and last time of all pairs that do not fail.
    var span: ClosedRange<Int64>? {
      times.compactMap(\.self).reduce(nil) { $0?.joined($1) ?? $1 }
    }

    /// A pair that does not fail is in that time.
    func hasOther(in range: ClosedRange<Int64>) -> Bool {
      times.contains { day in
        guard let day, day.overlaps(range) else { return false }
        // A day that is cut by the range is known by its ends alone.
        return true
      }
    }
  }

  /// Numbers the days of a time.
  struct DayScale {
    private static let most: Int64 = 4000
    private let start: Int64
    private let length: Int64

    init(_ span: ClosedRange<Int64>?) {
      let limits = Int64(0)...253_402_300_799_999
      let span = span?.clamped(to: limits) ?? 0...0
      start = span.lowerBound
      length = max(86_400_000, (span.upperBound - span.lowerBound) / Self.most + 1)
    }

    func day(_ time: Int64) -> Int {
      guard time > start else { return 0 }
      return Int(min(Self.most, time.subtractingReportingOverflow(start).partialValue / length))
    }

    /// Months since January of the year 0; `nil` for what is not the time of an event.
    func month(_ time: Int64) -> Int? {
      guard (0...253_402_300_799_999).contains(time) else { return nil }
      let civil = CivilTime(secondsSince1970: time / 1000)
      return civil.year * 12 + civil.month - 1
    }
  }
}

extension ClosedRange<Int64> {
  fileprivate func joined(_ other: ClosedRange<Int64>) -> ClosedRange<Int64> {
    Swift.min(lowerBound, other.lowerBound)...Swift.max(upperBound, other.upperBound)
  }
}
