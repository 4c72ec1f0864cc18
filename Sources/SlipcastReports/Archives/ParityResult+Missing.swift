import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  /// So many of each type are listed at once, and so many on demand.
  private static let (mostOfType, mostOnDemand) = (12, 2000)

  /// Events without a counterpart that count: refunds first; a page has all of them.
  var missingSection: ReportSection? {
    guard !missing.kinds.isEmpty else { return nil }
    let blocks = MissingEvent.Side.allCases.compactMap { side -> ReportBlock? in
      let kinds = missing.kinds(side)
      guard !kinds.isEmpty else { return nil }
      let title = side == .legacy ? "Missing in V2" : "Missing in V1"
      let items = kinds.map { item($0, missing.events(side)) }
      return .titled(title, summary: missing.count(side).grouped, [.items(items)])
    }
    let sides = [(MissingEvent.Side.legacy, "of V1 are missing in V2"), (.server, "of V2 are missing in V1")]
    let totals = sides.filter { missing.count($0.0) > 0 }.map {
      ReportItem(lead: .count(missing.count($0.0)), name: $0.1)
    }
    let count = MissingEvent.Side.allCases.reduce(0) { $0 + missing.count($1) }
    let fails = failingGates.contains { $0.word.hasPrefix("missing") }
    return ReportSection(
      id: "missing", title: "Missing events",
      summary: "\(Words.count(count, "event")) without a counterpart in the time that both archives cover"
        + (fails ? "" : " (accepted)"), tone: fails ? .bad : .caution, blocks: [.items(totals)] + blocks)
  }

  var missingCase: ReportCase? {
    guard let section = missingSection else { return nil }
    guard section.tone == .bad else {
      return ReportCase(name: "missing events", kind: "missing", outcome: .skipped(section.summary))
    }
    return ReportCase(
      name: "missing events", kind: "missing",
      outcome: .failed(message: section.summary, type: "missing", details: section.blocks))
  }

  private func item(_ kind: MissingEvents.Kind, _ events: [MissingEvent]) -> ReportItem {
    let events = events.filter { $0.type == kind.type && $0.isRefund == kind.isRefund }
    return ReportItem(
      lead: .count(kind.count), name: kind.type.safe, isCode: true,
      details: events.prefix(Self.mostOfType).map(\.words),
      further: events.dropFirst(Self.mostOfType).prefix(Self.mostOnDemand).map(\.words),
      rest: kind.count - min(events.count, Self.mostOfType), tone: kind.isRefund ? .bad : nil)
  }
}

extension MissingEvent {
  /// `410000300102276, com.example.pro, 2024-06-30 10:00:00 UTC: v1.ndjson, record 12, row 4711`.
  var words: String {
    let row = place.id.map { ", row \($0)" } ?? ""
    let about = [
      subject.originalTransactionId ?? subject.transactionId ?? "without an id", subject.productId ?? "",
      time.map { Words.moment($0) } ?? "without a date",
    ]
    let accepted = isAccepted ? " (accepted)" : ""
    return "\(about.listed): \(place.source), record \(place.record.grouped)\(row)\(accepted)".safe
  }
}
