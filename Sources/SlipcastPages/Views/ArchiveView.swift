internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastStores
internal import SlipcastWire

/// The page about the store itself: runs, rejects, findings, days without messages.
struct ArchiveView: Sendable {
  var runs: [StoredRun]
  var rejects: [StoredReject]
  /// The rejects that there are of the chosen code.
  var rejectCount: Int
  var overview: StoreOverview?
  let rules: RuleSet
  let links: PageLinks
  let request: PageRequest

  static let rowsOfPage = 100

  private var isOfRejects: Bool { request["view"] == "rejects" }

  // MARK: tables

  var runTable: DataTable {
    var table = DataTable(
      id: "runs", caption: "Runs, the newest first",
      columns: [
        .number("Run"), .time("Started"), .words("State"), .words("Sources"), .number("Read"), .number("Converted"),
        .number("Duplicate"), .number("Rejected"), .number("Ambiguous"), .number("Absorbed"), .words("Version"),
      ])
    table.rows = runs.map { run in
      DataTable.Row(
        cells: [
          .number(Int(run.run)), .time(run.startedAt), .words(run.state), .words(sources(run)), .number(Int(run.read)),
          .number(Int(run.converted)), .number(Int(run.duplicate)), .number(Int(run.rejected)),
          .number(Int(run.ambiguous)), .number(Int(run.absorbed)), .words(run.version),
        ], tone: run.state == "finished" ? nil : "timeDependent")
    }
    table.empty = "No run has written to this store."
    return table
  }

  private func sources(_ run: StoredRun) -> String {
    let names = run.sources.split(separator: "\n").map(String.init)
    let shown = names.prefix(5).map { links.redactor.shown($0) }.joined(separator: ", ")
    return names.count > 5 ? "\(shown) and \(names.count - 5) more" : shown
  }

  var rejectTable: DataTable {
    var table = DataTable(
      id: "rejects", caption: "Rejects",
      columns: [
        .words("Source"), .number("Record"), .words("Row id"), .words("Stage"), .words("Reason"), .words("Place"),
        .words("Message"), .words("What to do"),
      ])
    table.rows = rejects.map { one in
      DataTable.Row(cells: [
        .words(links.redactor.shown(one.source)), .number(Int(one.record)),
        .words(one.id.map { links.redactor.shown($0) } ?? ""),
        .words(one.stage), .code(one.code, link: links.rule(one.code)), .code(one.path), .words(one.message),
        .words(remedy(one.code)),
      ])
    }
    table.empty = "No record was rejected."
    return table
  }

  /// What `explain` says to do.
  private func remedy(_ code: String) -> String {
    let pages = Explainer(rules: rules).pages(for: code)
    let lines = pages.flatMap(\.lines)
    return lines.first { ["remedy", "what to do", "do"].contains($0.label) }?.text
      ?? lines.first { $0.label == "means" }?.text ?? pages.first?.summary ?? ""
  }

  var findingTable: DataTable {
    var table = DataTable(
      id: "findings", caption: "Findings by code", columns: [.words("Code"), .number("Records"), .words("Meaning")])
    table.rows = (overview?.findings ?? []).map { finding in
      DataTable.Row(cells: [
        .code(finding.name, link: links.rule(finding.name)), .number(finding.count), .words(finding.message),
      ])
    }
    table.empty = "No finding."
    return table
  }

  var quietTable: DataTable {
    var table = DataTable(
      id: "quiet", caption: "Days without messages, between the first and the last one",
      columns: [.words("First day"), .words("Last day"), .number("Days")])
    table.rows = MessageCalendar(overview?.days ?? []).quiet.map { range in
      DataTable.Row(cells: [
        .words(MessageCalendar.name(range.lowerBound)), .words(MessageCalendar.name(range.upperBound)),
        .number(range.count),
      ])
    }
    table.empty = "Every day has a message."
    return table
  }

  func table(_ name: String) -> DataTable? {
    [runTable, rejectTable, findingTable, quietTable].first { $0.id == name }
  }

  // MARK: the page

