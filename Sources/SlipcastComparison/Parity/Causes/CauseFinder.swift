/// Names the causes of one path.
struct CauseFinder {
  private let path: CauseTally.Path
  private let kinds: [CauseTally.PairKind]
  private let name: String
  private let all: Int

  init(_ name: String, _ path: CauseTally.Path, _ kinds: [CauseTally.PairKind]) {
    (self.name, self.path, self.kinds) = (name, path, kinds)
    all = path.groups.values.reduce(0) { $0 + $1.count }
  }

  /// At least so many hundredths of the dates must be shifted alike, up to so many milliseconds.
  private static let (leastShifted, width) = (90, Int64(1000))

  private typealias Group = CauseTally.Path.Group

  var causes: [ParityCause] {
    var (causes, rest) = ([ParityCause](), Group())
    var dates: [(by: Int64, group: Group)] = []
    var values = 0
    for case .values in path.groups.keys { values += 1 }
    for (form, group) in path.groups {
      switch form {
      case .date(let by): dates.append((by, group))
      // One pair of values of many is only a difference.
      case .values(let from, let to) where group.count > 1 || values == 1:
        var cause = cause(.recoded, group)
        (cause.from, cause.to) = (from, to)
        causes.append(cause)
      case .absentInV1: causes.append(cause(.absentInV1, group))
      case .absentInV2: causes.append(cause(.absentInV2, group))
      case .values, .other: rest.add(group)
      }
    }
    if let shifted = shifted(dates.sorted { $0.by < $1.by }, &rest) { causes.append(shifted) }
    if rest.count > 0 { causes.append(cause(.other, rest)) }
    return causes
  }

  /// The constant by which dates are shifted; dates that are shifted otherwise go to the rest.
  private func shifted(_ dates: [(by: Int64, group: Group)], _ rest: inout Group) -> ParityCause? {
    let count = dates.reduce(0) { $0 + $1.group.count }
    guard count > 0 else { return nil }
    var best = (count: 0, place: 0, range: 0..<0)
    var (start, end, inside) = (0, 0, 0)
    for place in dates.indices {
      let by = dates[place].by
      while end < dates.count, dates[end].by.subtractingReportingOverflow(by).partialValue <= Self.width {
        inside += dates[end].group.count
        end += 1
      }
      while by.subtractingReportingOverflow(dates[start].by).partialValue > Self.width {
        inside -= dates[start].group.count
        start += 1
      }
      if (inside, dates[place].group.count) > (best.count, dates[best.place].group.count) {
        best = (inside, place, start..<end)
      }
    }
    guard best.count * 100 >= count * Self.leastShifted else {
      for date in dates { rest.add(date.group) }
      return nil
    }
    var group = Group()
    for (place, date) in dates.enumerated() {
      if best.range.contains(place) { group.add(date.group) } else { rest.add(date.group) }
    }
    var cause = cause(.shifted, group)
    (cause.by, cause.isExact) = (dates[best.place].by, best.range.count == 1)
    return cause
  }

  private func cause(_ kind: ParityCause.Kind, _ group: Group) -> ParityCause {
    var cause = ParityCause(path: name, kind: kind, pairs: group.count, all: all)
    cause.common = common(group)
    return cause
  }

  /// What the pairs of a group have in common and all other pairs with the path lack.
  private func common(_ group: Group) -> ParityCause.Common {
    var common = ParityCause.Common()
    let others = path.kinds.enumerated().map { $0.element - group.kinds[$0.offset, default: 0] }
    guard others.contains(where: { $0 > 0 }) else { return common }
    func value(_ of: (CauseTally.PairKind) -> String?) -> String? {
      let values = Set(group.kinds.keys.map { of(kinds[$0]) })
      guard values.count == 1, let value = values.first, let value else { return nil }
      let isElsewhere = others.indices.contains { others[$0] > 0 && of(kinds[$0]) == value }
      return isElsewhere ? nil : value
    }
    (common.bundleId, common.productId, common.type) = (value(\.bundleId), value(\.productId), value(\.type))
    (common.since, common.until) = limits(group)
    return common
  }

  /// The time of a group, that contains no other pair; a single pair has no such time.
  private func limits(_ group: Group) -> (since: Int64?, until: Int64?) {
    guard group.count > 1, let times = group.times, !path.hasOther(in: times) else { return (nil, nil) }
    var span = path.span
    for other in path.groups.values where other.count > 0 {
      guard let range = other.times, !(times.lowerBound <= range.lowerBound && range.upperBound <= times.upperBound)
      else { continue }
      if range.overlaps(times) { return (nil, nil) }
      span = span.map { min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound) } ?? range
    }
    guard let span else { return (nil, nil) }
    return (
      span.lowerBound < times.lowerBound ? times.lowerBound : nil,
      span.upperBound > times.upperBound ? times.upperBound : nil
    )
  }
}
