import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  /// Larger matrices cannot be read; hostile records could name types without end.
  private static let mostTypes = (legacy: 30, server: 60)

  var typeSection: ReportSection? {
    guard !types.isEmpty else { return nil }
    let conflicts = types.filter { $0.typeConflicts > 0 }.sorted { $0.typeConflicts > $1.typeConflicts }
    let items = conflicts.map { cell in
      ReportItem(
        lead: .count(cell.typeConflicts), name: "V1 \(cell.legacy)".safe, isCode: true,
        details: ["V2 \(cell.server), of \(Words.count(cell.count, "pair"))".safe], tone: .bad)
    }
    let matrix = matrix
    let rest = types.count { !matrix.rows.contains($0.legacy.safe) || !matrix.columns.contains($0.server.safe) }
    let note = ReportItem(
      words: "\(Words.count(rest, "rarer combination")) \(rest == 1 ? "is" : "are") left out; the JSON form lists all")
    return ReportSection(
      id: "types", title: "Types", summary: "\(Words.count(conflicts.count, "combination")) of types in conflict",
      about: "Pairs by V1's type and V2's type and subtype. A cross marks cells with pairs whose types conflict.",
      visibility: conflicts.isEmpty ? .page : .folded,
      blocks: [.items(items), .matrix(matrix)] + (rest > 0 ? [.items([note])] : []))
  }

  private var matrix: ReportMatrix {
    let rows = Self.unique(types.map(\.legacy), Self.mostTypes.legacy)
    // Next to what their row's type meets most often, so that agreement is along the diagonal.
    let columns = Self.unique(
      rows.flatMap { row in types.filter { $0.legacy == row }.map(\.server) }, Self.mostTypes.server)
    let cells = Dictionary(types.map { ([$0.legacy, $0.server], $0) }, uniquingKeysWith: { first, _ in first })
    return ReportMatrix(
      corner: "V1 \\ V2", caption: "Pairs by V1 type (rows) and V2 type (columns)", rows: rows.map(\.safe),
      columns: columns.map(\.safe),
      cells: rows.map { row in
        columns.map { column in
          cells[[row, column]].map { ReportMatrix.Cell(count: $0.count, conflicts: $0.typeConflicts) }
        }
      })
  }

  private static func unique(_ names: [String], _ most: Int) -> [String] {
    var seen: Set<String> = []
    return Array(names.filter { seen.insert($0).inserted }.prefix(most))
  }

  /// Conflicts over time: whether they are over, or have just begun.
  var timeSection: ReportSection? {
    guard let first = periods.first, let last = periods.last else { return nil }
    let isShort = periods.contains { $0.end - $0.start < 86_400_000 }
    func name(_ moment: Int64) -> String { isShort ? Words.moment(moment) : Words.day(moment) }
    let spans = periods.map { "\(name($0.start)) to before \(name($0.end))" }
    let numbers = periods.map { (all: $0.matched + $0.conflicting, matched: $0.matched, conflicts: $0.conflicting) }
    let columns: [ReportTable.Column] = [
      .name("span"), .number("pairs"), .number("conflicts"), .number("agreement"), .number("missing in V2"),
      .number("missing in V1"),
    ]
    let rows = periods.indices.map { place -> [ReportTable.Cell] in
      let (number, period) = (numbers[place], periods[place])
      return [
        .words(spans[place]), .number(number.all.grouped), .number(number.conflicts.grouped),
        .number(Words.percent(number.matched, of: number.all)), .number(period.missingInV2.grouped),
        .number(period.missingInV1.grouped),
      ]
    }
    let panels = [
      ReportPeriods.Panel(title: "Pairs in conflict", numbers: numbers.map(\.conflicts)),
      ReportPeriods.Panel(title: "All pairs", kind: .quiet, numbers: numbers.map(\.all)),
    ]
    // An outage is a hole here: many events of one span are missing.
    let lost = [
      ("V1 events without a V2 notification", \Period.missingInV2),
      ("V2 notifications without a V1 event", \.missingInV1),
    ]
    .filter { _, count in periods.contains { $0[keyPath: count] > 0 } }
    .map { ReportPeriods.Panel(title: $0, numbers: periods.map { [path = $1] in $0[keyPath: path] }) }
    return ReportSection(
      id: "time", title: "Over time",
      about: "Pairs by the time of their event, in \(Words.count(periods.count, "span")) of equal length.",
      visibility: .page,
      blocks: [
        .periods(
          ReportPeriods(
            panels: panels + lost, spans: spans, first: name(first.start), last: name(last.end),
            table: ReportTable(caption: "Pairs and conflicts per span of time (UTC)", columns: columns, rows: rows)))
      ])
  }

  var unpairedSection: ReportSection? {
    guard !unpaired.isEmpty else { return nil }
    let kinds = Dictionary(grouping: unpaired, by: \.reason)
    let blocks = UnpairedKind.Reason.allCases.compactMap { reason -> ReportBlock? in
      guard let kinds = kinds[reason] else { return nil }
      let count = kinds.reduce(0) { $0 + $1.count }
      let items = ReportBlock.items(kinds.map(\.item))
      let isMissing = reason == .legacyWithoutServer || reason == .serverWithoutLegacy
      if isMissing { return .titled(reason.title, summary: count.grouped, [items]) }
      let brief = ReportItem(lead: .count(count), name: reason.title)
      return .folded("\(reason.title): \(count.grouped)", brief: [brief], [items])
    }
    let count = unpaired.reduce(0) { $0 + $1.count }
    return ReportSection(
      id: "unpaired", title: "Unpaired events",
      summary: "\(Words.count(count, "event")) in one archive only", visibility: .folded, blocks: blocks)
  }

  /// V1 messages with more than one reading, and what would decide them.
  var ambiguousSection: ReportSection? {
    guard !ambiguous.isEmpty else { return nil }
    return ReportSection(
      id: "ambiguous", title: "Ambiguous messages",
      summary: "\(Words.count(ambiguous.count, "kind")) of V1 messages with more than one reading",
      about: "Each reading counts the pairs whose V2 notification confirms it.", visibility: .folded,
      blocks: ambiguous.map(\.block))
  }

  /// Pairs in full: what the samples link to.
  var pairSection: ReportSection? {
    guard !samplePairs.isEmpty else { return nil }
    let ofAccess = Set(entitlement.samples.compactMap(\.pair))
    return ReportSection(
      id: "pairs", title: "Pairs in full",
      about: "The pairs that samples link to, with the fields that need a look; slipcast diff shows all fields of two "
        + "records.",
      visibility: .page,
      blocks: [.pairs(samplePairs.enumerated().map { $1.block(number: $0 + 1, isOfAccess: ofAccess.contains($0)) })])
  }
}

