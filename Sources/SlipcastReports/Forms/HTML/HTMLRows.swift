import SlipcastMapping
import SlipcastWire

extension HTMLForm {
  /// Samples beyond these unfold.
  private static let fewSamples = 3
  /// Pages would become large with more; JSON has all.
  private static let (mostSamples, mostQuietSamples) = (3, 1)

  /// The filters, which need the script and stay hidden without it, and the groups below them.
  func add(_ fields: ReportFields, _ parent: Markup) {
    guard fields.kind != .plain else {
      let rows = fields.groups.flatMap(\.rows)
      guard !rows.isEmpty else { return }
      let box = parent.add("div", ["class": "rows"])
      // Rules and sources, which slipcast explain shows, would make a page of many pairs several times as long.
      return rows.forEach { add($0, hasBackground: false, box) }
    }
    guard !fields.groups.isEmpty else { return }
    filters(fields, parent.add("div", ["class": "controls"]))
    for group in fields.groups {
      let name = group.differenceClass.rawValue
      let section = parent.add("section", ["class": "group \(name)", "aria-labelledby": "group-\(name)"])
      let heading = section.add("h3", ["id": "group-\(name)"])
      heading.add("span", ["class": "name"], text: name)
      heading.append("span", ["class": "about"], text: group.words(group.count))
      for row in group.rows { add(row, section) }
      let rest = group.count - group.rows.count
      guard rest > 0 else { continue }
      section.add(
        "p", ["class": "empty"],
        text: "\(Words.count(rest, "more field")) \(rest == 1 ? "is" : "are") left out here; the JSON form lists all.")
    }
    parent.add("p", ["class": "empty", "id": "nothing", "hidden": "hidden"], text: "No field matches the filters.")
  }

  private func filters(_ fields: ReportFields, _ controls: Markup) {
    let counts = Dictionary(fields.groups.map { ($0.differenceClass, $0.count) }) { $0 + $1 }
    let tiles = controls.add("div", ["class": "tiles", "role": "group", "aria-label": "Classes to show"])
    for differenceClass in DifferenceClass.allCases {
      let (name, count) = (differenceClass.rawValue, counts[differenceClass, default: 0])
      let tile = tiles.add("button", ["type": "button", "class": "tile \(name)", "data-class": name])
      // The script may hide fields that agree at first; without it, all are visible.
      tile.set("aria-pressed", "true")
      tile.set("title", differenceClass.meaning)
      if count == 0 { tile.set("disabled", "disabled") }
      tile.add("span", ["class": "number"], text: String(count))
      tile.append("span", ["class": "name"], text: name)
    }
    let bar = controls.add("div", ["class": "bar"])
    bar.add("label", ["for": "search"], text: "Search")
    bar.add(
      "input",
      [
        "id": "search", "type": "search", "autocomplete": "off", "spellcheck": "false",
        "placeholder": "path, value or meaning", "aria-keyshortcuts": "/", "aria-describedby": "keys",
      ])
    bar.add("span", ["id": "keys", "class": "keys"], text: "/ to search, Esc to clear")
    bar.add("button", ["type": "button", "id": "every"], text: "Show all")
    bar.add("button", ["type": "button", "id": "unfold"], text: "Open all")
    bar.add("p", ["id": "result", "role": "status", "aria-live": "polite"])
  }

  private func add(_ row: ReportRow, hasBackground: Bool = true, _ parent: Markup) {
    let name = row.differenceClass.rawValue
    let isSingle = row.number == nil
    let kinds = ["row", isSingle ? "" : "field", row.isIgnored ? "ignored" : "", name].filter { !$0.isEmpty }
    let details = parent.add("details", ["class": kinds.joined(separator: " "), "data-class": name])
    if row.fails { details.set("data-fails", "true") }
    if isSingle, row.fails || row.differenceClass <= .semantic && !row.isIgnored { details.set("open", "open") }
    summary(row, details.add("summary"))
    let body = details.add("div", ["class": "body"])
    if isSingle {
      for finding in row.findings { values(finding, hasBackground: hasBackground, body) }
    } else {
      samples(row, body)
    }
  }

