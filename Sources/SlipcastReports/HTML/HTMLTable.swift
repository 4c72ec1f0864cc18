/// A table of texts: rows are headed by their first cell, numbers stand at the right.
struct HTMLTable {
  /// What the table shows; read out before it.
  let caption: String
  let columns: [String]
  /// The first column whose cells stand at the right.
  var numbersFrom = 1
  let rows: [[String]]
  /// The last row is a sum.
  var hasTotal = false

  func add(to parent: HTMLElement) {
    let table = parent.add("table", ["class": "figures"])
    table.add("caption", text: caption)
    let head = table.add("thead").add("tr")
    for (place, column) in columns.enumerated() {
      cell(head.add("th", ["scope": "col"], text: column), place)
    }
    let body = table.add("tbody")
    for (place, texts) in rows.enumerated() {
      let isTotal = hasTotal && place == rows.count - 1
      row(texts, body.add("tr", isTotal ? ["class": "total"] : [:]))
    }
  }

  private func row(_ texts: [String], _ row: HTMLElement) {
    for (place, text) in texts.enumerated() {
      guard place > 0 else {
        row.add("th", ["scope": "row"], text: text)
        continue
      }
      let element = row.add("td")
      element.add(number: text)
      cell(element, place)
    }
  }

  private func cell(_ cell: HTMLElement, _ place: Int) { cell.set("class", place < numbersFrom ? "words" : "number") }
}

extension HTMLElement {
  /// A part of the page with its heading, and a sentence under it where there is one.
  func section(_ id: String, _ title: String, about: String? = nil) -> HTMLElement {
    let section = add("section", ["class": "part", "id": id, "aria-labelledby": "\(id)-title"])
    section.add("h2", ["id": "\(id)-title"], text: title)
    if let about { section.add("p", ["class": "about"], text: about) }
    return section
  }

  /// A number, which may break behind its commas where it is longer than a narrow screen bears.
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

  /// A part that unfolds.
  func folded(_ title: String) -> HTMLElement {
    let details = add("details", ["class": "more"])
    details.add("summary", text: title)
    return details
  }

  /// An image drawn in lines: its text alternative, and the room that its coordinates span.
  ///
  /// It fills the place that the style sheet gives it, whatever the proportions.
  func chart(_ name: String, text: String, width: Int, height: Int) -> HTMLElement {
    add(
      "svg",
      [
        "class": "chart \(name)", "role": "img", "aria-label": text, "viewBox": "0 0 \(width) \(height)",
        "preserveAspectRatio": "none", "focusable": "false",
      ])
  }

  /// A rectangle of such an image.
  @discardableResult
  func rectangle(_ name: String, x: Int, y: Int, width: Int, height: Int) -> HTMLElement {
    add(
      "rect",
      ["class": name, "x": String(x), "y": String(y), "width": String(width), "height": String(height)])
  }

  /// Items up to a number that a browser bears; how many are left out is said under them.
  func items<Item>(_ items: [Item], _ what: String, most: Int = 200, _ list: (ArraySlice<Item>) -> Void) {
    list(items.prefix(most))
    let rest = items.count - most
    guard rest > 0 else { return }
    add(
      "p", ["class": "about"], text: "\(Words.count(rest, "more \(what)")) \(rest == 1 ? "is" : "are") left out here.")
  }
}
