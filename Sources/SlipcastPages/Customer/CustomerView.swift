internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastStores
internal import SlipcastTimeline
internal import SlipcastV2

/// Which other pages there are, and how they are addressed.
struct PageLinks: Sendable {
  var redactor: Redactor
  /// In a folder of files there are only these customers and events; `nil`: a server has all.
  var exported: [String: String]?

  static func nothing(_ redactor: Redactor = Redactor(pseudonyms: nil)) -> PageLinks {
    PageLinks(redactor: redactor, exported: [:])
  }

  func customer(_ id: String) -> String? { address("customer", id) }
  func event(_ uuid: String) -> String? { address("event", uuid) }
  func rule(_ name: String) -> String? { exported == nil ? "/rules/" + PageAddress.encoded(name) : nil }
  var isServed: Bool { exported == nil }

  private func address(_ kind: String, _ id: String) -> String? {
    guard let exported else { return "/\(kind)/" + redactor.linked(id) }
    return exported["\(kind) \(id)"]
  }
}

/// The page of a customer: what holds now, the drawing, the periods, the events.
struct CustomerView: Sendable {
  let customer: Customer
  let rows: [EventRow]
  let links: PageLinks
  /// The newest event comes first.
  var isNewestFirst = false
  /// Its number among the lives of one id, which distinguishes the parts of the page.
  var number = 1
  /// Which part of very many events is shown, from 1; files show all.
  var page = 1
  /// Makes the address of the same page with other values; `nil` in a file.
  var address: (@Sendable (KeyValuePairs<String, String?>) -> String)?

  var title: String { "Customer \(links.redactor.shown(customer.originalTransactionId))" }

  func add(to main: Markup) {
    let differences = LifeDifferences(customer)
    let answer = CustomerAnswer(customer, differences)
    let header = main.add("header", ["class": "answer \(answer.tone.rawValue)"])
    header.add("p", ["class": "kicker"], text: title)
    header.add("h1", ["class": "sentence"], text: answer.sentence + ".")
    let when = header.add("p", ["class": "about"], text: "Judged at ")
    when.add(moment: customer.asOf)
    when.add(text: ", \(customer.asOfMeaning).")
    addPlace(header)
    if customer.lacksLists {
      header.add(
        "p", ["class": "about"],
        text: "This store has what V1's messages report, and not what only their lists of purchases show (renewals, "
          + "ends and refunds without a message). slipcast convert --settle and slipcast serve keep that too.")
    }
    addFacts(answer, main)
    LifeDrawing(customer: customer, differences: differences.spans).add(to: main)
    addPeriods(differences, main)
    addEvents(main)
    addSiblings(main)
  }

  private func addPlace(_ header: Markup) {
    let parts = [customer.bundleId, customer.environment].compactMap(\.self)
    guard !parts.isEmpty else { return }
    header.add("p", ["class": "about"], text: parts.joined(separator: ", "))
  }

  private func addFacts(_ answer: CustomerAnswer, _ main: Markup) {
    let list = main.add("dl", ["class": "answers"])
    for fact in answer.facts {
      let item = list.add("div")
      item.add("dt", text: fact.question)
      item.add("dd").add("strong").add(code: fact.answer)
      if !fact.why.isEmpty { item.add("dd", ["class": "why"], text: fact.why) }
    }
  }

  private func section(_ title: String, _ id: String, _ main: Markup) -> Markup {
    let name = "\(id)-\(number)"
    let element = main.add("section", ["class": "part", "aria-labelledby": name])
    element.add("h2", ["id": name], text: title)
    return element
  }

  // MARK: periods

