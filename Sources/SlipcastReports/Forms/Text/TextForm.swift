import SlipcastMapping
import SlipcastWire

struct TextForm {
  /// As many entries or findings as a person reads; `--verbose` has all.
  private static let fewEntries = 12
  private static let fewFindings = 3
  private static let fewRows = 40

  let ink: Ink
  let isVerbose: Bool
  /// Those of a terminal, which no line exceeds; `nil` for a file.
  var columns: Int?

  /// Where sentences are wrapped.
  var width: Int {
    columns.map { min(max($0, TextLayout.widths.lowerBound), TextLayout.widths.upperBound) } ?? TextLayout.width
  }
  /// Less room for numbers, more for words.
  private var isNarrow: Bool { width < 80 }

  /// Words in lines behind a label.
  func wrapped(_ words: String, after first: String) -> [String] {
    TextLayout.wrapped(words, after: first, width: width)
  }

  /// Lines that fit into the terminal, if there is one.
  private func fitted(_ blocks: [[String]]) -> [[String]] {
    guard columns != nil else { return blocks }
    return blocks.map { $0.flatMap { TextLayout.fitted($0, to: width) } }
  }

  func text(_ document: ReportDocument) -> String {
    let title = document.title.uppercased()
    let verdict = ["\(document.tone == .bad ? ink.alarm(title) : ink.green(title))  \(document.sentence)"]
    let summary = wrapped(document.summary, after: "  ")
    let notes = document.notes.flatMap(lines)
    let sides = lines(document.sides, after: document.opensWithSides ? "" : "  ")
    let opening = document.opensWithSides ? [sides, notes, verdict + summary] : [verdict + summary + sides, notes]
    let hint = [isVerbose ? "" : document.hint].filter { !$0.isEmpty } + wrapped(document.closing, after: "")
    return TextLayout.blocks(fitted(opening + document.sections.flatMap(paragraphs) + [hint.map(ink.dim)]))
  }

  /// Blocks alone, whole: the details of a test case.
  func text(_ blocks: [ReportBlock]) -> String { TextLayout.blocks(paragraphs(blocks, under: [])) }

  func lines(_ sides: [ReportFact], after margin: String) -> [String] {
    let width = sides.map(\.name.count).max() ?? 0
    return sides.map { "\(margin)\($0.label)  \(ink.bold(TextLayout.padded($0.name, to: width)))  \($0.about)" }
  }

  /// A note, yellow where a person should look.
  func lines(_ note: ReportNote) -> [String] {
    let lines = wrapped(note.message, after: note.isWarning ? "warning  " : "note     ")
    return note.isWarning ? lines.map(ink.yellow) : lines
  }

  private func paragraphs(_ section: ReportSection) -> [[String]] {
    guard section.visibility != .page, isVerbose || section.visibility != .detail else { return [] }
    guard !section.summary.isEmpty else { return paragraphs(section.blocks, under: []) }
    let name = section.tone == .bad ? section.title.uppercased() : section.title.lowercased()
    var heading = wrapped(section.summary, after: name + "  ")
    heading[0] = (section.tone == .bad ? ink.alarm(name) : ink.bold(name)) + heading[0].dropFirst(name.count)
    return paragraphs(section.blocks, under: heading)
  }

  /// Lists and tables follow their heading; what has its own heading follows a blank line.
  private func paragraphs(_ blocks: [ReportBlock], under heading: [String]) -> [[String]] {
    var paragraphs = [heading]
    func attach(_ lines: [String]) { paragraphs[paragraphs.count - 1] += lines }
    for block in blocks {
      switch block {
      case .items(let items): attach(lines(items))
      case .table(let table): attach(lines(table))
      case .facts(let facts): attach(lines(facts))
      case .findings(let findings): paragraphs += few(findings, Self.fewFindings).map(lines)
      case .fields(let fields): paragraphs += self.paragraphs(fields)
      case .titled(let name, let summary, let blocks):
        paragraphs += self.paragraphs(blocks, under: [ink.bold(name) + (summary.isEmpty ? "" : "  \(summary)")])
      case .folded(let name, let brief, let blocks):
        if isVerbose {
          paragraphs += self.paragraphs(blocks, under: [ink.bold(name)])
        } else {
          paragraphs[0] += lines(brief)
        }
      case .periods(let periods): if let table = periods.table { attach(lines(table)) }
      case .page, .matrix, .records, .pairs: break
      }
    }
    return paragraphs
  }

  private func few<Element>(_ elements: [Element], _ most: Int) -> [Element] {
    isVerbose ? elements : Array(elements.prefix(most))
  }

  private func more(_ all: Int, _ shown: Int) -> [String] {
    all > shown ? ["  and \((all - shown).grouped) more"] : []
  }

  // MARK: lists and tables

  private func lines(_ items: [ReportItem]) -> [String] {
    let shown = few(items, Self.fewEntries)
    return shown.flatMap(lines) + more(items.count, shown.count)
  }

