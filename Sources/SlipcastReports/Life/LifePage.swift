internal import SlipcastComparison
internal import SlipcastWire

extension LifeReport {
  private static let policy = "default-src 'none'; style-src 'unsafe-inline'"
  private static let width = 1000.0

  /// One page that needs no network and no scripts, and can be printed.
  package func html() -> String {
    Markup.html { root in
      root.set("lang", "en")
      let head = root.add("head")
      head.add("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
      head.add("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      head.add("title", text: "Subscription \(title)")
      head.add("style", text: String(decoding: PackageResources.page_css, as: UTF8.self))
      head.add("style", text: String(decoding: PackageResources.life_css, as: UTF8.self))
      let body = root.add("body")
      let header = body.add("header", ["class": "top life"])
      header.add("p", ["class": "kicker"], text: "Slipcast: history of a subscription")
      header.add("h1", text: title)
      let main = body.add("main")
      addAnswers(main)
      addPicture(main)
      addRows(main)
      if let made { main.add("p", ["class": "about closing"], text: made.options.closing(made: made.time)) }
    }
  }

  private func addAnswers(_ main: Markup) {
    let list = main.add("dl", ["class": "answers"])
    for one in answers {
      let item = list.add("div")
      item.add("dt", text: one.question)
      item.add("dd").add("strong", text: one.answer)
      if !one.why.isEmpty { item.add("dd", ["class": "why"], text: one.why) }
    }
  }

  // MARK: the line

  private var span: (from: Int64, until: Int64)? {
    let times = periods.flatMap { [$0.from, $0.until] } + rows.compactMap(\.time)
    guard let from = times.min(), let until = times.max(), from < until else { return nil }
    return (from, until)
  }

  private func addPicture(_ main: Markup) {
    guard let span else { return }
    func place(_ time: Int64) -> Double {
      Double(time - span.from) / Double(span.until - span.from) * (Self.width - 20) + 10
    }
    let figure = main.add("figure")
    let label =
      "\(periods.count) periods and \(rows.count) events from \(Self.date(span.from)) to \(Self.date(span.until))"
    let picture = figure.add("svg", ["viewBox": "0 0 \(Int(Self.width)) 110", "role": "img", "aria-label": label])
    for (number, period) in periods.enumerated() {
      let (start, end) = (place(period.from), place(period.until))
      let box = picture.add(
        "rect",
        [
          "class": period.tone.rawValue, "x": Self.text(start), "y": number % 2 == 0 ? "40" : "46",
          "width": Self.text(max(2, end - start)), "height": "24", "rx": "3",
        ])
      box.add("title", text: "\(period.label), \(Self.date(period.from)) to \(Self.date(period.until))")
    }
    for row in rows {
      guard let time = row.time else { continue }
      let mark = picture.add(
        "line",
        [
          "class": row.tone.rawValue, "x1": Self.text(place(time)), "x2": Self.text(place(time)), "y1": "18",
          "y2": "36",
        ])
      mark.add("title", text: "\(row.event), \(Self.date(time))")
    }
    for (time, anchor) in [(span.from, "start"), (span.until, "end")] {
      picture.add(
        "text", ["x": Self.text(place(time)), "y": "98", "text-anchor": anchor],
        text: String(Self.date(time).prefix(10)))
    }
    figure.add(
      "figcaption",
      text: "Boxes are periods (blue: paid, green: free or an offer, red: refunded, grey: replaced); lines are events.")
  }

  // MARK: the table

  private func addRows(_ main: Markup) {
    let table = main.add("table", ["class": "events"])
    let head = table.add("thead").add("tr")
    for name in ["Time (UTC)", "V2 event", "V1 messages", "Reading", "Why"] {
      head.add("th", ["scope": "col"], text: name)
    }
    let body = table.add("tbody")
    for row in rows {
      let line = body.add("tr", ["class": row.tone.rawValue])
      line.add("td", ["class": "time"], text: row.time.map(Self.date) ?? "unknown")
      line.add("td").add("strong").add(name: row.event)
      let messages = line.add("td")
      for message in row.messages { messages.add("div").add(name: message) }
      line.add("td", ["class": "reading"], text: row.reading)
      let reasons = line.add("td")
      for reason in row.reasons { reasons.add("div", text: reason) }
    }
  }

  private static func date(_ time: Int64) -> String { Timestamp(milliseconds: time).description }

  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }
}
