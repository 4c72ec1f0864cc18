internal import SlipcastMapping
internal import SlipcastTimeline

/// Times in which one side gives access and the other one does not; silence of one side does not count.
struct LifeDifferences: Sendable {
  struct Span: Sendable {
    var from: Int64
    var until: Int64
  }

  /// In order; spans that touch are one.
  private(set) var spans: [Span] = []

  init(_ customer: Customer) {
    let one = customer.legacy.life.intervals
    guard let two = customer.server?.life.intervals, let first = one.first, let other = two.first else { return }
    let end = max(one.last?.until ?? customer.asOf, two.last?.until ?? customer.asOf)
    let times = Set((one + two).flatMap { [$0.from, $0.until ?? end] }).sorted()
    var (left, right) = (0, 0)
    for (from, until) in zip(times, times.dropFirst()) where from >= max(first.from, other.from) {
      while left < one.count, (one[left].until ?? .max) <= from { left += 1 }
      while right < two.count, (two[right].until ?? .max) <= from { right += 1 }
      guard Set([Self.access(one, left, from), Self.access(two, right, from)]) == [.yes, .no] else { continue }
      if spans.last?.until == from {
        spans[spans.count - 1].until = until
      } else {
        spans.append(Span(from: from, until: until))
      }
    }
  }

  private static func access(_ intervals: [LifeInterval], _ place: Int, _ time: Int64) -> Access {
    guard place < intervals.count, intervals[place].from <= time else { return .unknown }
    return intervals[place].access
  }
}
