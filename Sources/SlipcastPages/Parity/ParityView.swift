internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastWire

/// The page of a report of parity: verdict, causes, and one list at a time that can be filtered.
struct ParityView: Sendable {
  /// The lists.
  enum List: String, CaseIterable {
    case changes, undecided, missing, differences, fields

    var title: String {
      switch self {
      case .changes: "Access changes"
      case .undecided: "Access undecided"
      case .missing: "Missing events"
      case .differences: "Differences"
      case .fields: "Fields"
      }
    }
  }

  let file: ParityFile
  let rules: RuleSet
  let links: PageLinks
  let hasStore: Bool
  let request: PageRequest
  /// The addresses of the other reports.
  let others: [(name: String, address: String)]

  static let rowsOfPage = 100

  private var list: List { request["view"].flatMap { List(rawValue: $0) } ?? .changes }

  /// The rows are customers, not records.
  private var isOfCustomers: Bool { (list == .changes || list == .undecided) && file.ofCustomers != .none }

  /// How many there are, of which the report may list fewer.
  private func count(_ list: List) -> Int {
    switch list {
    case .changes where file.ofCustomers != .none: file.changeCount
    case .undecided: file.undecidedCount
    case .fields: file.fields.count
    default: rows(list).count
    }
  }

  /// What of the list is not in the report.
  private var omission: String? {
    let rest = count(list) - rows(list).count
    guard isOfCustomers, rest > 0 else { return nil }
    let all = "parity --access FILE.csv writes all of them"
    if file.ofCustomers == .absent {
      return "An older program wrote this report, which does not list customers: write it again, or \(all)."
    }
    return "The report lists \(rows(list).count.grouped) of \(Words.count(count(list), "customer")): \(all)."
  }

  private func rows(_ list: List) -> [ParityFile.Row] {
    switch list {
    case .changes: file.changes
    case .undecided: file.undecided
    case .missing: file.missing
    case .differences: file.differences
    case .fields: []
    }
  }

  /// Rows that fit what is asked for: words in any column, a kind, a type.
  private var filtered: [ParityFile.Row] {
    let (text, kind, type) = (request["find"]?.lowercased(), request["kind"], request["type"])
    return rows(list).filter { row in
      if let kind, row.kind != kind { return false }
      if let type, row.type != type { return false }
      guard let text else { return true }
      // With pseudonyms an id is found when it is whole.
      let ids = [row.customer, row.id, row.source].compactMap(\.self)
      if ids.contains(where: { $0.isFound(by: text, links.redactor) }) { return true }
      return [row.type, row.path, row.productId, row.words].contains { $0.lowercased().contains(text) }
    }
  }

  /// A table that is downloaded, by its name, with all its rows; `nil` for another name.
  func table(_ name: String) -> DataTable? {
    if name == list.rawValue { return table(all: true) }
    return [causeTable, file.missingChart?.table].compactMap(\.self).first { $0.id == name }
  }

  private func table(all: Bool) -> DataTable {
    guard list != .fields else { return fieldTable }
    let name = isOfCustomers ? "Product" : list == .differences ? "Field" : "Type"
    let time = isOfCustomers ? [] : [DataTable.Column.time("Time")]
    var table = DataTable(
      id: list.rawValue, caption: list.title,
      columns: [.words("Kind"), .words(name), .words("Customer")] + time
        + [.words("V1"), .words("V2"), .words("Records")])
    let rows = filtered
    let start = min(rows.count, (request.page() - 1) * Self.rowsOfPage)
    table.rows = (all ? rows[...] : rows[start...].prefix(Self.rowsOfPage)).map(row)
    let isUnfiltered = rows.isEmpty && request["find"] == nil
    table.empty = !isUnfiltered ? "No row fits the filter." : omission == nil ? "None." : "Not in this report."
    return table
  }