  private func periodTable(_ differences: LifeDifferences) -> DataTable {
    var table = DataTable(
      id: "periods", caption: "\(title): periods",
      columns: [
        .words("Side"), .words("Product"), .words("Plan"), .time("From"), .time("To"), .words("State"),
        .words("Certain"),
      ])
    let sides: [(String, CollectedLife?)] = [("V1", customer.legacy.life), ("V2", customer.server?.life)]
    for (name, life) in sides {
      for term in life?.terms ?? [] {
        let offer = TermWords.offer(term).map { " \($0)" } ?? ""
        let remark = differences.remark(term, isOfServer: name == "V2").map { "; \($0)" } ?? ""
        table.rows.append(
          DataTable.Row(
            cells: [
              .words(name), .code(term.productId ?? "unknown product"),
              .words(TermWords.plan(term) + (offer.isEmpty ? "" : ";\(offer)")),
              .time(term.from), .time(term.until), .words(TermWords.state(term) + remark),
              .words(life?.subscription == nil ? "" : TermWords.certainty(term.confidence, stated: term.stated)),
            ], tone: LifeTone(term).rawValue))
      }
    }
    table.empty = "No record shows a period: nothing that was bought here ends by itself."
    return table
  }

  private func addPeriods(_ differences: LifeDifferences, _ main: Markup) {
    let table = periodTable(differences)
    let part = section("Periods", "periods-title", main)
    guard table.rows.count > Self.mostOpen else { return table.add(to: part, download: address?(["csv": "periods"])) }
    let details = part.add("details", ["class": "more"])
    details.add("summary", text: "\(table.rows.count) periods")
    var shown = table
    if links.isServed { shown.rows = Array(table.rows.suffix(Self.mostPeriods)) }
    shown.add(to: details, download: address?(["csv": "periods"]))
    let rest = table.rows.count - shown.rows.count
    if rest > 0 { details.add("p", ["class": "about"], text: "\(rest) earlier periods are in the download.") }
  }

  /// More periods are folded, and of very many the newest ones are shown.
  private static let mostOpen = 12
  private static let mostPeriods = 80

  // MARK: events

  var eventTable: DataTable {
    var table = DataTable(
      id: "events", caption: "\(title): events",
      columns: [
        .time("Time"), .words("What happened"), .words("V2 event"), .words("V1 messages"), .words("Reading"),
        .words("Rule"), .words("V2"),
      ])
    table.rows = rows.map { row in
      DataTable.Row(
        cells: [
          .time(row.time), .words(row.sentence), .code(row.name), .words(row.messages.joined(separator: ", ")),
          .words(row.reading), .words(row.rule ?? ""), .words(row.remark),
        ], tone: row.tone)
    }
    return table
  }

  private func addEvents(_ main: Markup) {
    let part = section("Events", "events-title", main)
    guard !rows.isEmpty else {
      part.add("p", ["class": "about"], text: "No message; only lists show this customer.")
      return
    }
    if let address {
      let order = isNewestFirst ? nil : "newest"
      let words = isNewestFirst ? "Show the oldest first" : "Show the newest first"
      let line = part.add("p", ["class": "tools"])
      line.add("a", ["href": address(["order": order])], text: words)
      line.append("a", ["href": address(["csv": "events"]), "download": ""], text: "Download as CSV")
    }
    let found = EventRun.runs(rows)
    let runs = isNewestFirst ? found.reversed() : found
    let list = part.add("ol", ["class": "events"])
    guard let address else {
      for run in runs { add(run, to: list) }
      return addOmitted(part)
    }
    let start = min(runs.count, (page - 1) * Self.runsOfPage)
    for run in runs[start...].prefix(Self.runsOfPage) { add(run, to: list) }
    Pager.add(page: page, count: runs.count, size: Self.runsOfPage, to: part) { address(["page": $0]) }
    addOmitted(part)
  }

  /// More events are on the next page; more of one run are in the download.
  private static let runsOfPage = 60
  private static let mostOfRun = 40

  private func addOmitted(_ part: Markup) {
    if customer.omitted > 0 {
      part.add("p", ["class": "about"], text: "\(customer.omitted) later events are not shown.")
    }
  }

