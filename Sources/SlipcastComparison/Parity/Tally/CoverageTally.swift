/// Counts the events that should have a counterpart, by side and type.
struct CoverageTally {
  private let common: ClosedRange<Int64>?
  var legacy = SideTally()
  var server = SideTally()

  init(_ common: ClosedRange<Int64>?) { self.common = common }

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

  private func isInside(_ time: Int64?) -> Bool {
    guard let time, let common else { return false }
    return common.contains(time)
  }

  mutating func add(legacy one: (event: String, time: Int64?), server two: (event: String, time: Int64?)) {
    let isInside = isInside(one.time) || isInside(two.time)
    legacy.add(one.event, isInside: isInside, isMissing: false)
    server.add(two.event, isInside: isInside, isMissing: false)
  }

  mutating func addUnpaired(_ side: WritableKeyPath<CoverageTally, SideTally>, _ event: String, _ time: Int64?) {
    self[keyPath: side].add(event, isInside: isInside(time), isMissing: true)
    if time == nil { self[keyPath: side].side.undated += 1 }
  }

  var coverage: ParityCoverage {
    var coverage = ParityCoverage()
    (coverage.common, coverage.legacy, coverage.server) = (common, legacy.whole, server.whole)
    return coverage
  }
}

extension ParityCoverage.Count {
  fileprivate mutating func add(isMissing: Bool) {
    events += 1
    if isMissing { missing += 1 }
  }
}
