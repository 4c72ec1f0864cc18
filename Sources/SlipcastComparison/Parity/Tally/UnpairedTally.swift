internal import SlipcastMapping

struct UnpairedTally {
  struct Key: Hashable {
    var reason: ParityResult.UnpairedKind.Reason
    var event: String
  }

  struct Kind {
    var count = 0
    var records = SmallestRecords()
    var trace: String?
  }

  /// Hostile input can contain any number of meaningless names.
  private static let most = 2000
  private(set) var kinds: [Key: Kind] = [:]

  mutating func add(_ reason: ParityResult.UnpairedKind.Reason, _ event: String, record: Int, trace: String?) {
    var key = Key(reason: reason, event: event)
    if kinds.count >= Self.most, kinds[key] == nil { key.event = "…" }
    kinds[key, default: Kind(trace: trace)].count += 1
    kinds[key]?.records.add(PairNumbers(legacy: record, server: 0))
  }
}

/// Counts what V2 said of messages that leave more than one reading.
struct AmbiguousTally {
  struct Kind {
    /// Pairs by the place of the reading among the candidates.
    var readings: [Int: Int] = [:]
    var other = 0
    var undecided = 0
  }

  /// By the place of the decision table's row in the rules.
  private(set) var kinds: [Int: Kind] = [:]

  mutating func add(_ decision: Int, reading: Int?) {
    if let reading {
      kinds[decision, default: Kind()].readings[reading, default: 0] += 1
    } else {
      kinds[decision, default: Kind()].other += 1
    }
  }

  mutating func addUndecided(_ decision: Int) { kinds[decision, default: Kind()].undecided += 1 }
}

/// Counts pairs in spans of time of equal length.
struct PeriodTally {
  private let start: Int64
  private let length: Int64
  private(set) var periods: [ParityResult.Period] = []

  private static let day: Int64 = 86_400_000

  /// At most 60 spans of days, weeks, or more.
  init(_ span: ClosedRange<Int64>?) {
    // Times from before 1970 or from far ahead are no times of events.
    let limits = Int64(0)...253_402_300_799_999
    guard let span = span?.clamped(to: limits) else {
      (start, length) = (0, Self.day)
      return
    }
    let days = (span.upperBound - span.lowerBound) / Self.day + 1
    let steps: [Int64] = [1, 7, 14, 28, 91, 182, 364]
    let step = steps.first { days / $0 < 60 } ?? days / 59 + 1
    length = step * Self.day
    start = span.lowerBound / Self.day * Self.day
    periods = stride(from: start, through: span.upperBound, by: Int64.Stride(length)).map { [length] begin in
      ParityResult.Period(start: begin, end: begin + length)
    }
  }

  private func place(_ time: Int64?) -> Int? {
    guard let time, time >= start, (time - start) / length < Int64(periods.count) else { return nil }
    return Int((time - start) / length)
  }

  mutating func addMissing(_ time: Int64?, _ side: MissingEvent.Side) {
    guard let place = place(time) else { return }
    if side == .legacy { periods[place].missingInV2 += 1 } else { periods[place].missingInV1 += 1 }
  }

  mutating func add(_ time: Int64?, isConflicting: Bool) {
    guard let place = place(time) else { return }
    if isConflicting { periods[place].conflicting += 1 } else { periods[place].matched += 1 }
  }
}
