import SlipcastComparison
internal import SlipcastMapping

extension String {
  /// With a capital letter in front.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// A field on the page: a line that unfolds.
struct HTMLRow {
  let row: ReportRow
  /// Rule, trap and sources below the values.
  var hasBackground = true

  func add(to section: HTMLElement) {
    let name = row.differenceClass.rawValue
    let details = section.add(
      "details", ["class": row.isIgnored ? "row ignored \(name)" : "row \(name)", "data-class": name])
    if row.fails { details.set("data-fails", "true") }
    if row.fails || row.differenceClass <= .semantic && !row.isIgnored { details.set("open", "open") }
    summary(details.add("summary"))
    let body = details.add("div", ["class": "body"])
    if !row.meaning.isEmpty { body.add("p", ["class": "meaning", "data-find": "meaning"], text: row.meaning) }
    let list = body.add("dl")
    facts(list)
    if hasBackground { background(list) }
  }

  private func summary(_ summary: HTMLElement) {
    let badges = summary.add("span", ["class": "badges"])
    badges.add("span", ["class": "badge"], text: row.differenceClass.rawValue)
    if row.isIgnored { tag("ignored", badges) }
    if row.fails && row.differenceClass != .conflict { tag("fails", badges) }
    summary.add(text: " ")
    summary.add("span", ["class": "path", "data-find": "path"]).add(path: row.path)
    summary.add(text: " ")
    let change = summary.add("span", ["class": "change"])
    switch row.differenceClass {
    case .legacyOnly, .elsewhere, .repeated: short(row.before, change)
    case .serverOnly: short(row.v2, change)
    case .identical where row.before == row.v2: short(row.v2, change)
    default:
      short(row.before, change)
      change.add("span", ["class": "arrow"], text: " → ")
      short(row.v2, change)
    }
  }

  private func tag(_ text: String, _ badges: HTMLElement) {
    badges.add(text: " ")
    badges.add("span", ["class": "tag"], text: text)
  }

  /// What the two sides say, with their places.
  func facts(_ list: HTMLElement) {
    let values = row.values
    for (index, entry) in values.enumerated() {
      let fact = fact(entry.label.capitalizedFirst, list)
      value(entry.value, fact)
      if index == 0, let path = row.v1Path { place(path, fact) }
      if index == values.count - 1, row.path != row.v1Path { place(row.path, fact) }
    }
    words("StoreKit", row.storekit, list)
    words("Ignored", row.reason.map { "\($0) (\(row.ignoreLine ?? ""))" }, list)
  }

  /// Who says that this is what it means.
  private func background(_ list: HTMLElement) {
    words("Rule", row.rule, list)
    words("Trap", row.trap, list)
    for (index, source) in row.sources.enumerated() { link(source, index == 0 ? fact("Source", list) : list.add("dd")) }
  }

  private func fact(_ label: String, _ list: HTMLElement) -> HTMLElement {
    list.add("dt", text: label)
    return list.add("dd")
  }

  private func words(_ label: String, _ text: String?, _ list: HTMLElement) {
    if let text { fact(label, list).add(text: text) }
  }

  /// A value for the folded line; the whole value stands in the unfolded part.
  private func short(_ value: ReportValue, _ parent: HTMLElement) {
    let text = value.cut(to: 120, showing: row.sharedPrefix)
    switch value {
    case .json: parent.add("code", text: text)
    case .words: parent.add("em", text: text)
    }
  }

  private func value(_ value: ReportValue, _ parent: HTMLElement) {
    switch value {
    case .json(let text): parent.add("code", ["data-find": "value"], text: text)
    case .words(let text): parent.add("em", text: text)
    }
  }

  private func place(_ path: String, _ parent: HTMLElement) {
    parent.add(text: " ")
    parent.add("span", ["class": "place", "data-find": "path"]).add(path: path)
  }

  /// A script's address is no document: only `https:` leads anywhere.
  private func link(_ source: ReportSource, _ parent: HTMLElement) {
    guard let url = source.url, url.lowercased().hasPrefix("https://") else { return parent.add(text: source.line) }
    parent.add("a", ["href": url, "rel": "noreferrer"], text: source.title)
  }
}
