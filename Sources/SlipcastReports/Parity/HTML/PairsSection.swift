import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

/// Pairs in full: what the samples lead to.
struct PairsSection {
  let result: ParityResult

  var part: ParityPart? {
    guard !result.samplePairs.isEmpty else { return nil }
    let about = "Pairs that samples lead to, every field as in the comparison of a single pair."
    return ParityPart(id: "pairs", title: "Pairs in full", about: about) { section in
      for (place, pair) in result.samplePairs.enumerated() { add(pair, place + 1, section) }
    }
  }

  private func add(_ pair: ParityResult.SamplePair, _ number: Int, _ section: HTMLElement) {
    let comparison = pair.comparison
    let details = section.add("details", ["class": "pair \(comparison.verdict.rawValue)"])
    let summary = details.add("summary")
    summary.add("strong", text: "Pair \(number.grouped)")
    summary.add(text: " ")
    summary.add("span", ["class": "records"], text: ParityResult.records(pair.legacyRecord, pair.serverRecord))
    summary.add(text: " ")
    summary.add("span", ["class": "outcome"], text: "\(comparison.verdict.mark) \(comparison.verdictWords)")
    // The target of links lies inside, because browsers unfold what holds it.
    let body = details.add("div", ["class": "pair-body", "id": "pair-\(number)", "tabindex": "-1"])
    let sides = body.add("dl", ["class": "sides"])
    for (label, side) in zip(comparison.labels, [comparison.legacy, comparison.server]) {
      HTMLPage.side(label, name: side.shownName, about: side.shownDescription, sides)
    }
    if !comparison.notes.isEmpty { HTMLPage.notes(comparison.notes, body) }
    rows(comparison, body)
  }

  private func rows(_ comparison: Comparison, _ body: HTMLElement) {
    let rows = comparison.groups.flatMap(\.rows)
    let open = rows.filter { $0.fails || $0.isIgnored || $0.differenceClass <= .semantic }
    let rest = rows.filter { !($0.fails || $0.isIgnored || $0.differenceClass <= .semantic) }
    if !open.isEmpty {
      let box = body.add("div", ["class": "rows"])
      for row in open { HTMLRow(row: row).add(to: box) }
    }
    guard !rest.isEmpty else { return }
    let box = body.folded(Words.count(rest.count, "field without a contradiction", "fields without a contradiction"))
      .add("div", ["class": "rows"])
    // Their sources would make a page of many pairs several times as long.
    for row in rest { HTMLRow(row: row, hasBackground: false).add(to: box) }
  }
}
