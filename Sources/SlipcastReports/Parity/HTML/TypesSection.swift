import SlipcastComparison
import SlipcastWire

/// How often which V1 message was told by which V2 notification.
struct TypesSection {
  /// A larger matrix cannot be looked at; records that lie could name types without end.
  private static let most = (legacy: 30, server: 60)

  let result: ParityResult

  var part: ParityPart? {
    guard !result.types.isEmpty else { return nil }
    let about = "Pairs by V1's type and V2's type and subtype. A cross marks cells with pairs whose types conflict."
    return ParityPart(id: "types", title: "Types", about: about) { section in
      conflicts(section)
      let box = section.add(
        "div",
        ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": "Matrix of types, scrolls sideways"])
      matrix(box.add("table", ["class": "matrix"]))
      let rest = result.types.count { !rows.contains($0.legacy) || !columns.contains($0.server) }
      guard rest > 0 else { return }
      section.add(
        "p", ["class": "about"],
        text:
          "\(Words.count(rest, "rarer combination")) \(rest == 1 ? "is" : "are") left out here; the JSON form has all.")
    }
  }

  private func conflicts(_ section: HTMLElement) {
    let cells = result.typeConflicts
    guard !cells.isEmpty else { return }
    let list = section.add("ul", ["class": "findings"])
    for cell in cells.prefix(10) {
      let item = list.add("li", ["class": "conflict"])
      item.add("strong", ["class": "count"]).add(number: cell.typeConflicts.grouped)
      let words = item.add("div")
      words.add(text: "of \(Words.count(cell.count, "pair")): V1 ")
      words.add("code", text: cell.shownLegacy)
      words.add(text: ", V2 ")
      words.add("code", text: cell.shownServer)
    }
    guard cells.count > 10 else { return }
    section.add("p", ["class": "about"], text: "and \(Words.count(cells.count - 10, "more combination")) in conflict")
  }

  /// Types in the order in which they come, the most frequent combination first.
  private var rows: [String] { Self.unique(result.types.map(\.legacy), Self.most.legacy) }
  private var columns: [String] {
    // Beside what their row's type is told by most, so that agreement lies along the diagonal.
    let rows = rows
    return Self.unique(rows.flatMap { row in result.types.filter { $0.legacy == row }.map(\.server) }, Self.most.server)
  }

  private static func unique(_ names: [String], _ most: Int) -> [String] {
    var seen: Set<String> = []
    return Array(names.filter { seen.insert($0).inserted }.prefix(most))
  }

  private func matrix(_ table: HTMLElement) {
    let (rows, columns) = (rows, columns)
    let cells = Dictionary(
      result.types.map { ([$0.legacy, $0.server], $0) }, uniquingKeysWith: { first, _ in first })
    let most = result.types.map(\.count).max() ?? 1
    table.add("caption", text: "Pairs by V1 type (rows) and V2 type (columns)")
    let head = table.add("thead").add("tr")
    head.add("th", ["scope": "col"], text: "V1 \\ V2")
    for column in columns {
      let name = head.add("th", ["scope": "col"]).add("span", ["class": "upright"])
      name.add(name: ParityResult.TypeCell(legacy: "", server: column, count: 0).shownServer)
    }
    let body = table.add("tbody")
    for row in rows {
      let line = body.add("tr")
      line.add("th", ["scope": "row"]).add(name: ParityResult.TypeCell(legacy: row, server: "", count: 0).shownLegacy)
      for column in columns { cell(cells[[row, column]], most, line) }
    }
  }

  private func cell(_ cell: ParityResult.TypeCell?, _ most: Int, _ row: HTMLElement) {
    guard let cell else {
      row.add("td", ["class": "none"])
      return
    }
    let isConflict = cell.typeConflicts > 0
    // Each level has about as many binary digits more: counts differ by orders of magnitude.
    let level = 1 + 3 * cell.count.digits / max(1, most.digits)
    let element = row.add("td", ["class": isConflict ? "clash" : "heat-\(level)"], text: cell.count.grouped)
    element.set("title", "V1 \(cell.shownLegacy), V2 \(cell.shownServer)")
    guard isConflict else { return }
    element.add("span", ["class": "cross", "aria-hidden": "true"], text: " ✕")
    element.add("span", ["class": "unseen"], text: ", \(cell.typeConflicts.grouped) with types in conflict")
  }
}

extension Int {
  /// Binary digits.
  fileprivate var digits: Int { bitWidth - leadingZeroBitCount }
}

extension HTMLElement {
  /// A name in capitals that may break behind underscores and slashes rather than within a word.
  fileprivate func add(name: String) {
    var step = ""
    for character in name {
      step.append(character)
      if character == "_" || character == "/" {
        add("span", ["class": "step"], text: step)
        step = ""
      }
    }
    if !step.isEmpty { add("span", ["class": "step"], text: step) }
  }
}
