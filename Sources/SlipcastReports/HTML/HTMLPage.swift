import SlipcastComparison

/// What all pages share: one file that needs nothing else, not even a network.
struct HTMLPage {
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

  let title: String
  /// Style sheets of the package, the general one first.
  let styles: [[UInt8]]
  /// Scripts of the package; none for a page that only stands there.
  var scripts: [[UInt8]] = []

  /// The page around what the body writes.
  func text(_ write: (HTMLElement) -> Void) -> String {
    HTMLElement.page { root in
      root.set("lang", "en")
      let head = root.add("head")
      head.add("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
      head.add("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      head.add("meta", ["name": "color-scheme", "content": "light dark"])
      head.add("title", text: title)
      head.add("style", text: Self.joined(styles))
      let body = root.add("body")
      write(body)
      if !scripts.isEmpty { body.add("script", text: Self.joined(scripts)) }
    }
  }

  private static func joined(_ parts: [[UInt8]]) -> String { String(decoding: parts.joined(), as: UTF8.self) }
}

extension HTMLPage {
  /// The verdict as the page's heading, and a sentence under it.
  static func heading(_ verdict: Comparison.Verdict, lead: String, _ header: HTMLElement) {
    let heading = header.add("h1")
    heading.add("span", ["class": "mark", "aria-hidden": "true"], text: verdict.mark)
    heading.add(text: verdict.title)
    header.add("p", ["class": "lead"], text: lead)
  }

  /// One of the two sides in a list of both.
  static func side(_ label: String, name: String, about: String, _ list: HTMLElement) {
    list.add("dt", text: label)
    let value = list.add("dd")
    value.add("code", text: name)
    value.add(text: " ")
    value.add("span", text: about)
  }

  /// A list of notes.
  static func notes(_ notes: [Comparison.Note], _ parent: HTMLElement) {
    let list = parent.add("ul", ["class": "notes"])
    for note in notes {
      let item = list.add("li", ["class": note.severity])
      item.add("strong", text: note.isWarning ? "Warning" : "Note")
      item.add(text: " \(note.shownMessage)")
    }
  }
}
