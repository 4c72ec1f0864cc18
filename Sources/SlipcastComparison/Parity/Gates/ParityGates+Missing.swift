internal import SlipcastWire

/// The gate of events without a counterpart.
extension ParityGates {
  /// A type with so many events is not completely missing by chance.
  private static let fewest = 3
  private static let usual = EventLimit("10%") ?? .none
  private static let shown = 5

  private struct Loss {
    var side: String
    var other: String
    var count: ParityCoverage.Count
    var types: [ParityCoverage.Kind]
  }

  func missing(_ result: ParityResult) -> ParityResult.Gate {
    let coverage = result.coverage
    guard isWhole(coverage) || coverage.common != nil else {
      return ParityResult.Gate(
        name: "missing", holds: false,
        message: "the two archives do not cover a common time\(spans(result)); --same-span compares them as if they "
          + "did")
    }
    let limit = maxMissing ?? Self.usual
    let losses = losses(coverage)
    var faults: [String] = []
    for loss in losses where !limit.allows(loss.count.missing, of: loss.count.events) {
      let types = loss.types.filter { count($0, coverage).missing > 0 }
      faults.append("\(words(loss)) (\(limit) allowed): \(names(types, coverage) { "\($0.missing) \($1)" })")
    }
    for loss in losses where !limit.isAll {
      let types = loss.types.filter { type in
        let count = count(type, coverage)
        return count.events >= Self.fewest && count.missing == count.events
      }
      guard !types.isEmpty else { continue }
      let names = names(types, coverage) { "all \($0.missing) \($1)" }
      faults.append("\(names) of \(loss.side) are missing in \(loss.other)")
    }
    guard faults.isEmpty else {
      return ParityResult.Gate(name: "missing", holds: false, message: faults.joined(separator: "; "))
    }
    let message = losses.map(words).joined(separator: ", ") + "; \(limit) allowed"
    return ParityResult.Gate(name: "missing", holds: true, message: message)
  }

  private func losses(_ coverage: ParityCoverage) -> [Loss] {
    [("V1", "V2", coverage.legacy), ("V2", "V1", coverage.server)].map { name, other, side in
      let types = side.types.sorted { left, right in
        (count(right, coverage).missing, left.event) < (count(left, coverage).missing, right.event)
      }
      return Loss(side: name, other: other, count: isWhole(coverage) ? side.all : side.inside, types: types)
    }
  }

  /// All events count, wherever they lie: also where each has a counterpart, so both archives cover the time of all.
  private func isWhole(_ coverage: ParityCoverage) -> Bool {
    isSameSpan || coverage.isUndated || coverage.common == nil && coverage.isComplete
  }

  /// When two archives that do not overlap begin and end, after a colon.
  private func spans(_ result: ParityResult) -> String {
    guard let one = result.legacy.span, let two = result.server.span else { return "" }
    func words(_ name: String, _ span: ClosedRange<Int64>) -> String {
      let (first, last) = (Timestamp(milliseconds: span.lowerBound), Timestamp(milliseconds: span.upperBound))
      return "\(name) from \(first) to \(last)"
    }
    return ": \(words("V1", one)), \(words("V2", two))"
  }

  private func count(_ type: ParityCoverage.Kind, _ coverage: ParityCoverage) -> ParityCoverage.Count {
    isWhole(coverage) ? type.all : type.inside
  }

  private func words(_ loss: Loss) -> String {
    let (missing, events) = (loss.count.missing, loss.count.events)
    let verb = missing == 1 ? "has" : "have"
    return "\(missing) of \(Self.words(events, "\(loss.side) event")) \(verb) no counterpart in \(loss.other)"
  }

  private func names(
    _ types: [ParityCoverage.Kind], _ coverage: ParityCoverage, _ word: (ParityCoverage.Count, String) -> String
  ) -> String {
    let shown = types.prefix(Self.shown).map { word(count($0, coverage), $0.event) }
    let rest = types.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(Self.words(rest, "other type"))" : "")
  }

  /// More than the usual share of all events of a side: a part of an archive may be absent.
  private func isStriking(_ coverage: ParityCoverage) -> Bool {
    [coverage.legacy, coverage.server].contains { !Self.usual.allows($0.all.missing, of: $0.all.events) }
  }

  /// Events outside of the common span, or without a date, do not count.
  func outside(_ result: ParityResult) -> Comparison.Note? {
    let coverage = result.coverage
    guard !isWhole(coverage), coverage.common != nil else { return nil }
    let (outside, undated) = (
      coverage.legacy.outside + coverage.server.outside, coverage.legacy.undated + coverage.server.undated
    )
    guard outside + undated > 0 else { return nil }
    let parts = [
      outside > 0 ? "\(Self.words(outside, "event")) outside of the time that both archives cover" : nil,
      undated > 0 ? "\(Self.words(undated, "event")) without a date" : nil,
    ].compactMap(\.self)
    return Comparison.Note(
      code: "missingOutside", isWarning: isStriking(coverage),
      message: parts.joined(separator: " and ") + " \(outside + undated == 1 ? "has" : "have") no counterpart and "
        + "\(outside + undated == 1 ? "does" : "do") not fail; --same-span counts \(outside + undated == 1 ? "it" : "them") too"
    )
  }
}
