internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastTimeline

/// The drawing of a life: a band for V1, one for V2, and between them in red where they differ.
struct LifeDrawing: Sendable {
  let customer: Customer

  private static let width = 1000.0
  private static let legacyTop = 6
  private static let serverTop = 64
  private static let height = 30

  /// Of a life with very many states the newest ones are drawn, so that the page stays small.
  private static let mostBoxes = 150
  private static let mostMarks = 80

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
    let picture = box.add(
      "svg",
      [
        "viewBox": "0 0 1000 100", "preserveAspectRatio": "none", "role": "img", "aria-label": words(span),
        "focusable": "false", "class": "bands chart",
      ])
    for side in sides {
      guard let life = side.life else { continue }
      for interval in life.intervals.suffix(Self.mostBoxes) { add(interval, of: life, side.top, span, to: picture) }
      for entry in life.entries.suffix(Self.mostMarks) { add(entry, side.top, span, to: picture) }
    }
    for gap in differences.suffix(Self.mostBoxes) {
      let box = rectangle(
        "gap", from: gap.from, until: gap.until, top: Self.legacyTop + Self.height + 3, height: 22, span, picture)
      box.add("title", text: "V1 and V2 differ from \(PageTime.moment(gap.from)) to \(PageTime.moment(gap.until))")
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

  private static func text(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  @discardableResult
  private func rectangle(
    _ name: String, from: Int64, until: Int64, top: Int, height: Int, _ span: (from: Int64, until: Int64),
    _ picture: Markup
  ) -> Markup {
    let (start, end) = (place(from, span), place(until, span))
    return picture.add(
      "rect",
      [
        "class": name, "x": Self.text(start), "y": String(top), "width": Self.text(max(2, end - start)),
        "height": String(height),
      ])
  }

  private func add(
    _ interval: LifeInterval, of life: CollectedLife, _ top: Int, _ span: (from: Int64, until: Int64),
    to picture: Markup
  ) {
    let until = interval.until ?? span.until
    let tone = Self.tone(interval, life.term(of: interval))
    let isFull = interval.access == .yes
    let box = rectangle(
      tone, from: interval.from, until: until, top: isFull ? top : top + 10,
      height: isFull ? Self.height : Self.height - 20, span,
      picture)
    let product = interval.productId.map { "\($0), " } ?? ""
    let end = interval.until.map { PageTime.moment($0) } ?? "no known end"
    box.add("title", text: "\(product)\(interval.reason.words), \(PageTime.moment(interval.from)) to \(end)")
  }

  private static func tone(_ interval: LifeInterval, _ term: LifeTerm?) -> String {
    switch interval.reason {
    case .active: interval.offerType != nil || term?.isTrial == true ? "free" : "paid"
    case .grace: "grace"
    case .billingRetry: "retry"
    case .refunded: "refunded"
    case .expired, .revoked, .upgraded: "ended"
    case .unknown: "unknown"
    }
  }

  private func add(_ entry: TimelineEntry, _ top: Int, _ span: (from: Int64, until: Int64), to picture: Markup) {
    guard case .event(let group) = entry, let time = group.time, let name = group.event?.description else { return }
    let x = Self.text(place(time, span))
    let tone = group.candidates.isEmpty ? "event" : "event open"
    let mark = picture.add(
      "line", ["class": tone, "x1": x, "x2": x, "y1": String(top - 5), "y2": String(top + Self.height + 4)])
    mark.add("title", text: "\(name), \(PageTime.moment(time))")
  }

  /// Times in which one side gives access and the other one does not.
  var differences: [(from: Int64, until: Int64)] {
    let one = customer.legacy.life.intervals
    guard let two = customer.server?.life.intervals, let first = one.first, let other = two.first else { return [] }
    let end = max(one.last?.until ?? customer.asOf, two.last?.until ?? customer.asOf)
    let times = Set((one + two).flatMap { [$0.from, $0.until ?? end] }).sorted()
    var found: [(from: Int64, until: Int64)] = []
    var (left, right) = (0, 0)
    for (from, until) in zip(times, times.dropFirst()) where from >= max(first.from, other.from) {
      while left < one.count, (one[left].until ?? .max) <= from { left += 1 }
      while right < two.count, (two[right].until ?? .max) <= from { right += 1 }
      let states = [Self.access(one, left, from), Self.access(two, right, from)]
      guard Set(states) == [.yes, .no] else { continue }
      if found.last?.until == from { found[found.count - 1].until = until } else { found.append((from, until)) }
    }
    return found
  }

  private static func access(_ intervals: [LifeInterval], _ place: Int, _ time: Int64) -> Access {
    guard place < intervals.count, intervals[place].from <= time else { return .unknown }
    return intervals[place].access
  }

  private func addTime(_ span: (from: Int64, until: Int64), _ picture: Markup) {
    guard customer.asOf > span.from, customer.asOf <= span.until else { return }
    let x = Self.text(place(customer.asOf, span))
    let line = picture.add("line", ["class": "now", "x1": x, "x2": x, "y1": "0", "y2": "100"])
    line.add("title", text: "Judged at \(PageTime.moment(customer.asOf))")
  }

  private func addLegend(_ figure: Markup) {
    let caption = figure.add("figcaption")
    let list = caption.add("ul", ["class": "keys-of-chart"])
    var names = [
      ("paid", "paid"), ("free", "free or an offer"), ("grace", "grace period"), ("retry", "billing retry, no access"),
      ("refunded", "refunded"), ("ended", "ended"), ("unknown", "not known"),
    ]
    if customer.server != nil { names.append(("gap", "V1 and V2 differ")) }
    let used = Set(
      sides.compactMap(\.life).flatMap { life in
        life.intervals.suffix(Self.mostBoxes).map { interval in Self.tone(interval, life.term(of: interval)) }
      } + (differences.isEmpty ? [] : ["gap"]))
    for (tone, words) in names where used.contains(tone) {
      let item = list.add("li")
      let swatch = item.add(
        "svg", ["class": "bands chart swatch-of", "viewBox": "0 0 12 12", "aria-hidden": "true", "focusable": "false"])
      swatch.add("rect", ["class": tone, "width": "12", "height": "12", "rx": "2"])
      item.add(text: " \(words)")
    }
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
