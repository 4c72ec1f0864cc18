import SlipcastComparison

/// Inputs, options and rules on a page.
struct OriginSection {
  let words: OriginWords

  func add(to section: HTMLElement) {
    let list = section.add("dl", ["class": "sides"])
    for row in words.rows { HTMLPage.side(row[0], name: row[1], about: OriginWords.facts(row), list) }
    for (label, text) in [("Options", words.options), ("Rules", words.rules)] {
      list.add("dt", text: label)
      list.add("dd").add("code", text: text)
    }
  }
}