  private func add(_ run: EventRun, to list: Markup) {
    guard run.isFolded, let last = run.rows.last else {
      for row in run.rows { add(row, to: list) }
      return
    }
    let item = list.add("li", ["class": "plain"])
    let details = item.add("details", ["class": "fold"])
    let summary = details.add("summary")
    summary.add("strong", text: "\(run.first.sentence), \(run.rows.count) times")
    summary.add(text: ": ")
    summary.add(moment: run.first.time)
    summary.add(text: " to ")
    summary.add(moment: last.time)
    if !run.first.remark.isEmpty { summary.append("span", ["class": "tag"], text: run.first.remark) }
    let inner = details.add("ol", ["class": "events"])
    for row in run.rows.prefix(links.isServed ? Self.mostOfRun : .max) { add(row, to: inner) }
    let rest = links.isServed ? run.rows.count - Self.mostOfRun : 0
    if rest > 0 { details.add("p", ["class": "about"], text: "\(rest) more are in the download.") }
  }

  private func add(_ row: EventRow, to list: Markup) {
    let item = list.add("li", ["class": row.tone])
    let line = item.add("p", ["class": "happened"])
    line.add(moment: row.time)
    line.append("strong", text: row.sentence)
    if row.tone == "open" { line.append("span", ["class": "tag"], text: "more than one reading") }
    if !row.remark.isEmpty { line.append("span", ["class": "tag"], text: row.remark) }
    let details = item.add("details", ["class": "why"])
    details.add("summary", text: "Why")
    let facts = details.add("dl")
    fact("V2 event", row.name, facts)
    if !row.messages.isEmpty { fact("V1 messages", row.messages.joined(separator: ", "), facts) }
    fact("Reading", row.reading, facts)
    for reason in row.reasons { fact("Because", reason, facts) }
    if let rule = row.rule { fact("Rule", rule, facts, link: links.rule(rule)) }
    for (label, id) in [("V1 record", row.uuid), ("V2 record", row.counterpart)] {
      guard let id else { continue }
      fact(label, links.redactor.shown(id), facts, link: links.event(id))
    }
  }

  private func fact(_ label: String, _ text: String, _ list: Markup, link: String? = nil) {
    list.add("dt", text: label)
    let value = list.add("dd")
    let inner = link.map { value.add("a", ["href": $0]) } ?? value
    inner.add(code: text)
  }

  // MARK: others

  private func addSiblings(_ main: Markup) {
    for (place, (kind, value, siblings)) in namedSiblings.enumerated() where links.isServed || !siblings.isEmpty {
      let part = section("Other subscriptions with the same \(kind.rawValue)", "siblings-\(place)", main)
      part.add("p", ["class": "about"], text: links.redactor.shown(value))
      let table = siblingTable(place)
      table.add(to: part, download: address?(["csv": table.id]))
    }
  }

  /// The lives with one id, in several apps or environments, have the same ones: the first life shows them.
  private var namedSiblings: [(kind: FoundID.Kind, value: String, subscriptions: [Sibling])] {
    number == 1 ? customer.siblings : []
  }

  private func siblingTable(_ place: Int) -> DataTable {
    let (kind, _, siblings) = namedSiblings[place]
    let earlier = namedSiblings[..<place].count { $0.kind == kind }
    var table = DataTable(
      id: earlier == 0 ? kind.rawValue : "\(kind.rawValue)-\(earlier + 1)",
      caption: "Subscriptions with the same \(kind.rawValue)",
      columns: [.words("Customer"), .words("Product"), .time("First purchase"), .time("Last end")])
    table.rows = siblings.map { one in
      DataTable.Row(cells: [
        .words(links.redactor.shown(one.originalTransactionId), link: links.customer(one.originalTransactionId)),
        .code(one.productId ?? "unknown product"), .time(one.purchaseDate), .time(one.expiresDate),
      ])
    }
    table.empty = "No other subscription in this store."
    return table
  }

  /// The tables of the page that can be downloaded.
  var tables: [DataTable] {
    [periodTable(LifeDifferences(customer)), eventTable] + namedSiblings.indices.map { siblingTable($0) }
  }
}
