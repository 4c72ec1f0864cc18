import SlipcastMapping
import SlipcastWire

/// The form for a browser: one page that needs nothing else, not even a network.
struct HTMLForm {
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

  func text(_ document: ReportDocument) -> String {
    Markup.html { root in
      root.set("lang", "en")
      let head = root.add("head")
      head.add("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
      head.add("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      head.add("meta", ["name": "color-scheme", "content": "light dark"])
      head.add("title", text: document.name.isEmpty ? document.title : "\(document.title): \(document.name)")
      head.add("style", text: String(decoding: PackageResources.page_css, as: UTF8.self))
      let body = root.add("body")
      body.add("a", ["class": "skip", "href": "#findings"], text: "Skip to the findings")
      header(document, body.add("header", ["class": "top \(document.tone.rawValue)"]))
      if document.sections.count > 2 { contents(document, body) }
      let main = body.add("main", ["id": "findings", "tabindex": "-1"])
      for section in document.sections { add(section, main) }
      if !document.closing.isEmpty { main.add("p", ["class": "about closing"], text: document.closing) }
      body.add("script", text: String(decoding: PackageResources.page_js, as: UTF8.self))
    }
  }

  private func header(_ document: ReportDocument, _ header: Markup) {
    header.add("p", ["class": "kicker"], text: "Slipcast: \(document.subject)")
    let heading = header.add("h1")
    heading.add("span", ["class": "mark", "aria-hidden": "true"], text: document.tone.sign)
    heading.add(text: document.title)
    if !document.sentence.isEmpty {
      header.add("p", ["class": "lead"], text: document.sentence.capitalizedFirst + ".")
    }
    if !document.summary.isEmpty { header.add("p", ["class": "about"], text: document.summary) }
    figures(document.figures, header)
    add(document.sides, header)
    notes(document.notes, header)
  }

  private func figures(_ figures: [ReportFigure], _ header: Markup) {
    guard !figures.isEmpty else { return }
    let list = header.add("ul", ["class": "key"])
    for figure in figures {
      let link = list.add("li", ["class": figure.tone.rawValue]).add("a", ["href": "#\(figure.section)"])
      link.add("strong").add(number: figure.number)
      link.append("span", text: figure.words)
    }
  }

  private func contents(_ document: ReportDocument, _ body: Markup) {
    let list = body.add("nav", ["class": "contents", "aria-label": "On this page"]).add("ul")
    for section in document.sections { list.add("li").add("a", ["href": "#\(section.id)"], text: section.title) }
  }

  private func notes(_ notes: [ReportNote], _ header: Markup) {
    guard !notes.isEmpty else { return }
    let list = header.add("ul", ["class": "notes"])
    for note in notes {
      let item = list.add("li", ["class": note.isWarning ? "warning" : "info"])
      item.add("strong", text: note.isWarning ? "Warning" : "Note")
      item.add(text: " \(note.message)")
    }
  }

  func add(_ facts: [ReportFact], _ parent: Markup) {
    guard !facts.isEmpty else { return }
    let list = parent.add("dl", ["class": "sides"])
    for fact in facts {
      list.add("dt", text: fact.label.capitalizedFirst)
      let value = list.add("dd")
      value.add("code", text: fact.name)
      guard !fact.about.isEmpty else { continue }
      value.append("span", text: fact.about)
    }
  }

  private func add(_ section: ReportSection, _ main: Markup) {
    let id = "\(section.id)-title"
    let element = main.add("section", ["class": "part", "id": section.id, "aria-labelledby": id])
    element.add("h2", ["id": id], text: section.title)
    guard let tone = section.tone else {
      let summary = section.summary.isEmpty ? "" : section.summary.capitalizedFirst + "."
      let about = [summary, section.about].filter { !$0.isEmpty }.joined(separator: " ")
      if !about.isEmpty { element.add("p", ["class": "about"], text: about) }
      return add(section.blocks, element)
    }
    let panel = element.add("div", ["class": "panel \(tone.rawValue)"])
    let lead = panel.add("p", ["class": "finding"])
    lead.add("span", ["class": "sign", "aria-hidden": "true"], text: tone.sign)
    lead.add(text: section.summary.capitalizedFirst + ".")
    // Its figures are in the panel, what shows them in detail is below.
    add(Array(section.blocks.prefix(1)), panel)
    add(Array(section.blocks.dropFirst()), element)
  }

  func add(_ blocks: [ReportBlock], _ parent: Markup) {
    for block in blocks {
      switch block {
      case .items(let items): add(items, parent)
      case .table(let table): add(table, parent)
      case .facts(let facts): add(facts, parent)
      case .findings(let findings): add(findings[...], parent)
      case .fields(let fields): add(fields, parent)
      case .titled(let name, let summary, let blocks):
        let heading = parent.add("h3", text: summary.isEmpty ? name : name + " ")
        if !summary.isEmpty { heading.add("span", ["class": "about"], text: summary) }
        add(blocks, parent)
      case .folded(let name, _, let blocks), .page(let name, let blocks): add(blocks, folded(name, parent))
      case .matrix(let matrix): add(matrix, parent)
      case .periods(let periods): add(periods, parent)
      case .records(let records): add(records, parent)
      case .pairs(let pairs): add(pairs, parent)
      }
    }
  }

  func folded(_ title: String, _ parent: Markup) -> Markup {
    let details = parent.add("details", ["class": "more"])
    details.add("summary", text: title)
    return details
  }
}

extension ReportTone {
  /// A sign that says the same without color.
  var sign: String {
    switch self {
    case .good: "✓"
    case .bad: "✕"
    case .caution: "!"
    case .neutral: "?"
    }
  }
}
