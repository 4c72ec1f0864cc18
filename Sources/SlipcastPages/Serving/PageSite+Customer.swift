internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastStores

extension PageSite {
  /// The page of a customer by any id; an id of something else leads to its customer.
  func customer(_ text: String, _ request: PageRequest) throws -> PageAnswer {
    guard let store else { return .missing(Self.withoutStore) }
    guard let id = redactor.meant(text) else { return .missing(unknown(text)) }
    let latest = overview?.latest()
    let found = try store.read { snapshot in
      let reader = CustomerReader(snapshot: snapshot, rules: rules, latest: latest)
      let customers = try reader.customers(id)
      guard customers.isEmpty else { return (customers, [FoundID]()) }
      return (customers, try snapshot.find(id, limit: Self.mostFound).filter(\.isExact))
    }
    guard let first = found.0.first else {
      let owners = Set(found.1.compactMap(\.originalTransactionId))
      guard owners.count == 1, let owner = owners.first, owner != id else {
        return owners.isEmpty ? .missing(unknown(id)) : .page(results(id, found.1))
      }
      return .redirect("/customer/" + redactor.linked(owner))
    }
    if redactor.isOn, !text.hasPrefix("~") { return .redirect("/customer/" + redactor.linked(id)) }
    let isNewestFirst = request["order"] == "newest"
    let list = EventList(rules: rules, redactor: redactor)
    let views = found.0.enumerated().map { place, customer in
      CustomerView(
        customer: customer, rows: list.rows(customer), links: links, isNewestFirst: isNewestFirst,
        number: place + 1, page: request.page(), address: { request.address($0) })
    }
    if let name = request["csv"] { return table(name, views) }
    let title = "Customer \(redactor.shown(first.originalTransactionId))"
    return .page(View(title: title) { main in for view in views { view.add(to: main) } })
  }

  static let mostFound = 50

  private func table(_ name: String, _ views: [CustomerView]) -> PageAnswer {
    let tables = views.flatMap(\.tables).filter { $0.id == name }
    guard var table = tables.first else {
      return .missing(Self.nothing("This page has no table of that name.", shown: nil))
    }
    table.rows = tables.flatMap(\.rows)
    return .csv(name: name, text: table.csv)
  }

  func unknown(_ id: String) -> View {
    Self.nothing(
      "No record of this store names this id.", shown: redactor.isOn ? nil : id,
      advice: "The search takes transaction ids, original transaction ids, line items, account tokens, ids of "
        + "notifications and products. Order ids are found in stores that hold what fetch orders wrote.")
  }
}
