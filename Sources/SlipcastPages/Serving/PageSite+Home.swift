internal import SlipcastReports
internal import SlipcastStores

extension PageSite {
  /// The search, and without one the numbers of the store.
  func home(_ request: PageRequest) throws -> PageAnswer {
    if let text = request["q"] { return try search(text, request) }
    let view = OverviewView(
      overview: overview?.overview(), hasStore: store != nil, reports: reports, links: links,
      address: { request.address($0) })
    if let name = request["csv"] {
      guard let table = view.table(name) else {
        return .missing(Self.nothing("This page has no table of that name.", shown: nil))
      }
      return .csv(name: name, text: table.csv)
    }
    return .page(View(title: "Search", place: "/") { view.add(to: $0) })
  }

  private func search(_ text: String, _ request: PageRequest) throws -> PageAnswer {
    guard let store else { return .missing(Self.withoutStore) }
    let (found, unsearchable) = try store.read { snapshot in
      (try snapshot.find(text, limit: Self.mostFound), snapshot.unsearchable)
    }
    if request["csv"] != nil {
      let table = matches(found)
      return .csv(name: table.id, text: table.csv)
    }
    let exact = found.filter(\.isExact)
    if let event = exact.first(where: { $0.kind == .notificationUUID }) {
      return .redirect("/event/" + redactor.linked(event.value))
    }
    let owners = Set(exact.filter { $0.kind != .productId }.compactMap(\.originalTransactionId))
    if owners.count == 1, let owner = owners.first, exact.allSatisfy({ $0.kind != .productId }) {
      return .redirect("/customer/" + redactor.linked(owner))
    }
    guard !found.isEmpty else {
      var view = unknown(text)
      view.searched = redactor.isOn ? "" : text
      let body = view.body
      view.body = { main in
        body(main)
        Self.add(unsearchable, to: main)
      }
      return .missing(view)
    }
    return .page(results(text, found, unsearchable))
  }

  /// A list of matches, the exact ones first.
  func results(_ text: String, _ found: [FoundID], _ unsearchable: [FoundID.Kind] = []) -> View {
    let table = matches(found)
    let shown = redactor.isOn ? "the search" : "“\(text)”"
    // With pseudonyms no address has a true id.
    let download = redactor.isOn ? nil : PageAddress.with("/", ["q": text, "csv": table.id])
    return View(title: "Matches", searched: redactor.isOn ? "" : text) { main in
      main.add("h1", text: "Matches of \(shown)")
      if found.count >= Self.mostFound {
        main.add("p", ["class": "about"], text: "Only the first \(found.count) are listed: type more of the id.")
      }
      table.add(to: main, download: download)
      Self.add(unsearchable, to: main)
    }
  }

  private func matches(_ found: [FoundID]) -> DataTable {
    var table = DataTable(
      id: "matches", caption: "Matches",
      columns: [.words("Customer"), .words("Found as"), .words("Id"), .words("Match")])
    table.rows = found.map { one in
      let isEvent = one.kind == .notificationUUID
      let owner = one.originalTransactionId
      let link = isEvent ? links.event(one.value) : owner.flatMap { links.customer($0) }
      let value = one.kind == .productId ? one.value : redactor.shown(one.value)
      return DataTable.Row(cells: [
        .words(owner.map { redactor.shown($0) } ?? "no customer", link: link), .words(one.kind.rawValue), .code(value),
        .words(one.isExact ? "exact" : "begins with it"),
      ])
    }
    return table
  }

  private static func add(_ unsearchable: [FoundID.Kind], to main: Markup) {
    guard !unsearchable.isEmpty else { return }
    let names = unsearchable.map(\.rawValue).joined(separator: ", ")
    main.add(
      "p", ["class": "about"],
      text: "An older program wrote this store, so \(names) were not searched. The next run of slipcast convert into "
        + "the store makes the indexes.")
  }
}
