import SlipcastBulk
import SlipcastMapping
import SlipcastOutlets
import SlipcastReceipts
import SlipcastStores
import SlipcastTimeline
import SlipcastWire

/// What `timeline --order` selects: the subscriptions and purchases of an order, by what `fetch orders` wrote.
struct OrderSelection {
  private let order: String
  private let found: OrderSearch.Found
  /// The original transaction ids of the purchases in the order.
  var ids: [String?] { found.ids }
  /// The transactions of V2 that the inputs hold of these.
  let transactions: [String: [TimelineTransaction]]
  /// The inputs that events come from.
  let arguments: Arguments
  /// The sources that hold V1 records; `nil` where the events come from a store.
  let legacy: [RecordSource]?

  static func check(_ arguments: Arguments) throws {
    if arguments.has("order"), arguments.has("original-transaction-id") {
      throw UsageError("--order and --original-transaction-id both choose what is shown; use one of them")
    }
    for name in ["root", "intermediate"] where arguments.has(name) && !arguments.has("order") {
      throw UsageError("--\(name) has no effect without --order: nothing signed is read")
    }
  }

  init(_ order: String, _ arguments: Arguments, _ rules: RuleSet, _ console: Console) async throws {
    let stores = try arguments.operands.filter { try StoreLocation.isLocation($0) && StoreLocation($0).isStore }
    let others = arguments.with(operands: arguments.operands.filter { !stores.contains($0) })
    guard stores.count < 2, !others.operands.isEmpty || stores.isEmpty else {
      throw UsageError("--order needs the lines of fetch orders among the inputs, and at most one store")
    }
    let inputs = try ConvertInputs(others, console)
    let search = OrderSearch(try TrustOptions.policy(arguments), rules, try Self.options(arguments))
    (self.order, found) = (order, try await search.find(order, in: inputs.sources))
    transactions = found.purchases.mapValues { purchases in
      purchases.map { TimelineTransaction($0.value, isOfOrder: $0.isOfOrder) }
    }
    // Events are of V1, where nothing is verified.
    self.arguments = arguments.with(
      operands: stores.isEmpty ? others.operands : stores, without: ["root", "intermediate"])
    legacy = stores.isEmpty ? found.legacySources.sorted().map { inputs.sources[$0] } : nil
  }

  private static func options(_ arguments: Arguments) throws -> ConvertOptions {
    var options = ConvertOptions()
    options.body = try InputOptions.body(arguments)
    options.recordBytes = try InputOptions.recordBytes(arguments) ?? options.recordBytes
    return options
  }

  /// Says that no response knows the order.
  func isUnknown(_ console: Console) -> Bool {
    guard found.ids.isEmpty else { return false }
    let id = Console.harmless(order)
    console.say("slipcast: no line of fetch orders for the order \(id) found whose transactions are trusted\n")
    _ = hasUntrusted(console)
    return true
  }

  /// Says why signed parts were not used.
  func hasUntrusted(_ console: Console) -> Bool {
    guard let refusal = found.refusal else { return false }
    let parts = found.untrusted == 1 ? "1 signed part is" : "\(found.untrusted.grouped) signed parts are"
    console.say("slipcast: \(parts) not trusted, and not used: \(refusal)\n")
    return true
  }
}

extension TimelineTransaction {
  fileprivate init(_ purchase: Purchase, isOfOrder: Bool) {
    self.init()
    (transactionId, webOrderLineItemId) = (purchase.transactionId, purchase.webOrderLineItemId)
    (bundleId, environment, productId) = (purchase.bundleId, purchase.environment, purchase.productId)
    (purchaseDate, expiresDate) = (purchase.purchaseDate, purchase.expiresDate)
    (revocationDate, self.isOfOrder) = (purchase.revocationDate, isOfOrder)
  }
}
