internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastStores
internal import SlipcastTimeline
internal import SlipcastV2

/// One subscription or purchase as V1 and V2 show it.
struct Customer: Sendable {
  /// One side's view.
  struct Side: Sendable {
    var life: CollectedLife
    /// The date of the newest record, in milliseconds since 1970 UTC.
    var newest: Int64?

    var isEmpty: Bool { life.entries.isEmpty }
  }

  var originalTransactionId: String
  var bundleId: String?
  var environment: String?
  var legacy: Side
  var server: Side?
  /// V2 records of the same events, by `EventPairing.Event.key`.
  var counterparts: [String: EventPairing.Counterpart] = [:]
  /// V2 notifications that no V1 message reports.
  var serverOnly: [StoredNotice] = []
  /// Where each record came from, by its id.
  var notices: [String: StoredNotice] = [:]
  var findings: [StoredFinding] = []
  /// Until when answers are judged, in milliseconds since 1970 UTC.
  var asOf: Int64
  /// What `asOf` is: `the latest date in this store`.
  var asOfMeaning: String
  /// Other subscriptions of the same person, by the id that shows it.
  var siblings: [(kind: FoundID.Kind, value: String, subscriptions: [Sibling])] = []
  /// What was bought, by the id of its transaction, where a record states it.
  var productTypes: [String: ProductType] = [:]
  /// The store has nothing that only V1's lists show of periods.
  var lacksLists = false
  /// Records that the page has no room for.
  var omitted = 0
  /// How far a V2 record may be from the V1 record of the same event.
  var window: Int64 = 0
  /// How far times of both sides may lie apart that are one, in milliseconds.
  var tolerance: Int64 = 0
}

/// Reads a customer from a store.
struct CustomerReader {
  let snapshot: StoreSnapshot
  let rules: RuleSet
  /// The latest date of the store.
  let latest: Int64?

  /// More records of one customer are not read.
  private static let most = LifeCollection.limit
  private static let mostSiblings = 50

  /// The lives with an id: ids are unique only in one environment of one app.
  func customers(_ id: String) throws -> [Customer] {
    let events = try snapshot.events(of: id, .v1, limit: Self.most + 1)
    let notices = try snapshot.notices(of: id, limit: 2 * Self.most)
    let transactions = try snapshot.transactions(of: id, limit: 4 * Self.most)
    guard !events.isEmpty || !notices.isEmpty || !transactions.isEmpty else { return [] }
    var options = TimelineOptions()
    options.evidence = try snapshot.listedPeriods(of: id)
    // What ended by the judged time without a message has ended, as `timeline --as-of` says it of that time.
    options.asOf = latest
    let own = try LifeCollection.lives(of: Array(events.prefix(Self.most)), rules: rules, options: options)
    let server = try ServerLives(snapshot: snapshot, rules: rules).lives(
      of: id, transactions, asOf: latest, most: Self.most)
    let siblings = try self.siblings(of: id, transactions)
    let findings = try snapshot.findings(at: Array(notices.map(\.place).prefix(900)))
    let types = Self.productTypes(transactions)
    let lacksLists = try snapshot.lacksLists()
    var customers: [Customer] = []
    var names: [StoredEvent.Subscription] = []
    for name in (own + server).compactMap(\.subscription) where !names.contains(name) { names.append(name) }
    for name in names {
      let legacy = own.first { $0.subscription == name } ?? CollectedLife(name)
      let apple = server.first { $0.subscription == name }
      let mine = notices.filter { $0.environment == name.environment && $0.bundleId == name.bundleId }
      var customer = Customer(
        originalTransactionId: id, bundleId: name.bundleId, environment: name.environment,
        legacy: Customer.Side(life: legacy, newest: newest(mine.filter { $0.origin == .v1 })),
        server: apple.map { Customer.Side(life: $0, newest: newest($0, mine, transactions)) },
        asOf: 0, asOfMeaning: "")
      let pairing = EventPairing(rules: rules, isSandbox: name.environment == "Sandbox")
      (customer.window, customer.tolerance) = (pairing.window, rules.toleranceOfEnds)
      customer.notices = Dictionary(mine.map { ($0.notificationUUID, $0) }) { first, _ in first }
      customer.findings = findings
      customer.productTypes = types
      customer.lacksLists = lacksLists && !legacy.entries.isEmpty
      customer.siblings = siblings
      customer.omitted = max(0, events.count - Self.most)
      (customer.asOf, customer.asOfMeaning) = judged(customer)
      pairing.pair(&customer, mine.filter { $0.origin == .v2 })
      customers.append(customer)
    }
    return customers
  }

  /// When access is judged, and what that time is.
  private func judged(_ customer: Customer) -> (Int64, String) {
    if let latest { return (latest, "the latest date in this store") }
    let sides = [customer.legacy, customer.server].compactMap(\.self)
    if let newest = sides.compactMap(\.newest).max() { return (newest, "the date of the customer's newest record") }
    let started = sides.flatMap(\.life.terms).map(\.from).max()
    return started.map { ($0, "the start of the newest period: no record has a date") } ?? (0, "no record has a date")
  }

  static func productTypes(_ transactions: [StoredTransaction]) -> [String: ProductType] {
    let named = transactions.compactMap { one in
      one.transactionId.flatMap { id in one.type.flatMap(ProductType.init(rawValue:)).map { (id, $0) } }
    }
    return Dictionary(named) { first, _ in first }
  }

  private func newest(_ notices: [StoredNotice]) -> Int64? { notices.compactMap(\.time).max() }

  private func newest(
    _ life: CollectedLife, _ notices: [StoredNotice], _ transactions: [StoredTransaction]
  ) -> Int64? {
    let signed = transactions.filter { $0.origin == .v2 }.compactMap(\.signedDate)
    return (signed + notices.filter { $0.origin == .v2 }.compactMap(\.time) + life.entries.compactMap(\.time)).max()
  }

  private func siblings(
    of id: String, _ transactions: [StoredTransaction]
  ) throws -> [(kind: FoundID.Kind, value: String, subscriptions: [Sibling])] {
    let tokens = Set(transactions.compactMap(\.appAccountToken)).sorted().prefix(5)
    let apps = Set(transactions.compactMap(\.appTransactionId)).sorted().prefix(5)
    let named = tokens.map { (FoundID.Kind.appAccountToken, $0) } + apps.map { (FoundID.Kind.appTransactionId, $0) }
    return try named.map { kind, value in
      (kind, value, try snapshot.siblings(kind, value, besides: id, limit: Self.mostSiblings))
    }
  }
}
