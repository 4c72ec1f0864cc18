import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// How well each path of V2 agrees, as bars in a table.
struct AgreementSection {
  let result: ParityResult
  let fields: [ParityField]

  var part: ParityPart? {
    let shown = fields.filter { !$0.isLoss || $0.conflicts > 0 }
    guard !shown.isEmpty else { return nil }
    let about =
      "The share of pairs without a conflict, the worst path first. A conflict is drawn higher, and wide enough to be seen."
    return ParityPart(id: "agreement", title: "Agreement", about: about) { section in
      legend(section.add("ul", ["class": "legend"]))
      let open = shown.filter { $0.fails || $0.conflicts > 0 }
      let rest = shown.filter { !$0.fails && $0.conflicts == 0 }
      if !open.isEmpty { table("Paths in conflict", open, section) }
      if !rest.isEmpty {
        table("Paths without a conflict", rest, section.folded(Words.count(rest.count, "path") + " without a conflict"))
      }
    }
  }

  private func legend(_ list: HTMLElement) {
    for differenceClass in DifferenceClass.allCases.reversed() {
      let item = list.add("li", ["class": differenceClass.rawValue])
      item.add("span", ["class": "swatch", "aria-hidden": "true"])
      item.add(text: differenceClass.rawValue)
    }
  }

  // Roles are spelled out, because on a narrow screen the style sheet lays the cells under each other.
  private func table(_ caption: String, _ fields: [ParityField], _ parent: HTMLElement) {
    let table = parent.add("table", ["class": "agreement", "role": "table"])
    table.add("caption", text: caption)
    let head = table.add("thead", ["role": "rowgroup"]).add("tr", ["role": "row"])
    for name in ["Path", "Classes", "Agreement", "Conflicts", "Pairs"] {
      head.add("th", ["scope": "col", "role": "columnheader"], text: name)
    }
    let body = table.add("tbody", ["role": "rowgroup"])
    for field in fields { row(field, body.add("tr", ["role": "row"])) }
  }

  private func row(_ field: ParityField, _ row: HTMLElement) {
    let name = row.add("th", ["scope": "row", "role": "rowheader"])
    name.add("a", ["class": "path", "href": "#field-\(field.number)"]).add(path: field.path)
    AgreementBar(field: field).add(to: row.add("td", ["class": "stripes", "role": "cell"]))
    let conflicts = field.conflicts.grouped + (field.acceptedWords.map { " (\($0))" } ?? "")
    for (label, text) in [("agree", field.agreement), ("in conflict", conflicts), ("pairs", field.pairs.grouped)] {
      let cell = row.add("td", ["class": "number", "role": "cell"])
      cell.add(number: text)
      cell.add("span", ["class": "label", "aria-hidden": "true"], text: " \(label)")
    }
  }
}

/// The classes of one path as lengths, conflicts at the right end and higher than the others.
struct AgreementBar {
  private static let length = 1000
  /// What is there must be seen, however few pairs it is.
  private static let least = (conflict: 14, other: 5)

  let field: ParityField

  func add(to parent: HTMLElement) {
    let text = "\(field.agreement) of \(Words.count(field.pairs, "pair")) agree: \(field.countWords)"
    let chart = parent.chart("stripe", text: text, width: Self.length, height: 20)
    var x = 0
    for (differenceClass, width) in segments {
      let isConflict = differenceClass == .conflict
      chart.rectangle(
        differenceClass.rawValue, x: x, y: isConflict ? 0 : 4, width: max(1, width - 3), height: isConflict ? 20 : 12)
      x += width
    }
  }

  /// Classes with their lengths, the least serious first; together the whole length.
  private var segments: [(DifferenceClass, Int)] {
    guard field.pairs > 0 else { return [] }
    var segments = field.counts.reversed().map { entry in
      let least = entry.differenceClass == .conflict ? Self.least.conflict : Self.least.other
      // Twice as wide in between: counts have no bounds here.
      let length = field.pairs.dividingFullWidth(entry.count.multipliedFullWidth(by: Self.length)).quotient
      return (entry.differenceClass, max(least, length))
    }
    let excess = segments.reduce(-Self.length) { $0 + $1.1 }
    if let longest = segments.indices.max(by: { segments[$0].1 < segments[$1].1 }) { segments[longest].1 -= excess }
    return segments
  }
}