  private func row(_ row: ParityFile.Row) -> DataTable.Row {
    let customer = row.customer?.shown(by: links.redactor) ?? "unknown"
    let name = isOfCustomers ? row.productId : list == .differences ? row.path : row.type
    let time = isOfCustomers ? [] : [row.time == nil ? DataTable.Cell.words("") : .time(row.time)]
    let records = [("V1", row.legacyRecord), ("V2", row.serverRecord)].compactMap { side, record in
      record.map { "\(side) record \($0)" }
    }
    let source = row.source.map { " of \($0.shown(by: links.redactor))" } ?? ""
    var pair: String?
    if hasStore, let id = row.customer?.sealed(by: links.redactor), let record = row.legacyRecord ?? row.serverRecord {
      pair = PageAddress.with("/event", ["customer": id, "record": String(record)])
    }
    return DataTable.Row(
      cells: [
        .words(row.kind + (row.isAccepted ? ", accepted" : "")), .code(name),
        .words(customer, link: hasStore ? row.customer?.customerPage(links) : nil),
      ] + time + [
        .words(row.legacy.shown(by: links.redactor)), .words(row.server.shown(by: links.redactor)),
        .words(records.joined(separator: ", ") + source, link: pair),
      ], tone: row.kind == "locked out" || row.kind == "conflict" ? "conflict" : nil)
  }

  private var fieldTable: DataTable {
    let text = request["find"]?.lowercased()
    let names = file.fields.reduce(into: [String]()) { names, field in
      for count in field.counts where !names.contains(count.name) { names.append(count.name) }
    }
    var table = DataTable(
      id: "fields", caption: "Fields", columns: [.words("Field")] + names.map { DataTable.Column.number($0) })
    table.rows = file.fields.filter { field in text.map { field.path.lowercased().contains($0) } ?? true }.map {
      field in
      let step = String(field.path.split(separator: ".").last ?? "")
      let conflicts = field.counts.first { $0.name == "conflict" }?.count ?? 0
      return DataTable.Row(
        cells: [.code(field.path, link: links.rule(step))]
          + names.map { name in .number(Int(field.counts.first { $0.name == name }?.count ?? 0)) },
        tone: conflicts > 0 ? "conflict" : nil)
    }
    table.empty = "No field fits the filter."
    return table
  }

  // MARK: the page

  func add(to main: Markup) {
    let isGood = file.verdict == "parity"
    let header = main.add("header", ["class": "answer \(isGood ? "parity" : "conflict")"])
    header.add("p", ["class": "kicker"], text: "Report of parity" + (links.redactor.isOn ? "" : ": \(file.name)"))
    header.add(
      "h1", ["class": "sentence"], text: isGood ? "Parity: all gates hold." : "Conflict: a gate does not hold.")
    if let time = file.asOf {
      header.add("p", ["class": "about"], text: "Access is judged at ").add(moment: time)
    }
    if !others.isEmpty {
      let line = header.add("p", ["class": "tools"])
      for other in others { line.append("a", ["href": other.address], text: other.name) }
    }
    addNumbers(main)
    addGates(main)
    addCauses(main)
    if let chart = file.missingChart { chart.add(to: main, download: request.address(["csv": chart.id])) }
    addList(main)
  }

  private func addGates(_ main: Markup) {
    guard !file.gates.isEmpty else { return }
    let part = main.add("section", ["class": "part"])
    part.add("h2", text: "Gates")
    let list = part.add("ul", ["class": "findings"])
    for gate in file.gates {
      let item = list.add("li", ["class": gate.holds ? "parity" : "conflict"])
      item.add("strong", ["class": "count"], text: gate.holds ? "✓ holds" : "✕ fails")
      item.add("div", text: [gate.name, gate.words].filter { !$0.isEmpty }.joined(separator: ": "))
    }
  }

  private func addCauses(_ main: Markup) {
    guard !file.causes.isEmpty else { return }
    let part = main.add("section", ["class": "part"])
    part.add("h2", text: "Causes")
    causeTable.add(to: part, download: request.address(["csv": "causes"]))
  }

  private var causeTable: DataTable {
    var table = DataTable(
      id: "causes", caption: "What conflicts have in common",
      columns: [.words("Field"), .words("Cause"), .number("Pairs"), .words("Share"), .words("Where")])
    table.rows = file.causes.map { cause in
      DataTable.Row(cells: [
        .code(cause.path), .words(Self.words(cause.kind)), .number(cause.pairs), .words(cause.share),
        .words(cause.common.shown(by: links.redactor)),
      ])
    }
    return table
  }

