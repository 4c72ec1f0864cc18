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
  }

  /// A table; rows begin with their name, numbers are aligned at the right.
  ///
  /// Roles are spelled out, because on a narrow screen the style sheet puts the cells of some tables below each other.
  func add(_ table: ReportTable, _ parent: Markup) {
    let order = table.nameFirst
    let hasBars = table.columns.contains { $0.kind == .bar }
    if hasBars { legend(parent) }
    let element = parent.add("table", ["class": hasBars ? "agreement" : "figures", "role": "table"])
    element.add("caption", text: table.caption)
    let head = element.add("thead", ["role": "rowgroup"]).add("tr", ["role": "row"])
    for column in order.map({ table.columns[$0] }) {
      let name = column.kind == .number ? "number" : "words"
      head.add("th", ["scope": "col", "role": "columnheader", "class": name], text: column.title.capitalizedFirst)
    }
    let body = element.add("tbody", ["role": "rowgroup"])
    for (place, cells) in table.rows.enumerated() {
      let row = body.add("tr", ["role": "row"])
      if table.hasTotal, place == table.rows.count - 1 { row.set("class", "total") }
      for column in order { add(cells[column], hasBars ? table.columns[column].title : nil, row) }
    }
  }

  private func add(_ cell: ReportTable.Cell, _ title: String?, _ row: Markup) {
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
      if let title { element.add("span", ["class": "label", "aria-hidden": "true"], text: " \(title)") }
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

  /// A number, which may break after its commas where it is wider than a narrow screen allows.
  func add(number: String) {
    guard number.count > 11 else { return add(text: number) }
    for (place, group) in number.split(separator: ",").enumerated() {
      if place > 0 {
        add(text: ",")
        add("wbr")
      }
      add(text: String(group))
    }
  }
}
