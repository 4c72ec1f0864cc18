import SlipcastMapping
import SlipcastWire

extension HTMLForm {
  /// A browser becomes slow with more entries.
  private static let mostEntries = 200

  /// A list of entries, each with a number or an outcome in front; sentences about the list are below it.
  func add(_ items: [ReportItem], _ parent: Markup) {
    let entries = items.filter { !$0.isSentence }
    if !entries.isEmpty {
      let list = parent.add("ul", ["class": "findings"])
      for item in entries.prefix(Self.mostEntries) { add(item, list) }
    }
    let rest = entries.count - Self.mostEntries
    let more =
      rest > 0 ? ["\(Words.count(rest, "more entry", "more entries")) \(rest == 1 ? "is" : "are") left out"] : []
    for words in more + items.filter(\.isSentence).map(\.words) {
      parent.add("p", ["class": "about"], text: words.capitalizedFirst + ".")
    }
  }

  private func add(_ item: ReportItem, _ list: Markup) {
    let entry = list.add("li", item.tone.map { ["class": $0.rawValue] } ?? [:])
    let lead = entry.add("strong", ["class": "count"])
    switch item.lead {
    case .none: break
    case .count(let count): lead.add(number: count.grouped)
    case .gate(let holds):
      lead.add("span", ["aria-hidden": "true"], text: holds ? "✓ " : "✕ ")
      lead.add(text: holds ? "holds" : "fails")
    }
    let words = entry.add("div")
    if let link = item.link {
      words.add("a", ["class": "path", "href": "#\(link)"]).add(path: item.name)
    } else {
      words.add(item.isCode ? "code" : "strong", text: item.name)
    }
    if !item.words.isEmpty { words.add(text: ": \(item.words)") }
    for detail in item.details { words.add("p", text: detail) }
    guard item.rest > 0 else { return }
    let more = folded("\(item.rest.grouped) more", words)
    for detail in item.further { more.add("p", text: detail) }
    let rest = item.rest - item.further.count
    if rest > 0 { more.add("p", text: "\(rest.grouped) more; the JSON form lists all") }
  }

  /// A table; rows begin with their name, numbers are aligned at the right.
  func add(_ table: ReportTable, _ parent: Markup) {
    guard table.columns.contains(where: { $0.kind == .bar }) else { return table.data.add(to: parent) }
    legend(parent)
    addAgreement(table, parent)
  }

  /// A table with bars.
  ///
  /// Roles are spelled out, because on a narrow screen the style sheet puts the cells below each other.
  private func addAgreement(_ table: ReportTable, _ parent: Markup) {
    let order = table.nameFirst
    let element = parent.add("table", ["class": "agreement", "role": "table"])
    element.add("caption", text: table.caption)
    let head = element.add("thead", ["role": "rowgroup"]).add("tr", ["role": "row"])
    for column in order.map({ table.columns[$0] }) {
      let name = column.kind == .number ? "number" : "words"
      head.add("th", ["scope": "col", "role": "columnheader", "class": name], text: column.title.capitalizedFirst)
    }
    let body = element.add("tbody", ["role": "rowgroup"])
    for cells in table.rows {
      let row = body.add("tr", ["role": "row"])
      for column in order { add(cells[column], table.columns[column].title, row) }
    }
  }

  private func add(_ cell: ReportTable.Cell, _ title: String, _ row: Markup) {
    switch cell {
    case .words(let text): row.add("th", ["scope": "row", "role": "rowheader", "class": "words"], text: text)
    case .path(let path, let link, let remark, _, _):
      let name = row.add("th", ["scope": "row", "role": "rowheader", "class": "words"])
      name.add("a", ["class": "path", "href": "#\(link)"]).add(path: path)
      if !remark.isEmpty { name.add("span", ["class": "remark"], text: " \(remark)") }
    case .bar(let bar): add(bar, row.add("td", ["class": "stripes", "role": "cell"]))
    case .number(let text):
      let element = row.add("td", ["class": "number", "role": "cell"])
      element.add(number: text)
      element.add("span", ["class": "label", "aria-hidden": "true"], text: " \(title)")
    }
  }
}

extension ReportTable {
  /// The table as pages draw it, without bars.
  var data: DataTable {
    let order = nameFirst.filter { columns[$0].kind != .bar }
    var table = DataTable(
      id: "table", caption: caption,
      columns: order.map { place in
        let title = columns[place].title.capitalizedFirst
        return columns[place].kind == .number ? .number(title) : .words(title)
      })
    (table.namesRows, table.showsCaption) = (true, true)
    table.rows = rows.enumerated().map { number, cells in
      DataTable.Row(
        cells: order.map { cells[$0].data }, tone: hasTotal && number == rows.count - 1 ? "total" : nil)
    }
    return table
  }
}

extension ReportTable.Cell {
  fileprivate var data: DataTable.Cell {
    switch self {
    case .words(let text), .number(let text): .words(text)
    case .path(let path, let link, let remark, _, _): .code(path, link: "#\(link)", remark: remark)
    case .bar(let bar): .words(bar.words)
    }
  }
}

extension ReportItem {
  /// A sentence about the list rather than an entry.
  fileprivate var isSentence: Bool {
    if case .none = lead { name.isEmpty } else { false }
  }
}

extension Markup {
  /// A path that may break after each step rather than within one.
  package func add(path: String) {
    for (index, step) in path.split(separator: ".", omittingEmptySubsequences: false).enumerated() {
      add("span", ["class": "step"], text: (index > 0 ? "." : "") + step)
    }
  }
}