  func add(to main: Markup) {
    main.add("h1", text: isOfRejects ? "Rejects" : "What is in the store")
    if isOfRejects { return addRejects(main) }
    addPart(runTable, "Runs", main)
    let part = main.add("section", ["class": "part"])
    part.add("h2", text: "Messages by day")
    if let overview {
      MessageCalendar(overview.days).add(to: part)
      if let words = Undated.words(overview.undated.values.reduce(0, +), "message") {
        part.add("p", ["class": "about"], text: words)
      }
      let quiet = quietTable
      if quiet.rows.count > 12 {
        let details = part.add("details", ["class": "more"])
        details.add("summary", text: "\(quiet.rows.count) spans without messages")
        var first = quiet
        first.rows = Array(quiet.rows.prefix(300))
        first.add(to: details, download: request.address(["csv": "quiet"]))
      } else {
        quiet.add(to: part, download: request.address(["csv": "quiet"]))
      }
    } else {
      part.add("p", ["class": "about"], text: "The days are being counted. Reload the page to see them.")
    }
    addPart(findingTable, "Findings", main)
    addRejectCodes(main)
  }

  private func addPart(_ table: DataTable, _ title: String, _ main: Markup) {
    let part = main.add("section", ["class": "part"])
    part.add("h2", text: title)
    table.add(to: part, download: request.address(["csv": table.id]))
  }

  private func addRejectCodes(_ main: Markup) {
    let part = main.add("section", ["class": "part"])
    part.add("h2", text: "Rejects")
    guard let rejects = overview?.rejects, !rejects.isEmpty else {
      part.add("p", ["class": "about"], text: "No record was rejected.")
      return
    }
    let list = part.add("ul", ["class": "findings"])
    for one in rejects {
      let item = list.add("li", ["class": "conflict"])
      item.add("strong", ["class": "count"], text: one.count.grouped)
      let words = item.add("div")
      words.add("a", ["href": PageAddress.with("/archive", ["view": "rejects", "code": one.name])]).add(
        "code", text: one.name)
      words.add("p", text: remedy(one.name))
    }
  }

  private func addRejects(_ main: Markup) {
    let form = main.add("form", ["class": "filter", "action": "/archive", "method": "get"])
    form.add("input", ["type": "hidden", "name": "view", "value": "rejects"])
    form.add("label", ["for": "code"], text: "Reason")
    let choice = form.add("select", ["id": "code", "name": "code"])
    choice.add("option", ["value": ""], text: "all")
    for one in overview?.rejects ?? [] {
      let option = choice.add("option", ["value": one.name], text: "\(one.name) (\(one.count.grouped))")
      if request["code"] == one.name { option.set("selected", "selected") }
    }
    form.add("button", ["type": "submit"], text: "Show")
    rejectTable.add(to: main, download: request.address(["csv": "rejects", "page": nil]))
    Pager.add(page: request.page(), count: rejectCount, size: Self.rowsOfPage, to: main) {
      request.address(["page": $0])
    }
    main.add(
      "p", ["class": "about"],
      text: "The rejected records themselves are in the file of --rejects, and in the table rejects of the store.")
  }
}

extension PageSite {
  func archive(_ request: PageRequest) throws -> PageAnswer {
    guard let store else { return .missing(Self.withoutStore) }
    let overview = overview?.overview()
    let code = request["code"]
    let all = overview?.rejects ?? []
    let count = code.map { code in all.first { $0.name == code }?.count ?? 0 } ?? all.reduce(0) { $0 + $1.count }
    let isAll = request["csv"] == "rejects"
    let (runs, rejects) = try store.read { snapshot in
      let start = isAll ? 0 : (request.page() - 1) * ArchiveView.rowsOfPage
      return (
        try snapshot.runs(limit: 200),
        try snapshot.rejects(code: code, from: start, limit: isAll ? 1_000_000 : ArchiveView.rowsOfPage)
      )
    }
    let view = ArchiveView(
      runs: runs, rejects: rejects, rejectCount: count, overview: overview, rules: rules, links: links,
      request: request)
    if let name = request["csv"] {
      guard let table = view.table(name) else {
        return .missing(Self.nothing("This page has no table of that name.", shown: nil))
      }
      return .csv(name: name, text: table.csv)
    }
    return .page(View(title: "Archive", place: "/archive") { view.add(to: $0) })
  }
}
