package import SlipcastBulk
package import SlipcastMapping
package import SlipcastReceipts
package import SlipcastSignatures
internal import SlipcastSystem

/// One subscription, by all records of an archive.
package struct Subscription: Sendable {
  package let originalTransactionId: String
  /// Its newest period, as the newest record states it.
  package var newest: Purchase
  package var firstPurchaseDate: Int64?
  package var appAccountToken: String?
  package var renewal: RenewalState?
  package var status: StatusState?
  /// The position of its newest trusted receipt.
  var receipt: ReceiptSpool.Place?
  /// The newest transaction that is signed and trusted.
  var transaction: Purchase?

  init(_ id: String, _ purchase: Purchase) { (originalTransactionId, newest) = (id, purchase) }

  package var environment: String? { newest.environment }

  /// The latest time at which a record shows it, in milliseconds since 1970 UTC.
  package var seen: Int64? { [newest.signedDate, renewal?.signedDate, status?.asOf].compactMap(\.self).max() }

  mutating func add(_ purchase: Purchase) {
    let known = newest
    if purchase.isNewer(than: newest) {
      newest = purchase
      // A record may leave out what another one of the same period states.
      if purchase.transactionId == known.transactionId { newest.complete(with: known) }
      appAccountToken = purchase.appAccountToken ?? appAccountToken
    } else {
      if purchase.transactionId == known.transactionId { newest.complete(with: purchase) }
      appAccountToken = appAccountToken ?? purchase.appAccountToken
    }
    newest.environment = newest.environment ?? known.environment ?? purchase.environment
    newest.bundleId = newest.bundleId ?? known.bundleId ?? purchase.bundleId
    let dates = [firstPurchaseDate, purchase.originalPurchaseDate ?? purchase.purchaseDate].compactMap(\.self)
    firstPurchaseDate = dates.min()
    if purchase.signed != nil, transaction.map({ purchase.isNewer(than: $0) }) ?? true { transaction = purchase }
  }
}

extension Purchase {
  /// Takes what only an older reading of the same transaction states, and which does not change.
  fileprivate mutating func complete(with other: Purchase) {
    productId = productId ?? other.productId
    type = type ?? other.type
    inAppOwnershipType = inAppOwnershipType ?? other.inAppOwnershipType
    offerDiscountType = offerDiscountType ?? other.offerDiscountType
    storefront = storefront ?? other.storefront
    if price == nil { (price, currency) = (other.price, other.currency) }
    purchaseDate = purchaseDate ?? other.purchaseDate
    originalPurchaseDate = originalPurchaseDate ?? other.originalPurchaseDate
    expiresDate = expiresDate ?? other.expiresDate
  }
}

/// All subscriptions and other purchases of an archive, in the order of their first records.
package final class SubscriptionBook {
  package private(set) var subscriptions: [Subscription] = []
  /// Purchases that are not of subscriptions, each once.
  package private(set) var purchases: [Purchase] = []
  /// Signed parts that are not trusted, and were not used.
  package private(set) var untrusted = 0
  private var places: [String: Int] = [:]
  private var placesOfPurchases: [String: Int] = [:]
  private let spool: ReceiptSpool?

  /// - Parameter keepsReceipts: whether receipts are wanted.
  /// - Throws: `FileError`.
  package init(keepsReceipts: Bool) throws { spool = keepsReceipts ? try ReceiptSpool() : nil }

  /// Adds what all records of an archive say.
  ///
  /// - Returns: how many records were read, and how many of them could not be.
  package func read(
    _ sources: [RecordSource], _ policy: VerificationPolicy, rules: RuleSet, options: ConvertOptions,
    onReject: @escaping (Reject) throws -> Void, watch: (RunCounts, Int) -> Bool
  ) async throws -> (end: RunEnd, counts: RunCounts) {
    let keepsReceipts = spool != nil
    let run = ScanRun(.legacy, rules: rules, options: options) {
      SubscriptionScanner(policy, rules: rules, readsReceipts: keepsReceipts)
    }
    let (end, counts, _) = try await run.scan(
      sources, onReject: onReject,
      deliver: { scanner, _, _ in for found in scanner.found { try add(found) } }, watch: watch)
    return (end, counts)
  }

  func add(_ found: SubscriptionScanner.Found) throws {
    untrusted += found.untrusted
    for purchase in found.objects.purchases { add(purchase) }
    for renewal in found.objects.renewals { add(renewal) }
    for status in found.objects.statuses { add(status) }
    for receipt in found.receipts { try add(receipt, of: found.objects) }
  }

  private func add(_ purchase: Purchase) {
    guard let id = purchase.originalTransactionId ?? purchase.transactionId else { return }
    let key = place(of: id, in: purchase.environment)
    if let place = places[key] {
      subscriptions[place].add(purchase)
    } else if purchase.isOfSubscription {
      places[key] = subscriptions.count
      var subscription = Subscription(id, purchase)
      subscription.add(purchase)
      subscriptions.append(subscription)
    } else if let place = placesOfPurchases[purchase.transactionId ?? id] {
      if purchase.isNewer(than: purchases[place]) { purchases[place] = purchase }
    } else {
      placesOfPurchases[purchase.transactionId ?? id] = purchases.count
      purchases.append(purchase)
    }
  }

  /// The ids of the two environments are independent of each other.
  private func place(of id: String, in environment: String?) -> String {
    guard let place = places[id], let environment, let known = subscriptions[place].environment, known != environment
    else { return id }
    return "\(id) \(environment)"
  }

  private func add(_ renewal: RenewalState) {
    guard let place = renewal.originalTransactionId.flatMap({ places[$0] }) else { return }
    if let known = subscriptions[place].renewal, !renewal.isNewer(than: known) { return }
    subscriptions[place].renewal = renewal
  }

  private func add(_ status: StatusState) {
    guard let place = places[status.originalTransactionId] else { return }
    if let known = subscriptions[place].status, !status.isNewer(than: known) { return }
    subscriptions[place].status = status
  }

  /// Keeps a receipt for the subscriptions whose purchases it holds.
  private func add(_ receipt: SignedReceipt, of found: FoundObjects) throws {
    var kept: ReceiptSpool.Place?
    for id in Set(found.purchases.compactMap(\.originalTransactionId)) {
      guard receipt.ids.contains(id), let place = places[id] else { continue }
      let subscription = subscriptions[place]
      if let app = receipt.bundleId, let own = subscription.newest.bundleId, app != own { continue }
      guard (receipt.date ?? .min) >= (subscription.receipt?.date ?? .min) || subscription.receipt == nil else {
        continue
      }
      kept = try kept ?? spool?.append(receipt)
      subscriptions[place].receipt = kept
    }
  }

  /// The newest trusted receipt of a subscription; `nil` without one.
  package func receipt(of subscription: Subscription) throws -> [UInt8]? {
    try subscription.receipt.flatMap { try spool?.read($0) }
  }
}