  private func summary(_ row: ReportRow, _ summary: Markup) {
    let badges = summary.add("span", ["class": "badges"])
    badges.add("span", ["class": "badge"], text: row.differenceClass.rawValue)
    let isFailing = row.fails && (row.differenceClass != .conflict || row.number != nil)
    for tag in [row.isIgnored ? "ignored" : "", isFailing ? "fails" : ""] where !tag.isEmpty {
      badges.append("span", ["class": "tag"], text: tag)
    }
    summary.append("span", ["class": "path", "data-find": "path"]).add(path: row.path)
    let change = summary.append("span", ["class": "change"])
    guard row.number == nil else { return change.add(text: row.change) }
    for (place, value) in (row.findings.first?.change ?? []).enumerated() {
      if place > 0 { change.add("span", ["class": "arrow"], text: " → ") }
      // The unfolded part has the whole value.
      let text = value.cut(to: 120, showing: row.findings[0].sharedPrefix)
      if case .json = value { change.add("code", text: text) } else { change.add("em", text: text) }
    }
  }

  private func samples(_ row: ReportRow, _ body: Markup) {
    // The target of links is inside, because browsers unfold what contains it.
    body.set("id", row.id)
    body.set("tabindex", "-1")
    let counts = body.add("ul", ["class": "counts"])
    for entry in row.counts {
      let item = counts.add("li", ["class": entry.differenceClass.rawValue])
      item.add("strong", text: entry.count.grouped)
      item.add(text: " \(entry.differenceClass.rawValue)")
    }
    if row.accepted > 0 {
      counts.add("li", ["class": "identical"], text: "\(row.acceptedWords) by a baseline")
    }
    if let reason = row.reason { body.add("p", ["class": "meaning", "data-find": "meaning"], text: reason) }
    if row.findings.isEmpty { body.add("p", ["class": "about"], text: "No samples: all pairs agree.") }
    let most = row.needsLook ? Self.mostSamples : Self.mostQuietSamples
    add(row.findings.prefix(min(most, Self.fewSamples)), body)
    let rest = row.findings.prefix(most).dropFirst(Self.fewSamples)
    if !rest.isEmpty { add(rest, folded(Words.count(rest.count, "more sample"), body)) }
  }

  /// Samples: their records, the link to all fields of the pair, and the values.
  func add(_ findings: ArraySlice<ReportFinding>, _ parent: Markup) {
    guard !findings.isEmpty else { return }
    let list = parent.add("ol", ["class": "samples"])
    for finding in findings {
      let name = finding.differenceClass?.rawValue
      let item = list.add("li", ["class": "sample \(name ?? ReportTone.bad.rawValue)"])
      let line = item.add("p", ["class": "where"])
      if let name {
        line.add("span", ["class": "badge"], text: name)
        line.add(text: " ")
      }
      line.add("span", ["class": "records"], text: finding.records ?? "")
      if let pair = finding.pair {
        line.append("a", ["href": "#pair-\(pair)"], text: "All fields of pair \(pair.grouped)")
      }
      values(finding, hasBackground: false, item)
    }
  }

  private func values(_ finding: ReportFinding, hasBackground: Bool, _ body: Markup) {
    if !finding.meaning.isEmpty {
      body.add("p", ["class": "meaning", "data-find": "meaning"], text: finding.meaning)
    }
    let list = body.add("dl")
    for entry in finding.entries {
      let value = fact(entry.label.capitalizedFirst, list)
      switch entry.value {
      case .json(let text): value.add("code", ["data-find": "value"], text: text)
      case .words(let text): value.add("em", text: text)
      }
      guard let place = entry.place else { continue }
      value.append("span", ["class": "place", "data-find": "path"]).add(path: place)
    }
    var words = [("StoreKit", finding.storekit), ("Status", finding.ignored)]
    if hasBackground { words += [("Rule", finding.rule), ("Trap", finding.trap)] }
    for (label, text) in words { if let text { fact(label, list).add(text: text) } }
    guard hasBackground else { return }
    for (place, source) in finding.sources.enumerated() {
      link(source, place == 0 ? fact("Source", list) : list.add("dd"))
    }
  }

  private func fact(_ label: String, _ list: Markup) -> Markup {
    list.add("dt", text: label)
    return list.add("dd")
  }

  /// A script's address is not a document: only `https:` becomes a link.
  private func link(_ source: ReportSource, _ parent: Markup) {
    guard let url = source.url, url.lowercased().hasPrefix("https://") else { return parent.add(text: source.line) }
    parent.add("a", ["href": url, "rel": "noreferrer"], text: source.title)
  }
}
