/// What files for others need of one transaction; names as in V2.
package struct Purchase: Sendable {
  package var transactionId: String?
  package var originalTransactionId: String?
  package var bundleId: String?
  package var environment: String?
  package var productId: String?
  package var type: String?
  package var inAppOwnershipType: String?
  package var appAccountToken: String?
  package var webOrderLineItemId: String?
  package var offerDiscountType: String?
  package var storefront: String?
  package var currency: String?
  /// In thousandths of a unit.
  package var price: Int64?
  /// Times, in milliseconds since 1970 UTC.
  package var purchaseDate: Int64?
  package var originalPurchaseDate: Int64?
  package var expiresDate: Int64?
  package var revocationDate: Int64?
  /// Of a conversion that states none, the time for which it holds.
  package var signedDate: Int64?
  package var isUpgraded = false
  /// The token that the transaction was decoded from, which is trusted.
  package var signed: [UInt8]?

  package init(_ values: V2Part) {
    transactionId = values.text("transactionId")
    originalTransactionId = values.text("originalTransactionId")
    bundleId = values.bundleId
    environment = values.environment
    productId = values.text("productId")
    type = values.text("type")
    inAppOwnershipType = values.text("inAppOwnershipType")
    appAccountToken = values.text("appAccountToken")
    webOrderLineItemId = values.text("webOrderLineItemId")
    offerDiscountType = values.text("offerDiscountType")
    storefront = values.text("storefront")
    currency = values.text("currency")
    price = values.integer("price")
    purchaseDate = values.integer("purchaseDate")
    originalPurchaseDate = values.integer("originalPurchaseDate")
    expiresDate = values.integer("expiresDate")
    revocationDate = values.integer("revocationDate")
    signedDate = values.signedDate
    isUpgraded = values.flag("isUpgraded") ?? false
    signed = values.token
  }

  /// Of a subscription that renews itself; V1 does not say the type of what has no end.
  package var isOfSubscription: Bool {
    if let type { return type == "Auto-Renewable Subscription" }
    return expiresDate != nil || webOrderLineItemId != nil
  }

  /// When access by this purchase ends: a refund or an upgrade ends it early.
  package var end: Int64? {
    guard let revocationDate else { return expiresDate }
    return min(expiresDate ?? revocationDate, revocationDate)
  }

  /// Whether this is the newer period of a subscription, or the newer reading of the same one.
  package func isNewer(than other: Purchase) -> Bool {
    if transactionId != other.transactionId {
      let (own, theirs) = (purchaseDate ?? .min, other.purchaseDate ?? .min)
      if own != theirs { return own > theirs }
      if isUpgraded != other.isUpgraded { return other.isUpgraded }
    }
    let (own, theirs) = (signedDate ?? .min, other.signedDate ?? .min)
    return own == theirs ? isLater(than: other) : own > theirs
  }

  /// Which of two readings of one time counts must not depend on the order of files: what was taken back, replaced or
  /// extended came after the purchase.
  private func isLater(than other: Purchase) -> Bool {
    guard changes == other.changes else { return other.changes.lexicographicallyPrecedes(changes) }
    let (own, theirs) = ([transactionId, appAccountToken], [other.transactionId, other.appAccountToken])
    return !own.map { $0 ?? "" }.lexicographicallyPrecedes(theirs.map { $0 ?? "" })
  }

  private var changes: [Int64] { [revocationDate == nil ? 0 : 1, isUpgraded ? 1 : 0, expiresDate ?? .min] }
}

/// What files for others need of a renewal info; names as in V2.
package struct RenewalState: Sendable {
  package var originalTransactionId: String?
  package var productId: String?
  package var autoRenewProductId: String?
  package var autoRenewStatus: Int64?
  package var priceIncreaseStatus: Int64?
  package var expirationIntent: Int64?
  package var isInBillingRetryPeriod: Bool?
  package var gracePeriodExpiresDate: Int64?
  package var signedDate: Int64?

  package init(_ values: V2Part) {
    originalTransactionId = values.text("originalTransactionId")
    productId = values.text("productId")
    autoRenewProductId = values.text("autoRenewProductId")
    autoRenewStatus = values.integer("autoRenewStatus")
    priceIncreaseStatus = values.integer("priceIncreaseStatus")
    expirationIntent = values.integer("expirationIntent")
    isInBillingRetryPeriod = values.flag("isInBillingRetryPeriod")
    gracePeriodExpiresDate = values.integer("gracePeriodExpiresDate")
    signedDate = values.signedDate
  }

  /// Whether this is the newer state of a subscription.
  ///
  /// Of two of one time the one counts that states a change, whatever the order of files: who buys has auto-renew on.
  package func isNewer(than other: RenewalState) -> Bool {
    let (own, theirs) = (signedDate ?? .min, other.signedDate ?? .min)
    return own == theirs ? !changes.lexicographicallyPrecedes(other.changes) : own > theirs
  }

  /// The greater, the later; texts by their order, which decides nothing else.
  private var changes: [Int64] {
    let flags = [
      autoRenewStatus.map { $0 == 0 ? 1 : 0 }, priceIncreaseStatus, expirationIntent, gracePeriodExpiresDate,
    ]
    return flags.map { $0 ?? .min } + (autoRenewProductId ?? "").utf8.map(Int64.init)
  }
}

/// The status of a subscription (1 to 5), and the time for which it holds, in milliseconds since 1970 UTC.
package struct StatusState: Sendable {
  package var originalTransactionId: String
  package var status: Int64
  package var asOf: Int64?
}

extension StatusState {
  /// Whether this is the newer status; of two of one time a refund counts, and then what gives access.
  package func isNewer(than other: StatusState) -> Bool {
    let (own, theirs) = (asOf ?? .min, other.asOf ?? .min)
    return own == theirs ? rank >= other.rank : own > theirs
  }

  private var rank: Int64 { status == 5 ? 5 : 0 &- status }

  package init?(_ part: V2Part) {
    guard let id = part.text("originalTransactionId"), let status = part.integer("status") else { return nil }
    self.init(originalTransactionId: id, status: status, asOf: part.signedDate)
  }
}

/// What a record says about purchases, in any of its forms.
package struct FoundObjects: Sendable {
  package var purchases: [Purchase] = []
  package var renewals: [RenewalState] = []
  package var statuses: [StatusState] = []

  package init(_ parts: [V2Part] = []) {
    for part in parts {
      switch part.kind {
      case .transaction: purchases.append(Purchase(part))
      case .renewal: renewals.append(RenewalState(part))
      case .status: if let status = StatusState(part) { statuses.append(status) }
      case .appTransaction: break
      }
    }
  }
}
