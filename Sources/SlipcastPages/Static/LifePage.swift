internal import SlipcastBulk
package import SlipcastComparison
package import SlipcastMapping
internal import SlipcastReports
internal import SlipcastStores
package import SlipcastTimeline

/// The page of one subscription that `timeline --report` writes: the page of the customer, as a file.
package struct LifePage {
  private let life: CollectedLife
  private let rules: RuleSet
  /// The time at which access is judged, in milliseconds since 1970 UTC; `nil`: the last event.
  private let asOf: Int64?
  private let omitted: Int
  /// When it was made, in milliseconds since 1970 UTC, and the options of the command.
  package var made: (time: Int64, options: [ComparisonOrigin.Option])?

  /// - Parameter omitted: events that the page has no room for.
  package init(_ life: CollectedLife, rules: RuleSet, asOf: Int64?, omitted: Int) {
    (self.life, self.rules, self.asOf, self.omitted) = (life, rules, asOf, omitted)
  }

  /// What Apple's transactions show that were given with the messages.
  private var server: Customer.Side? {
    let transactions = life.entries.compactMap { entry -> StoredTransaction? in
      if case .transaction(let one) = entry { StoredTransaction(one) } else { nil }
    }
    guard !transactions.isEmpty, let id = life.subscription?.originalTransactionId,
      let lived = try? ServerLives.life(of: transactions, id, asOf: asOf, rules: rules)
    else { return nil }
    return Customer.Side(life: lived, newest: transactions.compactMap(\.purchaseDate).max())
  }

  /// The whole page.
  package var html: String {
    let newest = life.entries.compactMap { entry -> Int64? in
      if case .gap = entry { nil } else { entry.time }
    }.max()
    var customer = Customer(
      originalTransactionId: life.subscription?.originalTransactionId ?? "without originalTransactionId",
      bundleId: life.subscription?.bundleId, environment: life.subscription?.environment,
      legacy: Customer.Side(life: life, newest: newest), asOf: asOf ?? newest ?? 0,
      asOfMeaning: asOf == nil ? "the time of the last event" : "the time of --as-of")
    customer.omitted = omitted
    (customer.server, customer.tolerance) = (server, rules.toleranceOfEnds)
    let redactor = Redactor(pseudonyms: nil)
    let rows = EventList(rules: rules, redactor: redactor).rows(customer)
    let view = CustomerView(customer: customer, rows: rows, links: .nothing(redactor))
    let page = View(title: view.title) { main in
      view.add(to: main)
      if let made { main.add("p", ["class": "about closing"], text: made.options.closing(made: made.time)) }
    }
    return Layout.file(page, kicker: "Slipcast: history of a subscription")
  }
}

extension StoredTransaction {
  /// A transaction that stands among the events of a timeline.
  fileprivate init(_ one: TimelineTransaction) {
    self.init(
      place: 0, item: 0, transactionId: one.transactionId, webOrderLineItemId: one.webOrderLineItemId,
      bundleId: one.bundleId, environment: one.environment, productId: one.productId, purchaseDate: one.purchaseDate,
      expiresDate: one.expiresDate, revocationDate: one.revocationDate, isUpgraded: false, origin: .v2,
      isOfAnswer: true)
  }
}