  private func addList(_ main: Markup) {
    let part = main.add("section", ["class": "part", "id": "list", "aria-labelledby": "list-title"])
    part.add("h2", ["id": "list-title"], text: list.title)
    let tabs = part.add("nav", ["class": "tabs", "aria-label": "Lists"]).add("ul")
    for one in List.allCases where one != .undecided || file.ofCustomers != .none {
      let count = count(one)
      let address = PageAddress.with("/parity", ["file": request["file"], "view": one.rawValue]) + "#list"
      let link = tabs.add("li").add("a", ["href": address], text: "\(one.title) (\(count.grouped))")
      if one == list { link.set("aria-current", "page") }
    }
    if let words = omission { part.add("p", ["class": "about"], text: words) }
    addFilter(part)
    table(all: false).add(to: part, download: request.address(["csv": list.rawValue, "page": nil]))
    guard list != .fields else { return }
    Pager.add(
      page: request.page(), count: filtered.count, size: Self.rowsOfPage, to: part
    ) { request.address(["page": $0]) + "#list" }
  }

  private func addFilter(_ part: Markup) {
    let form = part.add("form", ["class": "filter", "action": "/parity#list", "method": "get"])
    for name in ["file", "view"] {
      if let value = request[name] { form.add("input", ["type": "hidden", "name": name, "value": value]) }
    }
    form.add("label", ["for": "find"], text: "Filter")
    let shown = links.redactor.isOn ? "" : request["find"] ?? ""
    form.add("input", ["id": "find", "name": "find", "type": "search", "value": shown, "autocomplete": "off"])
    let kinds = Set(rows(list).map(\.kind)).sorted()
    if kinds.count > 1 {
      form.add("label", ["for": "kind"], text: "Kind")
      let choice = form.add("select", ["id": "kind", "name": "kind"])
      choice.add("option", ["value": ""], text: "all")
      for kind in kinds {
        let option = choice.add("option", ["value": kind], text: kind)
        if request["kind"] == kind { option.set("selected", "selected") }
      }
    }
    form.add("button", ["type": "submit"], text: "Show")
  }
}

/// Links to the pages of a long list.
enum Pager {
  static func add(page: Int, count: Int, size: Int, to parent: Markup, _ address: (String?) -> String) {
    let pages = (count + size - 1) / size
    guard pages > 1 else { return }
    let list = parent.add("nav", ["class": "pager", "aria-label": "Pages"])
    if page > 1 {
      list.append("a", ["href": address(page == 2 ? nil : String(page - 1)), "rel": "prev"], text: "Previous")
    }
    list.append("span", text: "Page \(page.grouped) of \(pages.grouped)")
    if page < pages { list.append("a", ["href": address(String(page + 1)), "rel": "next"], text: "Next") }
  }
}

extension PageSite {
  /// The page of a report of parity.
  func parity(_ request: PageRequest) throws -> PageAnswer {
    let number = request["file"].flatMap { Int($0) } ?? 1
    guard reports.indices.contains(number - 1) else {
      return .missing(
        Self.nothing(
          reports.isEmpty ? "No report of parity is open." : "No report has this name.", shown: nil,
          advice: "Start slipcast ui with a report: slipcast parity … --format json --report parity.json, then "
            + "slipcast ui archive.sqlite parity.json"))
    }
    let others = reports.indices.filter { $0 != number - 1 }.map { place in
      (
        name: redactor.isOn ? "Report \(place + 1)" : reports[place].name,
        address: PageAddress.with("/parity", ["file": place == 0 ? nil : String(place + 1)])
      )
    }
    let view = ParityView(
      file: reports[number - 1], rules: rules, links: links, hasStore: store != nil, request: request, others: others)
    if let name = request["csv"] {
      guard let table = view.table(name) else {
        return .missing(Self.nothing("This page has no table of that name.", shown: nil))
      }
      return .csv(name: table.id, text: table.csv)
    }
    return .page(View(title: "Parity", place: "/parity") { view.add(to: $0) })
  }
}
