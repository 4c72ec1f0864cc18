internal import SlipcastDigest
internal import SlipcastReports
internal import SlipcastStores

/// Writes the pages of chosen customers as files that need no server, no network and no script.
package struct PageExport {
  package struct File: Sendable {
    package var name: String
    package var text: String
  }

  package struct Result: Sendable {
    package var files: [File] = []
    package var customers = 0
    /// Ids that no record names.
    package var unknown: [String] = []
    /// Events that only the page of their customer shows.
    package var eventsWithoutPage = 0
  }

  private let site: PageSite
  /// The events of one customer that get a page; more are on the customer's page alone.
  package static let mostEvents = 500

  /// - Throws: `StoreError`.
  package init(_ options: PageOptions) throws { site = try PageSite(options) }

  /// The pages of customers, of their events, and one that lists them.
  ///
  /// - Parameter ids: any ids that the search takes.
  /// - Throws: `StoreError`.
  package func files(of ids: [String]) throws -> Result {
    var result = Result()
    let latest = site.overview?.latest()
    guard let store = site.store else { return result }
    var chosen: [(id: String, customers: [Customer])] = []
    for text in ids {
      let found = try store.read { snapshot in try owner(text, snapshot, latest) }
      guard let found else {
        result.unknown.append(text)
        continue
      }
      if !chosen.contains(where: { $0.id == found.0 }) { chosen.append(found) }
    }
    let links = links(chosen)
    for one in chosen {
      result.files.append(customerFile(one.id, one.customers, links))
      result.files += try store.read { snapshot in try eventFiles(one.customers, snapshot, links) }
      result.eventsWithoutPage += max(0, one.customers.reduce(0) { $0 + $1.notices.count } - Self.mostEvents)
    }
    result.customers = chosen.count
    if !chosen.isEmpty { result.files.append(index(chosen.map(\.id), links)) }
    return result
  }

  private func owner(_ text: String, _ snapshot: StoreSnapshot, _ latest: Int64?) throws -> (String, [Customer])? {
    let reader = CustomerReader(snapshot: snapshot, rules: site.rules, latest: latest)
    let customers = try reader.customers(text)
    guard customers.isEmpty else { return (text, customers) }
    let owners = Set(
      try snapshot.find(text, limit: PageSite.mostFound).filter(\.isExact).compactMap(\.originalTransactionId))
    guard owners.count == 1, let owner = owners.first, owner != text else { return nil }
    return (owner, try reader.customers(owner))
  }

  // MARK: names

  /// A file of a customer or an event; an id with other characters than letters and digits is named by its digest.
  private func name(_ kind: String, _ id: String) -> String {
    let shown = site.redactor.shown(id)
    let isPlain = shown.utf8.count <= 80 && shown.wholeMatch(of: /[0-9A-Za-z][0-9A-Za-z-]*/) != nil
    let word = isPlain ? shown : String(SHA256Stream.hexadecimal(of: Array(shown.utf8)).prefix(16))
    return "\(kind)-\(word).html"
  }

  private func links(_ chosen: [(id: String, customers: [Customer])]) -> PageLinks {
    var exported: [String: String] = [:]
    for one in chosen {
      exported["customer \(one.id)"] = name("customer", one.id)
      for uuid in events(one.customers) { exported["event \(uuid)"] = name("event", uuid) }
    }
    return PageLinks(redactor: site.redactor, exported: exported)
  }

  private func events(_ customers: [Customer]) -> [String] {
    Array(customers.flatMap { $0.notices.keys.sorted() }.prefix(Self.mostEvents))
  }

  // MARK: files

  private static let kicker = "Slipcast: an exported page"

  private func customerFile(_ id: String, _ customers: [Customer], _ links: PageLinks) -> File {
    let list = EventList(rules: site.rules, redactor: site.redactor)
    let views = customers.map { CustomerView(customer: $0, rows: list.rows($0), links: links) }
    let title = views.first?.title ?? ""
    let view = View(title: title) { main in
      main.add("p").add("a", ["href": "index.html"], text: "All exported customers")
      for view in views { view.add(to: main) }
    }
    return File(name: name("customer", id), text: Layout.file(view, kicker: Self.kicker))
  }

  private func eventFiles(_ customers: [Customer], _ snapshot: StoreSnapshot, _ links: PageLinks) throws -> [File] {
    try events(customers).compactMap { uuid in
      guard let view = try site.eventView(uuid, of: customers, snapshot, links) else { return nil }
      let page = View(title: view.name) { view.add(to: $0) }
      return File(name: name("event", uuid), text: Layout.file(page, kicker: Self.kicker))
    }
  }

  private func index(_ ids: [String], _ links: PageLinks) -> File {
    let view = View(title: "Exported customers") { main in
      main.add("h1", text: "Exported customers")
      let list = main.add("ul")
      for id in ids {
        list.add("li").add("a", ["href": links.customer(id) ?? "index.html"], text: links.redactor.shown(id))
      }
    }
    return File(name: "index.html", text: Layout.file(view, kicker: Self.kicker))
  }
}
