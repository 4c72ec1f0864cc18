internal import SlipcastWire

/// The gates of events without a counterpart.
extension ParityGates {
  /// A type with so many events is not completely missing by chance.
  private static let fewest = 3
  private static let shown = 5

  private struct Loss {
    var side: MissingEvent.Side
    var name: String
    var other: String
    var count: ParityCoverage.Count
    var types: [ParityCoverage.Kind]
  }

  /// Events besides refunds.
  func missing(_ result: ParityResult) -> ParityResult.Gate {
    let coverage = result.coverage
    if let message = unjudged(result) { return ParityResult.Gate(name: "missing", holds: false, message: message) }
    let limit = maxMissing ?? .none
    let losses = losses(coverage)
    var faults: [String] = []
    for loss in losses where !limit.allows(result.missing.open(loss.side), of: loss.count.events) {
      let kinds = result.missing.kinds(loss.side).filter { !$0.isRefund }
      faults.append("\(words(loss, result)) (\(limit) allowed): \(Self.names(kinds) { "\($0.count) \($0.type)" })")
    }
    for loss in losses where !limit.isAll && maxMissing != nil {
      let types = loss.types.filter { $0.inside.events >= Self.fewest && $0.inside.missing == $0.inside.events }
      guard !types.isEmpty else { continue }
      let names = Self.names(types) { "all \($0.inside.missing) \($0.event)" }
      faults.append("\(names) of \(loss.name) are missing in \(loss.other)")
    }
    let message = losses.map { words($0, result) }.joined(separator: ", ") + "; \(limit) allowed"
    return ParityResult.Gate(
      name: "missing", holds: faults.isEmpty, message: faults.isEmpty ? message : faults.joined(separator: "; "))
  }

  /// Refunds and revocations, which no share loosens.
  func missingRefunds(_ result: ParityResult) -> ParityResult.Gate {
    let kinds = result.missing.kinds.filter(\.isRefund)
    let accepted = kinds.reduce(0) { $0 + $1.accepted }
    var parts = ["every refund has its counterpart"]
    if !kinds.isEmpty {
      let sides = [(MissingEvent.Side.legacy, "V2"), (.server, "V1")].compactMap { side, other -> String? in
        let kinds = kinds.filter { $0.side == side }
        return kinds.isEmpty ? nil : Self.names(kinds) { "\($0.count) \($0.type)" } + " missing in \(other)"
      }
      parts = [sides.joined(separator: ", ")]
    }
    if accepted > 0 { parts.append("the baseline accepts \(accepted)") }
    if maxMissingRefunds > 0 { parts.append("\(maxMissingRefunds) allowed") }
    return ParityResult.Gate(
      name: "missingRefunds", holds: result.missing.openRefunds <= maxMissingRefunds,
      message: parts.joined(separator: "; "))
  }

  private func losses(_ coverage: ParityCoverage) -> [Loss] {
    [(MissingEvent.Side.legacy, "V1", "V2", coverage.legacy), (.server, "V2", "V1", coverage.server)].map {
      let types = $3.types.sorted { ($1.inside.missing, $0.event) < ($0.inside.missing, $1.event) }
      return Loss(side: $0, name: $1, other: $2, count: $3.inside, types: types)
    }
  }

  /// Why it is not known whether an event is missing; `nil` where one can.
  private func unjudged(_ result: ParityResult) -> String? {
    guard let time = result.coverage.time, time.counted == .none, !result.coverage.isComplete else { return nil }
    return "the two archives do not cover a common time\(spans(result)); --same-span compares them as if they did"
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

  private func words(_ loss: Loss, _ result: ParityResult) -> String {
    let kinds = result.missing.kinds(loss.side).filter { !$0.isRefund }
    let (missing, accepted) = kinds.reduce((0, 0)) { ($0.0 + $1.count, $0.1 + $1.accepted) }
    let verb = missing == 1 ? "has" : "have"
    let known = accepted > 0 ? ", of which the baseline accepts \(accepted)" : ""
    return "\(missing) of \(Self.words(loss.count.events, "\(loss.name) event")) \(verb) no counterpart in "
      + "\(loss.other)\(known)"
  }

  private static func names<Kinds: Collection>(_ kinds: Kinds, _ word: (Kinds.Element) -> String) -> String {
    let rest = kinds.count - Self.shown
    return kinds.prefix(Self.shown).map(word).joined(separator: ", ")
      + (rest > 0 ? " and \(words(rest, "other type"))" : "")
  }

  /// Events outside of the common time do not count, nor do those without a date that are no refunds.
  func outside(_ result: ParityResult) -> Comparison.Note? {
    let coverage = result.coverage
    guard case .within = coverage.time?.counted else { return nil }
    let (outside, undated) = (
      coverage.legacy.outside + coverage.server.outside, coverage.legacy.undated + coverage.server.undated
    )
    guard outside + undated > 0 else { return nil }
    let hours = (coverage.time?.margin ?? 0) / 3_600_000
    let margin = hours > 0 ? " (less \(hours) h at each end)" : ""
    let isSameSpan = coverage.time?.isSameSpan == true
    var parts: [String] = []
    if outside > 0 {
      let time = isSameSpan ? "the time of both archives" : "the common time"
      let advice = isSameSpan ? "" : "; --same-span counts \(outside == 1 ? "it" : "them")"
      parts.append("\(Self.notCounted(outside)) outside of \(time)\(margin)\(advice)")
    }
    if undated > 0 {
      parts.append(
        "\(Self.notCounted(undated)) without a date: nothing shows whether the other archive covers \(undated == 1 ? "it" : "them")"
      )
    }
    return Comparison.Note(
      code: "missingOutside", isWarning: isStriking(coverage), message: parts.joined(separator: "; "))
  }

  private static func notCounted(_ count: Int) -> String { "not counted: \(words(count, "missing event"))" }

  /// More than a tenth of all events of a side: a part of an archive may be absent.
  private func isStriking(_ coverage: ParityCoverage) -> Bool {
    [coverage.legacy, coverage.server].contains { side in
      (side.all.missing - side.inside.missing).multipliedReportingOverflow(by: 10).partialValue > side.all.events
    }
  }
}
