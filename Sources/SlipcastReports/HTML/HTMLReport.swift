import SlipcastComparison
internal import SlipcastMapping

/// The form for a browser: one page that needs nothing else, not even a network.
struct HTMLReport {
  /// A browser gets slow beyond this many rows of one class; the other forms have them all.
  private static let mostRows = 2000
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

  let comparison: Comparison

  var text: String {
    HTMLElement.page { root in
      root.set("lang", "en")
      head(root.add("head"))
      let body = root.add("body")
      header(body.add("header", ["class": "top \(comparison.verdict.rawValue)"]))
      let main = body.add("main")
      let groups = comparison.groups
      if groups.isEmpty {
        main.add("p", ["class": "empty"], text: "Neither side has a field to compare.")
      } else {
        controls(main.add("div", ["class": "controls"]))
        for group in groups { section(group, main) }
        main.add("p", ["class": "empty", "id": "nothing", "hidden": "hidden"], text: "No field fits the filters.")
      }
      body.add("script", text: String(decoding: PackageResources.page_js, as: UTF8.self))
    }
  }

  private func head(_ head: HTMLElement) {
    head.add("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
    head.add("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
    head.add("meta", ["name": "color-scheme", "content": "light dark"])
    let names = "\(comparison.legacy.shownName) and \(comparison.server.shownName)"
    head.add("title", text: "\(comparison.verdictTitle): \(names)")
    head.add("style", text: String(decoding: PackageResources.page_css, as: UTF8.self))
  }

  private func header(_ header: HTMLElement) {
    header.add("p", ["class": "kicker"], text: "Slipcast: a V1 record and its V2 counterpart")
    let heading = header.add("h1")
    let mark = comparison.verdict == .conflict ? "✕" : "✓"
    heading.add("span", ["class": "mark", "aria-hidden": "true"], text: mark)
    heading.add(text: comparison.verdictTitle)
    header.add("p", ["class": "lead"], text: "\(comparison.verdictWords)\(ignored).")
    let sides = header.add("dl", ["class": "sides"])
    for (label, side) in zip(comparison.labels, [comparison.legacy, comparison.server]) {
      sides.add("dt", text: label)
      let value = sides.add("dd")
      value.add("code", text: side.shownName)
      value.add(text: " ")
      value.add("span", text: side.shownDescription)
    }
    guard !comparison.notes.isEmpty else { return }
    let list = header.add("ul", ["class": "notes"])
    for note in comparison.notes {
      let item = list.add("li", ["class": note.severity])
      item.add("strong", text: note.isWarning ? "Warning" : "Note")
      item.add(text: " \(note.shownMessage)")
    }
  }

  private var ignored: String { comparison.ignoredCount > 0 ? ", \(comparison.ignoredCount) ignored" : "" }

  /// What only a script can serve; the page hides it where none runs.
  private func controls(_ controls: HTMLElement) {
    let counts = comparison.counts
    let tiles = controls.add("div", ["class": "tiles", "role": "group", "aria-label": "Classes to show"])
    for differenceClass in DifferenceClass.allCases {
      let name = differenceClass.rawValue
      let count = counts[differenceClass, default: 0]
      let tile = tiles.add("button", ["type": "button", "class": "tile \(name)", "data-class": name])
      // Fields that agree are of no interest at first; the script alone may leave them out.
      tile.set("aria-pressed", "true")
      tile.set("title", differenceClass.meaning)
      if count == 0 { tile.set("disabled", "disabled") }
      tile.add("span", ["class": "number"], text: String(count))
      tile.add(text: " ")
      tile.add("span", ["class": "name"], text: name)
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

  private func section(_ group: ReportGroup, _ main: HTMLElement) {
    let name = group.differenceClass.rawValue
    let section = main.add("section", ["class": "group \(name)", "aria-labelledby": "group-\(name)"])
    let heading = section.add("h2", ["id": "group-\(name)"])
    heading.add("span", ["class": "name"], text: name)
    heading.add(text: " ")
    heading.add(
      "span", ["class": "about"], text: "\(Comparison.words(group.rows.count)): \(group.differenceClass.meaning)")
    for row in group.rows.prefix(Self.mostRows) { HTMLRow(row: row).add(to: section) }
    guard group.rows.count > Self.mostRows else { return }
    let rest = group.rows.count - Self.mostRows
    section.add("p", ["class": "empty"], text: "\(rest) more \(name) fields are left out here; the JSON form has all.")
  }
}
