package import SlipcastNetwork
package import SlipcastV2
internal import SlipcastWire

/// One id that Apple is asked about.
package struct Customer: Sendable {
  /// A transaction id or an order id, as text; `nil` for a request about all customers of an app, and empty for a text
  /// that is not an id and should not be repeated.
  package var id: String?
  /// The app, as an index into `CustomerList.bundles`; `nil` where the records do not say it.
  package var bundle: Int32?
  /// The environment that the records state.
  package var environment: Environment?
  /// The most transactions that one record lists.
  package var transactions: Int32 = 1
  /// The earlier customer whose record lists this id too; its response probably covers this one.
  package var leader: Int32?
  /// Why Apple is not asked about it: it is not an id.
  package var fault: String?

  /// True for a text that may be an id at all: what is longer (a line of a key has at least 48 characters), or has quotes
  /// or blanks, is some other text, which should not be repeated.
  package static func isPlain(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= mostCharacters
      && id.utf8.allSatisfy { $0.isAlphanumeric || "-.:_".utf8.contains($0) }
  }

  /// A UUID has 36.
  static let mostCharacters = 40

  /// True for what a request can be sent about.
  package var isAskable: Bool { fault == nil }
}

/// What the ids of a list are.
package enum IdKind: Sendable {
  /// Of transactions; Apple's consist of digits, and the server refuses others.
  case transaction
  /// Of orders, as receipts in mails have them, such as `MSLIP00012`.
  case order

  package init(_ endpoint: ServerEndpoint) { self = endpoint == .orders ? .order : .transaction }

  /// In words, for messages.
  package var words: String {
    switch self {
    case .transaction: "a transaction id of digits"
    case .order: "an order id of letters and digits"
    }
  }

  /// Why a text is not an id of this kind; `nil` where it is one.
  package func fault(of id: String) -> String? {
    let isID =
      switch self {
      case .transaction: id.utf8.allSatisfy { $0.isDigit }
      case .order: id.utf8.allSatisfy { $0.isAlphanumeric }
      }
    return isID && !id.isEmpty ? nil : "expected \(words); it was not sent"
  }
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
  private let kind: IdKind

  package init(of kind: IdKind = .transaction) { self.kind = kind }

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
      customer.fault = kind.fault(of: id)
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

  /// Adds a text that stands where an id is expected; it counts as failed, and is not sent.
  ///
  /// The text is repeated only where it cannot be a part of a key or of a record.
  ///
  /// - Parameter place: where it stands, in words.
  package mutating func add(noId text: String, at place: String) {
    let isHarmless =
      text.utf8.count <= Customer.mostCharacters
      && text.utf8.allSatisfy { $0.isAlphanumeric || "-.:_ ".utf8.contains($0) }
    var customer = Customer(id: isHarmless ? text : "")
    customer.fault = "\(place): expected \(kind.words); it was not sent"
    customers.append(customer)
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
    for place in customers.indices where customers[place].bundle == nil && customers[place].isAskable {
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
