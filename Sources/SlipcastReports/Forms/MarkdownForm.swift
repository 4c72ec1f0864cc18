import SlipcastMapping
import SlipcastWire

struct MarkdownForm {
  private typealias Text = MarkdownText
  /// A comment has at most 65,536 characters.
  private static let mostEntries = 20
  private static let mostRows = 40
  private static let mostSamples = 10

  func text(_ document: ReportDocument) -> String {
    let mark = document.tone == .good ? "✅ " : document.tone == .bad ? "❌ " : ""
    let sentence = document.sentence.isEmpty ? "" : ": \(Text.prose(document.sentence))"
    let summary = document.summary.isEmpty ? [] : [Text.prose(document.summary)]
    let notes = document.notes.map { "- \($0.isWarning ? "**warning**" : "note"): \(Text.prose($0.message))" }
    let opening = [["## \(mark)\(document.title)\(sentence)"], document.sides.map(line) + notes, summary]
    let closing = document.closing.isEmpty ? [] : [Text.prose(document.closing)]
    return TextLayout.blocks(opening + document.sections.flatMap(parts) + [closing])
  }

  private func parts(_ section: ReportSection) -> [[String]] {
    guard section.visibility != .page else { return [] }
    let parts = section.blocks.flatMap(parts).filter { !$0.isEmpty }
    let isAlways = section.visibility == .always
    if parts.isEmpty, section.summary.isEmpty || !isAlways { return [] }
    let title = section.title + (section.summary.isEmpty ? "" : ": \(section.summary)")
    return isAlways ? [["### \(Text.prose(title))"]] + parts : [folded(title, parts)]
  }

  private func parts(_ block: ReportBlock) -> [[String]] {
    switch block {
    case .items(let items): return [lines(items)]
    case .table(let table): return [lines(table)]
    case .facts(let facts): return [facts.map(line)]
    case .findings(let findings):
      return [folded(Words.count(findings.count, "sample"), [table(findings.map { (nil, $0) })])]
    case .fields(let fields): return parts(fields)
    case .titled(let name, let summary, let blocks):
      return [["**\(Text.prose(name))**" + (summary.isEmpty ? "" : ": \(Text.prose(summary))")]] + blocks.flatMap(parts)
    case .folded(let name, _, let blocks): return [folded(name, blocks.flatMap(parts))]
    case .periods(let periods): return periods.table.map { [lines($0)] } ?? []
    case .page, .matrix, .records, .pairs: return []
    }
  }

  private func folded(_ title: String, _ parts: [[String]]) -> [String] {
    let lines = parts.joined(separator: [""])
    return ["<details>", "<summary>\(Text.prose(title))</summary>", ""] + lines + ["", "</details>"]
  }

  private func more(_ all: Int, _ most: Int) -> [String] { all > most ? ["", "and \((all - most).grouped) more"] : [] }

  private func line(_ fact: ReportFact) -> String {
    "- \(fact.label) \(Text.code(fact.name))\(fact.about.isEmpty ? "" : ": \(Text.prose(fact.about))")"
  }

  // MARK: lists and tables

  private func lines(_ items: [ReportItem]) -> [String] {
    items.prefix(Self.mostEntries).map(line) + more(items.count, Self.mostEntries)
  }

  private func line(_ item: ReportItem) -> String {
    let name = item.isCode ? Text.code(item.name) : Text.prose(item.name)
    let words = ([item.words] + item.plainDetails).filter { !$0.isEmpty }.map(Text.prose).joined(separator: " ")
    let lead: String
    switch item.lead {
    case .none: return "- " + [item.name.isEmpty ? "" : name, words].filter { !$0.isEmpty }.joined(separator: ": ")
    case .count(let count): lead = item.isCode ? "**\(count.grouped)** \(name)" : "**\(count.grouped) \(name)**"
    case .gate(let holds): lead = holds ? "✅ \(name) holds" : "❌ \(name) fails"
    }
    return words.isEmpty ? "- \(lead)" : "- \(lead): \(words)"
  }

