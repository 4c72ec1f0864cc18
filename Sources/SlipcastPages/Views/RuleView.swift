internal import SlipcastMapping
internal import SlipcastReports

/// What `slipcast explain` says of a name.
struct RuleView {
  let rules: RuleSet

  func page(_ name: String) -> PageAnswer {
    let explainer = Explainer(rules: rules)
    let pages = explainer.pages(for: name)
    guard !pages.isEmpty else {
      return .missing(
        PageSite.nothing(
          "The rules know no such name.", shown: name,
          advice: "The list of names is under Rules; slipcast explain NAME says the same."))
    }
    let known = Set(explainer.names)
    let view = View(title: name, place: "/rules") { main in
      main.add("h1").add("code").add(code: name)
      for page in pages {
        let part = main.add("section", ["class": "part"])
        part.add("h2", text: page.title)
        part.add("p", ["class": "about"], text: page.summary)
        let list = part.add("dl", ["class": "sides"])
        for line in page.lines {
          list.add("dt", text: line.label)
          let value = list.add("dd")
          if known.contains(line.text) {
            value.add("a", ["href": "/rules/" + PageAddress.encoded(line.text)], text: line.text)
          } else if let url = Self.address(line.text) {
            value.add(text: line.text.replacing(url, with: ""))
            value.add("a", ["href": url, "rel": "noreferrer"], text: url)
          } else {
            value.add(text: line.text)
          }
        }
      }
    }
    return .page(view)
  }

  /// The address of a source, which only Apple's and other public documents have.
  private static func address(_ text: String) -> String? {
    text.firstMatch(of: /https:\/\/[A-Za-z0-9._~:\/?#@!$&*+,;=%-]+/).map { String($0.output) }
  }

  /// All names, or those that begin with a text.
  func index(_ text: String?) -> View {
    let names = Explainer(rules: rules).names.filter { name in
      text.map { name.lowercased().hasPrefix($0.lowercased()) } ?? true
    }.sorted()
    return View(title: "Rules", place: "/rules") { main in
      main.add("h1", text: "Rules and names")
      main.add(
        "p", ["class": "about"],
        text: "Every V1 key, V2 field, type, value and rule, as slipcast explain shows it. \(names.count) names.")
      let form = main.add("form", ["class": "filter", "action": "/rules", "method": "get", "role": "search"])
      form.add("label", ["for": "rule"], text: "Begins with")
      form.add("input", ["id": "rule", "name": "q", "type": "search", "value": text ?? "", "autocomplete": "off"])
      form.add("button", ["type": "submit"], text: "Show")
      var letter = ""
      var list: Markup?
      for name in names {
        let first = String(name.prefix(1)).uppercased()
        if first != letter {
          letter = first
          main.add("h2", text: first)
          list = main.add("ul", ["class": "names"])
        }
        list?.add("li").add("a", ["href": "/rules/" + PageAddress.encoded(name)], text: name)
      }
      if names.isEmpty { main.add("p", text: "No name begins so.") }
    }
  }
}
