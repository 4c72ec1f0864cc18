import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// The form for a browser: one page that needs nothing else, not even a network.
struct ParityPage {
  /// A browser gets slow beyond this many paths; records with keys that nobody knows could bring more.
  private static let mostFields = 1000

  let result: ParityResult

  var text: String {
    let names = "\(result.legacy.shownName) and \(result.server.shownName)"
    let page = HTMLPage(
      title: "\(result.verdict.title): \(names)", styles: [PackageResources.page_css, PackageResources.parity_css],
      scripts: [PackageResources.page_js, PackageResources.parity_js])
    return page.text { body in
      body.add("a", ["class": "skip", "href": "#findings"], text: "Skip to the findings")
      header(body.add("header", ["class": "top \(result.verdict.rawValue)"]))
      let parts = parts
      contents(parts, body.add("nav", ["class": "contents", "aria-label": "On this page"]))
      let main = body.add("main", ["id": "findings", "tabindex": "-1"])
      for part in parts { part.add(main.section(part.id, part.title, about: part.about)) }
    }
  }

  /// What the page consists of; parts without anything to show are left out.
  private var parts: [ParityPart] {
    let all = result.shownFields
    let fields = Array(all.prefix(Self.mostFields))
    return [
      AccessSection(result: result).part, GatesSection(result: result).part, RecordsSection(result: result).part,
      AgreementSection(result: result, fields: fields).part, TypesSection(result: result).part,
      TimeSection(result: result).part, FieldsSection(fields: fields, leftOut: all.count - fields.count).part,
      UnpairedSection(result: result).part,
      AmbiguousSection(result: result).part, LossesSection(fields: fields).part, PairsSection(result: result).part,
      NotesSection(result: result).part, result.originWords.map(origin),
    ].compactMap(\.self)
  }

  private func origin(_ words: OriginWords) -> ParityPart {
    ParityPart(id: "inputs", title: "Inputs") { OriginSection(words: words).add(to: $0) }
  }

  private func header(_ header: HTMLElement) {
    header.add("p", ["class": "kicker"], text: "Slipcast: two archives of one app, V1 and V2, event by event")
    HTMLPage.heading(result.verdict, lead: result.verdictWords.capitalizedFirst + ".", header)
    KeyNumbers(result: result).add(to: header)
    let sides = header.add("dl", ["class": "sides"])
    for (label, archive) in [("V1", result.legacy), ("V2", result.server)] {
      HTMLPage.side(label, name: archive.shownName, about: archive.about, sides)
    }
  }

  private func contents(_ parts: [ParityPart], _ nav: HTMLElement) {
    let list = nav.add("ul")
    for part in parts { list.add("li").add("a", ["href": "#\(part.id)"], text: part.title) }
  }
}

/// A part of the page.
struct ParityPart {
  let id: String
  let title: String
  var about: String?
  /// Writes what stands under the heading.
  let add: (HTMLElement) -> Void
}
