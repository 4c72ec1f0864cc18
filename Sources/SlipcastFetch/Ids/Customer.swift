package import SlipcastV2
internal import SlipcastWire

/// One id that Apple is asked about.
package struct Customer: Sendable {
  /// A transaction id, as text; `nil` for a request about all customers of an app.
  package var id: String?
  /// The app, as an index into `CustomerList.bundles`; `nil` where the records do not say it.
  package var bundle: Int32?
  /// The environment that the records state.
  package var environment: Environment?
  /// The most transactions that one record lists.
  package var transactions: Int32 = 1
  /// The earlier customer whose record lists this id too; its response probably covers this one.
  package var leader: Int32?

  /// True for a text that may be an id at all: what is longer, or has quotes or blanks, is some other text, which
  /// should not be repeated.
  package static func isPlain(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 64 && id.utf8.allSatisfy { $0.isAlphanumeric || "-.:_".utf8.contains($0) }
  }

  /// Apple's ids consist of digits; the server refuses others.
  package var isNumeric: Bool { id?.utf8.allSatisfy { $0.isDigit } ?? true }
}

/// The ids of an archive, each once, in the order of their first records.
package struct CustomerList: Sendable {
  package private(set) var customers: [Customer] = []
  /// The bundle ids of the apps.
  package private(set) var bundles: [String] = []
  /// Records that contain no id, such as a test notification.
  package private(set) var withoutId = 0
  /// The index of each customer, by its id.
  private var indices: [String: Int32] = [:]
  /// The customer with whose records other ids came.
  private var aliases: [String: Int32] = [:]

  package init() {}

  package var count: Int { customers.count }

  /// What a customer, or a request about all customers of an app, is called in a table that later runs read.
  func name(of customer: Customer) -> String {
    if let id = customer.id { return id }
    return "app \(customer.bundle.map { bundles[Int($0)] } ?? "") \(customer.environment?.rawValue ?? "")"
  }

  /// The index of the customer with an id.
  package func index(of id: String) -> Int32? { indices[id] }

  mutating func add(_ found: FoundIds) {
    guard let id = found.primary, Customer.isPlain(id) else {
      withoutId += 1
      return
    }
    let bundle = found.bundleId.map { bundleIndex($0) }
    let index: Int32
    if let known = indices[id] {
      index = known
      let place = Int(known)
      if customers[place].bundle == nil { customers[place].bundle = bundle }
      if customers[place].environment == nil { customers[place].environment = found.environment }
      customers[place].transactions = max(customers[place].transactions, Int32(clamping: found.transactions))
    } else {
      index = Int32(customers.count)
      var customer = Customer(id: id, bundle: bundle, environment: found.environment)
      customer.transactions = max(1, Int32(clamping: found.transactions))
      customer.leader = aliases.removeValue(forKey: id)
      customers.append(customer)
      indices[id] = index
    }
    for other in found.others where indices[other] == nil && aliases[other] == nil { aliases[other] = index }
  }

  /// Adds an id that is given by itself.
  package mutating func add(id: String) {
    var found = FoundIds()
    found.primary = id
    add(found)
  }

  /// Adds a request about all customers of an app.
  package mutating func addAll(of bundleId: String, in environment: Environment) {
    customers.append(Customer(id: nil, bundle: bundleIndex(bundleId), environment: environment))
  }

  /// Removes what only reading needs.
  package mutating func finish() { aliases = [:] }

  /// Sets the app of the customers whose records do not state it.
  ///
  /// - Returns: how many customers have none.
  package mutating func complete(with bundleId: String?) -> Int {
    let bundle = bundleId.map { bundleIndex($0) }
    var missing = 0
    for place in customers.indices where customers[place].bundle == nil && customers[place].isNumeric {
      customers[place].bundle = bundle
      if bundle == nil { missing += 1 }
    }
    return missing
  }

  private mutating func bundleIndex(_ bundleId: String) -> Int32 {
    // An account has a few apps.
    if let place = bundles.firstIndex(of: bundleId) { return Int32(place) }
    bundles.append(bundleId)
    return Int32(bundles.count - 1)
  }
}

struct FoundIds: Sendable {
  var primary: String?
  /// Other original transaction ids of the same customer.
  var others: [String] = []
  var bundleId: String?
  var environment: Environment?
  var transactions = 0
}
