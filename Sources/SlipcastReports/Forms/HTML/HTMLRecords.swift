import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

/// What a page shows on demand: the rows of records, filtered, and pairs in full. Their data is in the page as JSON text;
/// the first ones are in the page itself, for readers without the script.
extension HTMLForm {
  private static let fewRecords = 20
  private static let fewPairs = 3
  private static let columns = ["what", "type", "original transaction id", "product", "when, or fields", "records"]

  func add(_ records: ReportRecords, _ parent: Markup) {
    let bar = parent.add("div", ["class": "bar finder"])
    bar.add("label", ["for": "find-input"], text: "Find")
    bar.append(
      "input",
      [
        "id": "find-input", "type": "search", "autocomplete": "off", "spellcheck": "false",
        "placeholder": "id, row id, type or product",
      ])
    bar.add("p", ["id": "find-result", "role": "status", "aria-live": "polite"])
    let table = parent.add("table", ["class": "records", "role": "table"])
    table.add("caption", text: records.caption)
    let head = table.add("thead", ["role": "rowgroup"]).add("tr", ["role": "row"])
    for name in Self.columns {
      head.add("th", ["scope": "col", "role": "columnheader", "class": "words"], text: name.capitalizedFirst)
    }
    let body = table.add("tbody", ["role": "rowgroup", "id": "find-rows"])
    for row in records.rows.prefix(Self.fewRecords) { add(row, body) }
    let rest = records.rows.count - Self.fewRecords
    if rest > 0 {
      parent.add(
        "p", ["class": "about", "id": "find-more"], text: "\(rest.grouped) more are shown by the script of this page.")
    }
    var data = CompactData()
    let rows = records.rows.map { row in
      "[\(([row.kind, row.type, row.productId, row.time].map { String(data.number(of: $0)) }).joined(separator: ",")),"
        + "\(CompactData.json(row.originalTransactionId)),\(CompactData.json(row.places)),\(row.pair ?? 0)]"
    }
    parent.add("template", ["id": "find-data"], text: data.text(rows))
  }

  private func add(_ row: ReportRecords.Row, _ body: Markup) {
    let line = body.add("tr", ["role": "row"])
    let cells = [row.kind, row.type, row.originalTransactionId, row.productId, row.time]
    for (place, text) in cells.enumerated() {
      let cell =
        place == 0
        ? line.add("th", ["scope": "row", "role": "rowheader", "class": "words"])
        : line.add("td", ["role": "cell", "class": "words"])
      if place == 2 { cell.add("code", text: text) } else { cell.add(text: text) }
    }
    let places = line.add("td", ["role": "cell", "class": "words"])
    guard let pair = row.pair else { return places.add(text: row.places) }
    places.add("a", ["href": "#pair-\(pair)"], text: row.places)
  }

  func add(_ pairs: [ReportPair], _ parent: Markup) {
    // Without the script, the links of the section about access must lead somewhere too.
    let isPlain = { (pair: ReportPair) in pair.number <= Self.fewPairs || pair.isOfAccess }
    for pair in pairs.filter(isPlain) { add(pair, parent) }
    let rest = pairs.filter { !isPlain($0) }
    guard !rest.isEmpty else { return }
    parent.add("noscript").add(
      "p", ["class": "about"],
      text: "\(Words.count(rest.count, "more pair")): shown by the script of this page; see the JSON form.")
    parent.add("div", ["id": "more-pairs"])
    var data = CompactData()
    let rows = rest.map { pair in
      let rows = pair.rows.map { Self.data($0, &data) }.joined(separator: ",")
      let notes = pair.notes.map { String(data.number(of: $0)) }.joined(separator: ",")
      let sides = pair.sides.map {
        CompactData.json([$0.label.capitalizedFirst, $0.name, $0.about].joined(separator: "\u{1F}"))
      }
      return "[\(pair.number),\(CompactData.json(pair.records)),\(data.number(of: pair.sentence)),"
        + "\(data.number(of: pair.tone.rawValue)),\(data.number(of: pair.tone.sign)),[\(sides.joined(separator: ","))],"
        + "[\(notes)],[\(rows)],\(pair.rest)]"
    }
    parent.add("template", ["id": "pair-data"], text: data.text(rows))
  }

  private static func data(_ row: ReportRow, _ data: inout CompactData) -> String {
    let finding = row.findings.first
    let entries = (finding?.entries ?? []).map { entry in
      let isJSON = if case .json = entry.value { 1 } else { 0 }
      return
        "[\(data.number(of: entry.label.capitalizedFirst)),\(CompactData.json(entry.value.cut(to: 400))),\(isJSON),"
        + "\(data.number(of: entry.place ?? ""))]"
    }
    return "[\(data.number(of: row.path)),\(data.number(of: row.differenceClass.rawValue)),\(row.fails ? 1 : 0),"
      + "[\(entries.joined(separator: ","))],\(data.number(of: finding?.meaning ?? ""))]"
  }

  private func add(_ pair: ReportPair, _ parent: Markup) {
    let details = parent.add("details", ["class": "pair \(pair.tone.rawValue)"])
    let line = details.add("summary")
    line.add("strong", text: "Pair \(pair.number.grouped): \(pair.records) ")
    line.add("span", ["class": "outcome"], text: "\(pair.tone.sign) \(pair.sentence)")
    // The target of links is inside, because browsers unfold what contains it.
    let body = details.add("div", ["class": "pair-body", "id": "pair-\(pair.number)", "tabindex": "-1"])
    add(pair.sides, body)
    add(pair.notes.map { ReportItem(words: $0) }, body)
    add(
      ReportFields(
        groups: [ReportGroup(differenceClass: .conflict, count: pair.rows.count, rows: pair.rows)], kind: .plain), body)
    if pair.rest > 0 { body.add("p", ["class": "about"], text: Self.restWords(pair.rest)) }
  }

  private static func restWords(_ rest: Int) -> String {
    Words.count(rest, "field without a contradiction is", "fields without a contradiction are") + " left out."
  }
}

/// JSON in which texts that come again are numbers.
private struct CompactData {
  private var numbers: [String: Int] = [:]
  private var texts: [String] = []

  mutating func number(of text: String) -> Int {
    if let known = numbers[text] { return known }
    numbers[text] = texts.count
    texts.append(text)
    return texts.count - 1
  }

  func text(_ rows: [String]) -> String {
    "{\"texts\":[\(texts.map(Self.json).joined(separator: ","))],\"rows\":[\(rows.joined(separator: ",\n"))]}"
  }

  static func json(_ text: String) -> String {
    let writer = JSONWriter(capacity: text.utf8.count + 8)
    writer.text(text)
    return writer.string
  }
}
