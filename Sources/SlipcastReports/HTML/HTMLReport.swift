import SlipcastComparison
internal import SlipcastMapping

/// The form for a browser: one page that needs nothing else, not even a network.
struct HTMLReport {
  /// A browser gets slow beyond this many rows of one class; the other forms have them all.
  private static let mostRows = 2000

  let comparison: Comparison

  var text: String {
    let names = "\(comparison.legacy.shownName) and \(comparison.server.shownName)"
    let page = HTMLPage(
      title: "\(comparison.verdict.title): \(names)", styles: [PackageResources.page_css],
      scripts: [PackageResources.page_js])
    return page.text { body in
      header(body.add("header", ["class": "top \(comparison.verdict.rawValue)"]))
      let main = body.add("main")
      let groups = comparison.groups
      if groups.isEmpty {
        main.add("p", ["class": "empty"], text: "Neither side has a field to compare.")
      } else {
        HTMLFilters(counts: comparison.counts).add(to: main) { for group in groups { section(group, main) } }
      }
      if let words = comparison.originWords {
        OriginSection(words: words).add(to: main.section("inputs", "Inputs, options and rules"))
      }
    }
  }

  private func header(_ header: HTMLElement) {
    header.add("p", ["class": "kicker"], text: "Slipcast: a V1 record and its V2 counterpart")
    HTMLPage.heading(comparison.verdict, lead: "\(comparison.verdictWords)\(ignored).", header)
    let sides = header.add("dl", ["class": "sides"])
    for (label, side) in zip(comparison.labels, [comparison.legacy, comparison.server]) {
      HTMLPage.side(label, name: side.shownName, about: side.shownDescription, sides)
    }
    if !comparison.notes.isEmpty { HTMLPage.notes(comparison.notes, header) }
  }

  private var ignored: String { comparison.ignoredCount > 0 ? ", \(comparison.ignoredCount) ignored" : "" }

  private func section(_ group: ReportGroup, _ main: HTMLElement) {
    let name = group.differenceClass.rawValue
    let section = HTMLFilters.group(group.differenceClass, count: group.places.count, main)
    for place in group.places.prefix(Self.mostRows) { HTMLRow(row: group.row(place)).add(to: section) }
    guard group.places.count > Self.mostRows else { return }
    let rest = group.places.count - Self.mostRows
    section.add("p", ["class": "empty"], text: "\(rest) more \(name) fields are left out here; the JSON form has all.")
  }
}