  private func lines(_ item: ReportItem) -> [String] {
    let lead =
      switch item.lead {
      case .none: "  "
      case .count(let count): "  " + TextLayout.aligned(count.grouped, to: isNarrow ? 6 : 11) + "  "
      case .gate(let holds): holds ? "  holds  " : "  FAILS  "
      }
    let margin = String(repeating: " ", count: lead.count)
    let words = [item.name, item.words].filter { !$0.isEmpty }.joined(separator: ": ")
    var lines = wrapped(words, after: lead)
    if item.isCode, lines.first?.hasPrefix(lead + item.name) ?? false {
      lines[0] = lead + ink.bold(item.name) + lines[0].dropFirst(lead.count + item.name.count)
    }
    // Without a number in front, only a wider gap separates them from the next entry.
    let isListed = lead == margin && !item.name.isEmpty
    let details = item.plainDetails.flatMap { wrapped($0, after: isListed ? margin + "  " : margin) }
    if item.tone == .bad { return lines.map(ink.red) + details }
    if case .none = item.lead { return lines.map(ink.dim) + details }
    return lines + details
  }

  private func lines(_ facts: [ReportFact]) -> [String] {
    let width = facts.map(\.label.count).max() ?? 0
    return facts.flatMap { fact in
      let words = [fact.name, fact.about].listed
      return wrapped(words, after: "  \(TextLayout.padded(fact.label, to: width))  ")
    }
  }

  private func lines(_ table: ReportTable) -> [String] {
    let columns = table.columns.indices.filter { table.columns[$0].kind != .bar }
    let rows = few(table.rows, Self.fewRows)
    let names = columns.filter { table.columns[$0].kind == .name }
    let width = rows.flatMap { row in names.map { text(row[$0]).count } }.max() ?? 0
    let numbers = widths(of: rows, table, columns)
    func line(_ cell: (Int) -> (text: String, shown: String)) -> String {
      columns.reduce("") { line, column in
        let (text, shown) = cell(column)
        if table.columns[column].kind == .number {
          return line + TextLayout.aligned(text, to: isNarrow ? numbers[column] ?? 8 : 13)
        }
        let fill = column == columns.last ? "" : TextLayout.padded("", to: width - text.count)
        return line + "  " + shown + fill
      }
    }
    let head = line { (table.columns[$0].title, table.columns[$0].title) }
    let lines = rows.map { row in line { (text(row[$0]), shown(row[$0])) } }
    let body = table.hasTotal ? lines.dropLast() + lines.suffix(1).map(ink.bold) : lines
    return [ink.dim(head)] + body + more(table.rows.count, rows.count)
  }

  /// How wide columns of numbers are at least, with a gap before them.
  private func widths(of rows: [[ReportTable.Cell]], _ table: ReportTable, _ columns: [Int]) -> [Int: Int] {
    Dictionary(
      uniqueKeysWithValues: columns.map { column in
        let texts = [table.columns[column].title] + rows.map { text($0[column]) }
        return (column, 2 + (texts.map(\.count).max() ?? 0))
      })
  }

  private func text(_ cell: ReportTable.Cell) -> String {
    switch cell {
    case .words(let text), .number(let text): text
    case .path(let path, _, let remark, _, _): remark.isEmpty ? path : "\(path)  (\(remark))"
    case .bar: ""
    }
  }

  private func shown(_ cell: ReportTable.Cell) -> String {
    guard case .path(let path, _, let remark, let worst, let fails) = cell else { return text(cell) }
    let words = remark.isEmpty ? "" : "  (\(remark))"
    return ink.heading(path, as: worst) + (fails ? ink.red(words) : words)
  }

  // MARK: fields

  private func paragraphs(_ fields: ReportFields) -> [[String]] {
    if fields.kind != .pair {
      return few(fields.groups.flatMap(\.rows).filter { isVerbose || $0.needsLook }, Self.fewEntries).map(lines)
    }
    var (paragraphs, collapsed): ([[String]], [String]) = ([], [])
    for group in fields.groups {
      let rows = group.rows.filter { isVerbose || $0.needsLook }
      let name = group.differenceClass
      if !rows.isEmpty {
        let isStrict = name != .conflict && rows.contains(where: \.fails)
        let words = group.words(rows.count, remark: isStrict ? " (failing here)" : "")
        paragraphs += [["\(ink.heading(name.rawValue, as: name))  \(words)"]] + rows.map(lines)
      }
      // Counts below the verdict include repeated values; they need no line.
      if group.count > rows.count, name != .repeated {
        let padded = TextLayout.padded(name.rawValue, to: 14)
        collapsed.append("\(ink.heading(padded, as: name))  \(group.words(group.count - rows.count))")
      }
    }
    return paragraphs + [collapsed]
  }
}

extension Ink {
  /// Text in bold and in the color of a class; classes that need no attention keep the terminal's color.
  func heading(_ text: String, as differenceClass: DifferenceClass) -> String {
    switch differenceClass {
    case .conflict: dye(text, "1;31")
    case .timeDependent, .unknown, .semantic: dye(text, "1;33")
    case .derived: dye(text, "1;36")
    case .legacyOnly, .serverOnly, .elsewhere, .repeated, .representation, .identical: bold(text)
    }
  }
}
