internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastStores
internal import SlipcastTimeline
@_spi(Slipcast) internal import SlipcastWire

/// The lives that Apple's V2 records show: its notifications, and the transactions and renewal states of its answers.
///
/// A transaction of an answer reports no event. It goes through the same reconstruction as a message without a type, so
/// that V1 and V2 are judged by one logic.
struct ServerLives {
  let snapshot: StoreSnapshot
  let rules: RuleSet

  /// - Parameter asOf: until when answers are judged.
  func lives(
    of id: String, _ transactions: [StoredTransaction], asOf: Int64?, most: Int
  ) throws -> [CollectedLife] {
    let notifications = try snapshot.events(of: id, .v2, limit: most)
    let listed = transactions.filter { $0.origin == .v2 && $0.isOfAnswer }.prefix(most)
    let renewals = try snapshot.renewals(of: listed.map(\.place))
    var states: [String: StoredRenewal] = [:]
    for renewal in renewals { states["\(renewal.place) \(renewal.item)"] = renewal }
    let answers = listed.map { Self.event($0, states["\($0.place) \($0.item)"], id) }
    let events = (notifications + answers).sorted { left, right in
      (left.environment ?? "", left.bundleId ?? "", left.eventTime ?? left.receivedAt ?? 0, left.place)
        < (right.environment ?? "", right.bundleId ?? "", right.eventTime ?? right.receivedAt ?? 0, right.place)
    }
    var options = TimelineOptions()
    options.asOf = asOf
    return try LifeCollection.lives(of: events, rules: rules, options: options)
  }

  /// The life that transactions alone show.
  static func life(
    of transactions: [StoredTransaction], _ id: String, asOf: Int64?, rules: RuleSet
  ) throws -> CollectedLife? {
    let events = transactions.map { event($0, nil, id) }.sorted { ($0.eventTime ?? 0) < ($1.eventTime ?? 0) }
    var options = TimelineOptions()
    options.asOf = asOf
    return try LifeCollection.lives(of: events, rules: rules, options: options).first
  }

  /// A transaction of an answer as a message: at the time of its renewal state, else of its purchase.
  private static func event(_ one: StoredTransaction, _ renewal: StoredRenewal?, _ id: String) -> StoredEvent {
    let writer = JSONWriter(capacity: 512)
    writer.raw("{")
    writer.object("data") {
      writer.member("bundleId", ifPresent: one.bundleId)
      writer.member("environment", ifPresent: one.environment)
      writer.object("transactionInfo") { write(one, writer) }
      if let renewal { writer.object("renewalInfo") { write(renewal, writer) } }
    }
    writer.raw("}")
    let time = renewal?.signedDate ?? one.purchaseDate
    return StoredEvent(
      place: one.place, originalTransactionId: id, notification_type: nil, eventTime: time, receivedAt: nil,
      body: writer.bytes, environment: one.environment, bundleId: one.bundleId)
  }

  private static func write(_ one: StoredTransaction, _ writer: JSONWriter) {
    writer.member("transactionId", ifPresent: one.transactionId)
    writer.member("webOrderLineItemId", ifPresent: one.webOrderLineItemId)
    writer.member("productId", ifPresent: one.productId)
    writer.member("purchaseDate", ifPresent: one.purchaseDate)
    writer.member("expiresDate", ifPresent: one.expiresDate)
    writer.member("revocationDate", ifPresent: one.revocationDate)
    writer.member("revocationType", ifPresent: one.revocationType)
    if one.isUpgraded { writer.member("isUpgraded", true) }
    writer.member("offerType", ifPresent: one.offerType)
    writer.member("offerDiscountType", ifPresent: one.offerDiscountType)
    writer.member("billingPlanType", ifPresent: one.billingPlanType)
    writer.member("inAppOwnershipType", ifPresent: one.inAppOwnershipType)
  }

  private static func write(_ renewal: StoredRenewal, _ writer: JSONWriter) {
    writer.member("autoRenewProductId", ifPresent: renewal.autoRenewProductId)
    writer.member("autoRenewStatus", ifPresent: renewal.autoRenewStatus)
    writer.member("expirationIntent", ifPresent: renewal.expirationIntent)
    writer.member("gracePeriodExpiresDate", ifPresent: renewal.gracePeriodExpiresDate)
    writer.member("isInBillingRetryPeriod", renewal.isInBillingRetryPeriod)
  }
}
