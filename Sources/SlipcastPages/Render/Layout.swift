internal import SlipcastReports

/// The frame of every page: head, search, navigation.
struct Layout: Sendable {
  /// What the navigation leads to.
  struct Place: Sendable {
    var address: String
    var name: String
  }

  var places: [Place]
  /// What is shown: the store, the reports.
  var subject: String
  /// A sentence below every page, where something holds of all of them.
  var remark: String?

  /// The whole page, for the server: style and script are files of their own.
  func html(_ view: View) -> String {
    frame(view.title) { head in
      head.add("link", ["rel": "stylesheet", "href": "/assets/ui.css"])
      head.add("link", ["rel": "icon", "href": "/assets/icon.svg", "type": "image/svg+xml"])
      head.add("script", ["type": "module", "src": "/assets/ui.js"])
    } body: { body in
      body.add("a", ["class": "skip", "href": "#content"], text: "Skip to the content")
      addHeader(view, body)
      let main = body.add("main", ["id": "content", "tabindex": "-1"])
      view.body(main)
      addFooter(body)
    }
  }

  /// The whole page as one file that needs nothing else; for exports and reports.
  static func file(_ view: View, kicker: String) -> String {
    Layout(places: [], subject: "").frame(view.title) { head in
      head.add(
        "meta",
        [
          "http-equiv": "Content-Security-Policy",
          "content": "default-src 'none'; style-src 'unsafe-inline'",
        ])
      head.add("style").add(whole: PageAssets.css)
    } body: { body in
      body.add("p", ["class": "kicker"], text: kicker)
      view.body(body.add("main", ["id": "content"]))
    }
  }

  /// A longer value is cut on a page; the records and the downloads have it whole.
  private static let longest = 1000

  private func frame(_ title: String, head fill: (Markup) -> Void, body write: (Markup) -> Void) -> String {
    Markup.html(longest: Self.longest) { root in
      root.set("lang", "en")
      let head = root.add("head")
      head.add("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      head.add("meta", ["name": "color-scheme", "content": "light dark"])
      head.add("title", text: "\(title) · Slipcast")
      fill(head)
      write(root.add("body", ["class": "ui"]))
    }
  }

  private func addHeader(_ view: View, _ body: Markup) {
    let header = body.add("header", ["class": "bar-top"])
    header.add("a", ["class": "brand", "href": "/"], text: "Slipcast")
    let form = header.add("form", ["class": "search", "role": "search", "action": "/", "method": "get"])
    form.add("label", ["for": "search", "class": "unseen"], text: "Search a customer, an event or a product")
    form.add(
      "input",
      [
        "id": "search", "name": "q", "type": "search", "value": view.searched, "autocomplete": "off",
        "spellcheck": "false", "placeholder": "Transaction, order, line item, account token, event, product",
      ])
    form.add("button", ["type": "submit"], text: "Search")
    let list = header.add("nav", ["aria-label": "Views"]).add("ul")
    for place in places {
      let link = list.add("li").add("a", ["href": place.address], text: place.name)
      if place.address == view.place { link.set("aria-current", "page") }
    }
  }

  private func addFooter(_ body: Markup) {
    let footer = body.add("footer")
    footer.add("p", text: subject)
    if let remark { footer.add("p", text: remark) }
    footer.add("p", ["class": "keys"], text: "Press / to search.")
  }
}
