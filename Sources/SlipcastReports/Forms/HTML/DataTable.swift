import SlipcastWire

/// A table of a page, which can be downloaded as CSV: the tables of all pages, except those with bars or a matrix.
package struct DataTable: Sendable {
  package enum Kind: Sendable { case words, number, time }

  package struct Column: Sendable {
    package var title: String
    package var kind = Kind.words

    package static func words(_ title: String) -> Column { Column(title: title) }
    package static func number(_ title: String) -> Column { Column(title: title, kind: .number) }
    package static func time(_ title: String) -> Column { Column(title: title, kind: .time) }
  }

  package struct Cell: Sendable {
    package var text: String
    /// The address that it leads to.
    package var link: String?
    /// Milliseconds since 1970 UTC.
    package var time: Int64?
    /// It is a name of code, which may break after its parts.
    package var isCode = false
    /// The text after it.
    package var remark = ""
    /// More about it, folded.
    package var details: [String] = []

    package static func words(_ text: String, link: String? = nil, details: [String] = []) -> Cell {
      Cell(text: text, link: link, details: details)
    }
    package static func code(_ text: String, link: String? = nil, remark: String = "") -> Cell {
      Cell(text: text, link: link, isCode: true, remark: remark)
    }
    package static func number(_ number: Int) -> Cell { Cell(text: number.grouped) }
    package static func time(_ time: Int64?) -> Cell { Cell(text: time == nil ? "unknown" : "", time: time) }
  }

  package struct Row: Sendable {
    package var cells: [Cell]
    /// A class of the style sheet, such as `refunded`.
    package var tone: String?

    package init(cells: [Cell], tone: String? = nil) { (self.cells, self.tone) = (cells, tone) }
  }

  /// One word: the name of the download.
  package var id: String
  package var caption: String
  package var columns: [Column]
  package var rows: [Row] = []
  /// What is said in place of a table without rows.
  package var empty = "Nothing."
  /// The first column names its row.
  package var namesRows = false
  /// The caption can be seen; else a heading says the same.
  package var showsCaption = false

  package init(id: String, caption: String, columns: [Column]) {
    (self.id, self.caption, self.columns) = (id, caption, columns)
  }

  /// The table as CSV (RFC 4180); times are ISO 8601.
  package var csv: String {
    func text(_ cell: Cell) -> String {
      if let time = cell.time { return Timestamp(milliseconds: time).description }
      return ([cell.text] + [cell.remark].filter { !$0.isEmpty } + cell.details).joined(separator: "; ")
    }
    let lines = [columns.map(\.title)] + rows.map { $0.cells.map(text) }
    return lines.map { CSVText.row($0) }.joined()
  }

  /// - Parameter download: the address of the same as CSV.
  package func add(to parent: Markup, download: String? = nil) {
    guard !rows.isEmpty else {
      parent.add("p", ["class": "about"], text: empty)
      return
    }
    let box = parent.add("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption])
    let table = box.add("table", ["class": "list"])
    table.add("caption", showsCaption ? ["class": "seen"] : [:], text: caption)
    let head = table.add("thead").add("tr")
    for column in columns { head.add("th", ["scope": "col", "class": Self.name(column.kind)], text: column.title) }
    let body = table.add("tbody")
    for row in rows {
      let line = body.add("tr")
      if let tone = row.tone { line.set("class", tone) }
      for (place, (column, cell)) in zip(columns, row.cells).enumerated() {
        let isName = namesRows && place == 0
        let element = isName ? line.add("th", ["scope": "row"]) : line.add("td")
        element.set("class", Self.name(column.kind))
        add(cell, column, to: element)
      }
    }
    guard let download else { return }
    parent.add("p", ["class": "download"]).add("a", ["href": download, "download": ""], text: "Download as CSV")
  }

  private static func name(_ kind: Kind) -> String {
    switch kind {
    case .words: "words"
    case .number: "number"
    case .time: "time"
    }
  }

  private func add(_ cell: Cell, _ column: Column, to element: Markup) {
    let inner = cell.link.map { element.add("a", ["href": $0]) } ?? element
    if let time = cell.time {
      inner.add(moment: time)
    } else if cell.isCode {
      inner.add("code").add(code: cell.text)
    } else if column.kind == .number {
      inner.add(number: cell.text)
    } else {
      inner.add(text: cell.text)
    }
    if !cell.remark.isEmpty { element.append("span", ["class": "remark"], text: cell.remark) }
    guard !cell.details.isEmpty else { return }
    let details = element.add("details", ["class": "why"])
    details.add("summary", text: "Why")
    for text in cell.details { details.add("p", text: text) }
  }
}

extension Markup {
  /// A name of code, which may break after its parts rather than within one.
  package func add(code: String) {
    var part = ""
    for character in shortened(code) {
      part.append(character)
      guard "._/".contains(character) else { continue }
      add(whole: part)
      add("wbr")
      part = ""
    }
    if !part.isEmpty { add(whole: part) }
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
