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
  /// The column of each path in the tables of pairs, by the number of the path; less than 0 for one without pairs.
  private var columns: [Int] = []
  private var columnCount = 0
  /// The differences that fail, by column.
  private var paths: [Path] = []
  /// All pairs with a path, by their kind.
  private var pairs = PathGrid(0)
  /// Of the pairs that do not fail: the first and last time of each day.
  private var times = PathGrid(TimeSpan())
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
    let column = column(of: path)
    pairs[current.kind, column] += 1
    if fails {
      if column >= paths.count { paths += Array(repeating: Path(), count: column + 1 - paths.count) }
      paths[column].add(current.kind, current.time, form: form(), most: Self.mostGroups)
    } else if let time = current.time {
      times[current.day, column].add(time)
    }
  }

  private mutating func column(of path: Int) -> Int {
    if path >= columns.count { columns += Array(repeating: -1, count: path + 1 - columns.count) }
    if columns[path] < 0 { (columns[path], columnCount) = (columnCount, columnCount + 1) }
    return columns[path]
  }

  /// The paths with differences that fail, by their numbers.
  var failing: [(number: Int, path: Path)] {
    columns.enumerated().compactMap { number, column in
      guard paths.indices.contains(column), !paths[column].groups.isEmpty else { return nil }
      var path = paths[column]
      path.kinds = Array(pairs.column(column))
      path.times = Array(times.column(column))
      return (number, path)
    }
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
    fileprivate(set) var kinds: [Int] = []
    private(set) var groups: [DifferenceForm: Group] = [:]
    private(set) var shifts: [Int] = []
    /// Of the pairs that do not fail: the first and last time of each day.
    fileprivate var times: [TimeSpan] = []

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

    fileprivate mutating func add(_ kind: Int, _ time: Int64?, form: DifferenceForm, most: Int) {
      var form = form
      if case .date(let by) = form {
        if shifts.isEmpty { shifts = Array(repeating: 0, count: DateShifts.places) }
        shifts[DateShifts.place(by)] += 1
      }
      if groups.count >= most, groups[form] == nil { form = .other }
      var group = groups[form] ?? Group()
      group.count += 1
      group.kinds[kind, default: 0] += 1
      if let time { group.times = group.times?.joined(time...time) ?? time...time }
      groups[form] = group
    }

    /// The first and last time of all pairs that do not fail.
    var span: ClosedRange<Int64>? {
      times.lazy.compactMap(\.range).reduce(nil) { $0?.joined($1) ?? $1 }
    }

    /// A pair that does not fail is in that time.
    ///
    /// A day that is cut by the range is known by its ends alone.
    func hasOther(in range: ClosedRange<Int64>) -> Bool {
      times.contains { $0.range?.overlaps(range) ?? false }
    }
  }

  /// From a first to a last time; empty without one.
  fileprivate struct TimeSpan {
    private var (first, last) = (Int64.max, Int64.min)

    var range: ClosedRange<Int64>? { first <= last ? first...last : nil }

    mutating func add(_ time: Int64) { (first, last) = (min(first, time), max(last, time)) }
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
