import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ParityResult {
  var gateSection: ReportSection {
    let failing = failingGates
    let some = failing.count == 1 ? "\(failing[0].name.safe) failed" : "\(failing.count) of \(gates.count) failed"
    let words = failing.isEmpty ? "all hold" : some
    let items = gates.map { gate in
      ReportItem(
        lead: .gate(holds: gate.holds), name: gate.name.safe, isCode: true, words: gate.message.safe,
        tone: gate.holds ? .good : .bad)
    }
    return ReportSection(
      id: "gates", title: "Gates", summary: words,
      about: "Parity requires that all gates hold.", blocks: [.items(items)])
  }

  /// What became of the records of both archives: columns that add up.
  var recordSection: ReportSection {
    var rows: [(title: String, legacy: Int?, server: Int?)] = [
      ("present in both, in agreement", pairs.matched, pairs.matched),
      ("present in both, in conflict", pairs.conflicting, pairs.conflicting),
      ("V1 event without its V2 notification", pairs.legacyWithoutServer, nil),
      ("V2 notification without its V1 message", nil, pairs.serverWithoutLegacy),
      ("V2 notification of a kind that V1 never sends", nil, pairs.serverOnlyEvents),
      ("V1 companion message that V2 never sends", pairs.absorbed, nil),
      ("duplicate of an earlier record", pairs.duplicates.legacy, pairs.duplicates.server),
    ]
    if pairs.unknownEvents > 0 {
      rows.append(("V2 notification of a kind unknown to this version", nil, pairs.unknownEvents))
    }
    if pairs.rejected != .init() { rows.append(("unreadable", pairs.rejected.legacy, pairs.rejected.server)) }
    if pairs.notComparable > 0 { rows.append(("V1 event from before V2 existed", pairs.notComparable, nil)) }
    rows.append(("all records", rows.reduce(0) { $0 + ($1.legacy ?? 0) }, rows.reduce(0) { $0 + ($1.server ?? 0) }))
    let table = ReportTable(
      caption: "Outcomes of the records of both archives",
      columns: [.name("outcome"), .number("V1"), .number("V2")],
      rows: rows.map { row in
        [.words(row.title), .number(row.legacy?.grouped ?? "–"), .number(row.server?.grouped ?? "–")]
      }, hasTotal: true)
    return ReportSection(
      id: "records", title: "Records", summary: "each record is counted once", visibility: .folded,
      blocks: [.table(table)])
  }

  func agreementSection(_ fields: [ReportRow], leftOut: Int) -> ReportSection? {
    let shown = fields.filter { !$0.isLoss || $0.conflicts > 0 }
    guard !shown.isEmpty else { return nil }
    let (open, rest) = (shown.filter(\.needsLook), shown.filter { !$0.needsLook })
    var blocks: [ReportBlock] = open.isEmpty ? [] : [.table(Self.table("Paths in conflict", open))]
    if !rest.isEmpty {
      let classes = Self.counts(rest).map { entry in
        ReportItem(
          lead: .count(entry.count), name: entry.differenceClass.rawValue, words: entry.differenceClass.meaning)
      }
      let head = ReportItem(lead: .count(rest.count), name: "without a conflict, by their most serious class")
      blocks.append(
        .folded(
          Words.count(rest.count, "path") + " without a conflict", brief: [head] + classes,
          [.table(Self.table("Paths without a conflict", rest))]))
    }
    if leftOut > 0 {
      let paths = "\(Words.count(leftOut, "path")) that \(leftOut == 1 ? "agrees" : "agree") at least as well"
      let words = "\(paths) \(leftOut == 1 ? "is" : "are") left out; the JSON form lists all"
      blocks.append(.items([ReportItem(words: words)]))
    }
    let title = open.isEmpty ? "none in conflict" : "\(open.count.grouped) in conflict"
    return ReportSection(
      id: "agreement", title: "Agreement", summary: "\(Words.count(shown.count, "path")) of V2, \(title)",
      about: "Bars show the share of each class, the worst path first. Conflicts use a taller bar (not to scale).",
      blocks: blocks)
  }

  private static func table(_ caption: String, _ fields: [ReportRow]) -> ReportTable {
    // Without a conflict, all of them agree.
    let hasConflicts = fields.contains(where: \.needsLook)
    let columns: [ReportTable.Column] = [
      .number("agreement"), .number("conflicts"), .number("pairs"), .name("path"), .bar("classes"),
    ]
    return ReportTable(
      caption: caption, columns: hasConflicts ? columns : Array(columns.dropFirst(2)),
      rows: fields.map { field in
        let shares: [ReportTable.Cell] = [.number(field.agreement), .number(field.conflicts.grouped)]
        return (hasConflicts ? shares : []) + [
          .number(field.pairs.grouped),
          .path(field.path, link: field.id, remark: field.remark, worst: field.differenceClass, fails: field.fails),
          .bar(
            ReportBar(counts: field.counts, total: field.pairs, words: field.countWords, agreement: field.agreement)),
        ]
      })
  }

  private static func counts(_ fields: [ReportRow]) -> [ReportCount] {
    let groups = Dictionary(grouping: fields, by: \.differenceClass)
    return DifferenceClass.allCases.compactMap { differenceClass in
      groups[differenceClass].map { ReportCount(differenceClass: differenceClass, count: $0.count) }
    }
  }

  func fieldSection(_ fields: [ReportRow]) -> ReportSection? {
    guard !fields.isEmpty else { return nil }
    let groups = Self.counts(fields).map { entry in
      let rows = fields.filter { $0.differenceClass == entry.differenceClass }
      return ReportGroup(differenceClass: entry.differenceClass, count: rows.count, rows: rows)
    }
    return ReportSection(
      id: "fields", title: "Fields", about: "Each path is under the most serious class that it has in any pair.",
      visibility: .folded, blocks: [.fields(ReportFields(groups: groups, kind: .samples))])
  }

  /// V1 values without a place in V2.
  func lossSection(_ fields: [ReportRow]) -> ReportSection? {
    let losses = fields.filter(\.isLost).sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    let (repeated, elsewhere) = (
      fields.count { $0.differenceClass == .repeated }, fields.count { $0.differenceClass == .elsewhere }
    )
    let rest = [
      repeated > 0 ? "\(Words.count(repeated, "V1 path")) with other spellings of the same values" : "",
      elsewhere > 0 ? "\(Words.count(elsewhere, "V1 path")) with objects that other messages report" : "",
    ].listed
    guard !losses.isEmpty || !rest.isEmpty else { return nil }
    let items = losses.map { field in
      ReportItem(
        lead: .count(field.pairs), name: field.path, isCode: true, link: field.id,
        details: [field.reason ?? ""].filter { !$0.isEmpty })
    }
    return ReportSection(
      id: "losses", title: "Losses", summary: "\(Words.count(losses.count, "value")) of V1 without a place in V2",
      about: "The number counts pairs.", visibility: .folded,
      blocks: [.items(items + (rest.isEmpty ? [] : [ReportItem(words: "Not lost: \(rest)")]))])
  }
}
