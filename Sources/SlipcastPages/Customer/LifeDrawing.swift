internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastTimeline

/// The drawing of a life: a band for V1, one for V2, and between them in red where they differ.
struct LifeDrawing: Sendable {
  let customer: Customer
  let differences: [LifeDifferences.Span]

  private static let width = 1000.0
  private static let legacyTop = 6
  private static let serverTop = 64
  private static let height = 30

  /// Of a life with very many states the newest ones are drawn, so that the page stays small.
  private static let mostBoxes = 150
  private static let mostMarks = 80
  /// A shorter difference would not be seen on a small screen.
  private static let leastGap = 6.0

  private var sides: [(name: String, top: Int, life: CollectedLife?)] {
    [("V1", Self.legacyTop, customer.legacy.life), ("V2", Self.serverTop, customer.server?.life)]
  }

  private var span: (from: Int64, until: Int64)? {
    let lives = [customer.legacy.life, customer.server?.life].compactMap(\.self)
    let states = lives.flatMap { life in life.intervals.flatMap { [$0.from, $0.until].compactMap(\.self) } }
    let events = lives.flatMap { life in life.entries.compactMap(\.time) }
    guard let from = (states + events).min(), let until = (states + events).max(), from < until else { return nil }
    // The judged time is shown where it does not make the life itself too small.
    let isNear = customer.asOf > until && (customer.asOf - until) < (until - from)
    return (from, isNear ? customer.asOf : until)
  }

  func add(to parent: Markup) {
    guard let span else { return }
    let figure = parent.add("figure", ["class": "life"])
    let box = figure.add("div", ["class": "bands-box"])
    let names = box.add("div", ["class": "band-names", "aria-hidden": "true"])
    for side in sides { names.add("span", text: side.name) }
    let picture = box.drawing("bands", text: words(span), width: Int(Self.width), height: 100)
    for side in sides {
      guard let life = side.life else { continue }
      for interval in life.intervals.suffix(Self.mostBoxes) { add(interval, of: life, side.top, span, to: picture) }
      for entry in life.entries.suffix(Self.mostMarks) { add(entry, side.top, span, to: picture) }
    }
    for gap in differences.suffix(Self.mostBoxes) {
      let end = place(gap.until, span)
      let start = max(0, min(place(gap.from, span), end - Self.leastGap))
      picture.box(
        "gap", x: start, y: Double(Self.legacyTop + Self.height + 3), width: max(Self.leastGap, end - start),
        height: 22,
        title: "V1 and V2 differ from \(PageTime.moment(gap.from)) to \(PageTime.moment(gap.until))")
    }
    addTime(span, picture)
    let axis = figure.add("p", ["class": "axis"])
    for time in [span.from, span.until] { axis.add("span", text: PageTime.day(time)) }
    for side in sides where side.life?.intervals.isEmpty ?? true {
      figure.add("p", ["class": "about"], text: "No period in \(side.name) records of this customer.")
    }
    addLegend(figure)
  }

  private func place(_ time: Int64, _ span: (from: Int64, until: Int64)) -> Double {
    let share = (Double(time) - Double(span.from)) / (Double(span.until) - Double(span.from))
    return min(max(share, 0), 1) * Self.width
  }

  private func add(
    _ interval: LifeInterval, of life: CollectedLife, _ top: Int, _ span: (from: Int64, until: Int64),
    to picture: Markup
  ) {
    let until = interval.until ?? span.until
    let tone = LifeTone(interval, of: life.term(of: interval)).rawValue
    // A low box is a time without access.
    let inset = interval.access == .yes ? 0 : 10
    let product = interval.productId.map { "\($0), " } ?? ""
    let last = interval.until.map { PageTime.moment($0) } ?? "no known end"
    let certainty = TermWords.certainty(interval.confidence, stated: interval.stated)
    let (start, end) = (place(interval.from, span), place(until, span))
    picture.box(
      tone, x: start, y: Double(top + inset), width: max(2, end - start), height: Double(Self.height - 2 * inset),
      title: "\(product)\(interval.reason.words), \(PageTime.moment(interval.from)) to \(last), \(certainty)")
  }

  private func add(_ entry: TimelineEntry, _ top: Int, _ span: (from: Int64, until: Int64), to picture: Markup) {
    guard case .event(let group) = entry, let time = group.time, let name = group.event?.description else { return }
    let x = Markup.coordinate(place(time, span))
    let tone = group.candidates.isEmpty ? "event" : "event open"
    let mark = picture.add(
      "line", ["class": tone, "x1": x, "x2": x, "y1": String(top - 5), "y2": String(top + Self.height + 4)])
    mark.add("title", text: "\(name), \(PageTime.moment(time))")
  }

  private func addTime(_ span: (from: Int64, until: Int64), _ picture: Markup) {
    guard customer.asOf > span.from, customer.asOf <= span.until else { return }
    let x = Markup.coordinate(place(customer.asOf, span))
    let line = picture.add("line", ["class": "now", "x1": x, "x2": x, "y1": "0", "y2": "100"])
    line.add("title", text: "Judged at \(PageTime.moment(customer.asOf))")
  }

  private func addLegend(_ figure: Markup) {
    let caption = figure.add("figcaption")
    let used = Set(
      sides.compactMap(\.life).flatMap { life in
        life.intervals.suffix(Self.mostBoxes).map { interval in LifeTone(interval, of: life.term(of: interval)) }
      })
    var names = LifeTone.allCases.filter(used.contains).map { (name: $0.rawValue, words: $0.words) }
    if !differences.isEmpty { names.append((name: "gap", words: "V1 and V2 differ")) }
    caption.colorKeys("bands", names)
  }

  private func words(_ span: (from: Int64, until: Int64)) -> String {
    let counts = sides.map { side in
      let terms = side.life?.terms.count ?? 0
      return terms == 0 ? "no period in \(side.name)" : "\(terms) \(terms == 1 ? "period" : "periods") in \(side.name)"
    }
    let differing = differences.count
    let gap = customer.server == nil ? "" : "; the two differ \(differing == 0 ? "nowhere" : "in \(differing) spans")"
    return "\(counts.joined(separator: ", ")), \(PageTime.day(span.from)) to \(PageTime.day(span.until))\(gap)."
  }
}

extension CollectedLife {
  /// The period that runs in an interval.
  fileprivate func term(of interval: LifeInterval) -> LifeTerm? { terms.last { $0.from <= interval.from } }
}
