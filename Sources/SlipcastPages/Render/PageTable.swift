internal import SlipcastReports
internal import SlipcastWire

/// A table of a page, which can be downloaded as CSV.
struct PageTable {
  enum Kind { case words, number, time }

  struct Column {
    var title: String
    var kind = Kind.words

    static func words(_ title: String) -> Column { Column(title: title) }
    static func number(_ title: String) -> Column { Column(title: title, kind: .number) }
    static func time(_ title: String) -> Column { Column(title: title, kind: .time) }
  }

  struct Cell {
    var text: String
    /// The address that it leads to.
    var link: String?
    /// Milliseconds since 1970 UTC.
    var time: Int64?
    /// It is a name of code, which may break after its parts.
    var isCode = false
    /// More about it, folded.
    var details: [String] = []

    static func words(_ text: String, link: String? = nil, details: [String] = []) -> Cell {
      Cell(text: text, link: link, details: details)
    }
    static func code(_ text: String, link: String? = nil) -> Cell { Cell(text: text, link: link, isCode: true) }
    static func number(_ number: Int) -> Cell { Cell(text: number.grouped) }
    static func time(_ time: Int64?) -> Cell { Cell(text: time == nil ? "unknown" : "", time: time) }
  }

  struct Row {
    var cells: [Cell]
    /// A class of the style sheet, such as `refunded`.
    var tone: String?
  }

  /// One word: the name of the download.
  var id: String
  var caption: String
  var columns: [Column]
  var rows: [Row] = []
  /// What is said in place of a table without rows.
  var empty = "Nothing."

  /// The table as CSV (RFC 4180); times are ISO 8601.
  var csv: String {
    func text(_ cell: Cell) -> String {
      if let time = cell.time { return Timestamp(milliseconds: time).description }
      return ([cell.text] + cell.details).joined(separator: "; ")
    }
    let lines = [columns.map(\.title)] + rows.map { $0.cells.map(text) }
    return lines.map { CSVText.row($0) }.joined()
  }

  /// - Parameter download: the address of the same as CSV.
  func add(to parent: Markup, download: String?) {
    guard !rows.isEmpty else {
      parent.add("p", ["class": "about"], text: empty)
      return
    }
    let box = parent.add("div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption])
    let table = box.add("table", ["class": "list"])
    table.add("caption", text: caption)
    let head = table.add("thead").add("tr")
    for column in columns {
      head.add("th", ["scope": "col", "class": column.kind == .number ? "number" : "words"], text: column.title)
    }
    let body = table.add("tbody")
    for row in rows {
      let line = body.add("tr")
      if let tone = row.tone { line.set("class", tone) }
      for (column, cell) in zip(columns, row.cells) { add(cell, column, to: line) }
    }
    guard let download else { return }
    parent.add("p", ["class": "download"]).add("a", ["href": download, "download": ""], text: "Download as CSV")
  }

  private func add(_ cell: Cell, _ column: Column, to line: Markup) {
    let element = line.add("td", ["class": column.kind == .number ? "number" : column.kind == .time ? "time" : "words"])
    let inner = cell.link.map { element.add("a", ["href": $0]) } ?? element
    if let time = cell.time {
      inner.add(moment: time)
    } else if cell.isCode {
      inner.add("code").add(code: cell.text)
    } else {
      inner.add(text: cell.text)
    }
    guard !cell.details.isEmpty else { return }
    let details = element.add("details", ["class": "why"])
    details.add("summary", text: "Why")
    for text in cell.details { details.add("p", text: text) }
  }
}

extension Markup {
  /// A name of code, which may break after its parts rather than within one.
  func add(code: String) {
    var part = ""
    for character in code {
      part.append(character)
      guard "._/".contains(character) else { continue }
      add(text: part)
      add("wbr")
      part = ""
    }
    if !part.isEmpty { add(text: part) }
  }
}