extension ParityResult.SamplePair {
  fileprivate func block(number: Int, isOfAccess: Bool) -> ReportPair {
    let document = ReportDocument(comparison, .upTo(0))
    let rows = comparison.fields.map { ReportRow($0, of: comparison) }
    let shown = rows.filter(\.needsLook).sorted { $0.differenceClass < $1.differenceClass }
    return ReportPair(
      number: number, records: ParityResult.records(legacyRecord, serverRecord, subject), sentence: document.sentence,
      tone: document.tone, sides: document.sides, notes: document.notes.map(\.message), rows: shown,
      rest: rows.count - shown.count, isOfAccess: isOfAccess)
  }
}

extension ParityResult.UnpairedKind {
  fileprivate var item: ReportItem {
    // Some records are enough to look one up.
    let rest = count - min(20, records.count)
    let numbers = records.prefix(20).map(\.grouped).joined(separator: " · ")
    let words =
      records.isEmpty
      ? "" : (count == 1 ? "Record " : "Records ") + numbers + (rest > 0 ? " and \(rest.grouped) more." : ".")
    return ReportItem(
      lead: .count(count), name: event.safe, isCode: true,
      details: [explanation.safe, words].filter { !$0.isEmpty })
  }
}

extension ParityResult.UnpairedKind.Reason {
  fileprivate var title: String {
    switch self {
    case .legacyWithoutServer: "V1 events without their V2 notification"
    case .serverWithoutLegacy: "V2 notifications without their V1 message"
    case .serverOnlyEvents: "V2 notifications of a kind that V1 never sends"
    case .unknownEvents: "V2 notifications of a kind unknown to this version"
    case .notComparable: "V1 events from before V2 existed"
    }
  }
}

extension ParityResult.AmbiguousKind {
  fileprivate var block: ReportBlock {
    var items = readings.map { reading in
      ReportItem(
        lead: .count(reading.count), name: reading.event.safe, isCode: true,
        details: ["decided by: \(reading.needs)".safe])
    }
    if other > 0 { items.append(ReportItem(lead: .count(other), name: "another V2 notification")) }
    if undecided > 0 { items.append(ReportItem(lead: .count(undecided), name: "no V2 notification, still open")) }
    let count = readings.reduce(other + undecided) { $0 + $1.count }
    return .titled(legacy.safe, summary: "\(rule), \(Words.count(count, "message"))".safe, [.items(items)])
  }
}