  private func lines(_ table: ReportTable) -> [String] {
    let order = table.nameFirst
    let columns = order.map { table.columns[$0] }
    let rows = table.rows.prefix(Self.mostRows).map { row in order.map { cell(row[$0]) } }
    let numbers = Set(columns.indices.filter { columns[$0].kind == .number })
    return Text.table(columns.map(\.title), numbers: numbers, rows) + more(table.rows.count, Self.mostRows)
  }

  private func cell(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .words(let text), .number(let text): Text.prose(text)
    case .path(let path, _, let remark, _, let fails):
      Text.code(path) + (remark.isEmpty ? "" : fails ? " **\(Text.prose(remark))**" : " (\(Text.prose(remark)))")
    case .bar(let bar): Text.prose(bar.words)
    }
  }

  // MARK: fields

  private func parts(_ fields: ReportFields) -> [[String]] {
    let open = fields.groups.flatMap { $0.rows.filter(\.needsLook) }
    if fields.kind != .pair {
      return [table(open.filter { !$0.findings.isEmpty }.prefix(Self.mostSamples).map { ($0, $0.findings[0]) })]
    }
    let rest = fields.groups.compactMap { group -> [String]? in
      let rows = group.rows.filter { !$0.needsLook }
      guard !rows.isEmpty else { return nil }
      let title = "\(group.differenceClass.rawValue): \(group.words(rows.count))"
      return folded(title, [table(rows.map { ($0, $0.findings[0]) }, hasClass: false)])
    }
    return [table(open.map { ($0, $0.findings[0]) })] + rest
  }

  /// A line for each finding; columns without a value in any line are left out.
  private func table(_ rows: [(row: ReportRow?, finding: ReportFinding)], hasClass: Bool = true) -> [String] {
    guard !rows.isEmpty else { return [] }
    let labels = ["first", "second", "V1", "cast", "V2", "as of"].filter { label in
      rows.contains { $0.finding.entries.contains { $0.label == label && $0.value != .absent } }
    }
    var columns: [(title: String, cell: (ReportRow?, ReportFinding) -> String)] = []
    if rows[0].row != nil { columns.append(("field", Self.path)) }
    if rows[0].finding.records != nil { columns.append(("pair", { _, finding in Text.prose(finding.records ?? "") })) }
    columns += labels.map { label in (label, { _, finding in Self.value(label, finding) }) }
    if rows[0].row != nil, hasClass { columns.append(("class", Self.name)) }
    columns.append(("meaning", { _, finding in Self.meaning(finding) }))
    return Text.table(columns.map(\.title), rows.map { row in columns.map { $0.cell(row.row, row.finding) } })
  }

  private static func path(_ row: ReportRow?, _ finding: ReportFinding) -> String {
    let place = finding.entries.first { $0.place != nil }
    return Text.code(row?.path ?? "") + (place.map { "<br>\($0.label) \(Text.code($0.place ?? ""))" } ?? "")
  }

  private static func value(_ label: String, _ finding: ReportFinding) -> String {
    guard let value = finding.entries.first(where: { $0.label == label })?.value else {
      // The cast is listed only where it says more than V1.
      return label == "cast" && finding.entries[0].value != .absent ? "as V1" : ""
    }
    guard case .json = value else { return Text.prose(value.text) }
    // A receipt would fill the whole comment.
    return Text.code(value.cut(to: 200, showing: finding.sharedPrefix))
  }

  private static func name(_ row: ReportRow?, _ finding: ReportFinding) -> String {
    let name = (finding.differenceClass ?? row?.differenceClass)?.rawValue ?? ""
    return row?.fails == true ? "**\(name)**" : name
  }

  private static func meaning(_ finding: ReportFinding) -> String {
    [finding.meaning, finding.storekit.map { "StoreKit " + $0 } ?? "", finding.ignored ?? ""].filter { !$0.isEmpty }
      .map(Text.prose).joined(separator: "<br>")
  }
}
