/// Counts the events that should have a counterpart, by side and type.
struct CoverageTally {
  let time: CommonTime
  var legacy = SideTally()
  var server = SideTally()

  init(_ time: CommonTime) { self.time = time }

  struct SideTally {
    /// Hostile archives have names without end.
    private static let most = 2000

    var side = ParityCoverage.Side()
    private var kinds: [String: ParityCoverage.Kind] = [:]

    mutating func add(_ event: String, isInside: Bool, isMissing: Bool) {
      let name = kinds.count >= Self.most && kinds[event] == nil ? "…" : event
      side.all.add(isMissing: isMissing)
      kinds[name, default: ParityCoverage.Kind(event: name)].all.add(isMissing: isMissing)
      guard isInside else { return }
      side.inside.add(isMissing: isMissing)
      kinds[name, default: ParityCoverage.Kind(event: name)].inside.add(isMissing: isMissing)
    }

    var whole: ParityCoverage.Side {
      var whole = side
      whole.types = kinds.values.sorted { $0.event < $1.event }
      return whole
    }
  }

  typealias Event = (event: String, times: ClosedRange<Int64>?)

  mutating func add(legacy one: Event, server two: Event) {
    let isInside = time.counts(one.times) || time.counts(two.times)
    legacy.add(one.event, isInside: isInside, isMissing: false)
    server.add(two.event, isInside: isInside, isMissing: false)
  }

  /// - Parameter isAfterAnswers: V1 was asked last before it was bought.
  /// - Returns: whether the event counts as missing.
  mutating func addUnpaired(
    _ side: WritableKeyPath<CoverageTally, SideTally>, _ event: Event, isRefund: Bool, isAfterAnswers: Bool
  ) -> Bool {
    let counts = time.counts(event.times, isRefund: isRefund) && (time.isSameSpan || !isAfterAnswers)
    self[keyPath: side].add(event.event, isInside: counts, isMissing: true)
    if event.times == nil, !counts { self[keyPath: side].side.undated += 1 }
    return counts
  }

  var coverage: ParityCoverage {
    var coverage = ParityCoverage()
    (coverage.time, coverage.legacy, coverage.server) = (time, legacy.whole, server.whole)
    return coverage
  }
}

extension ParityCoverage.Count {
  fileprivate mutating func add(isMissing: Bool) {
    events += 1
    if isMissing { missing += 1 }
  }
}
