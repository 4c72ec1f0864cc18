package import SlipcastBulk

/// A notification of a store without its body.
package struct StoredNotice: Sendable {
  package var place: Int64
  package var notificationUUID: String
  package var notificationType: String?
  package var subtype: String?
  package var notification_type: String?
  package var eventTime: Int64?
  package var signedDate: Int64?
  package var receivedAt: Int64?
  package var rule: String?
  package var confidence: String?
  package var absorbedInto: String?
  package var bundleId: String?
  package var environment: String?
  package var originalTransactionId: String?
  package var transactionId: String?
  package var webOrderLineItemId: String?
  package var productId: String?
  package var source: String
  package var record: Int64
  package var id: String?
  package var origin: StoreSide

  /// When it happened, as well as it is known, in milliseconds since 1970 UTC.
  package var time: Int64? { eventTime ?? signedDate ?? receivedAt }
}

/// A transaction that a record of a store shows.
package struct StoredTransaction: Sendable {
  package var place: Int64
  /// Its number in its record, from 1.
  package var item: Int64
  package var transactionId: String?
  package var webOrderLineItemId: String?
  package var bundleId: String?
  package var environment: String?
  package var productId: String?
  package var type: String?
  package var purchaseDate: Int64?
  package var expiresDate: Int64?
  package var revocationDate: Int64?
  package var revocationType: String?
  package var isUpgraded: Bool
  package var offerType: Int64?
  package var offerDiscountType: String?
  package var billingPlanType: String?
  package var signedDate: Int64?
  package var inAppOwnershipType: String?
  package var appAccountToken: String?
  package var appTransactionId: String?
  package var price: Int64?
  package var currency: String?
  package var origin: StoreSide
  /// It is part of an answer, not of a notification.
  package var isOfAnswer: Bool

  package init(
    place: Int64, item: Int64, transactionId: String?, webOrderLineItemId: String?, bundleId: String?,
    environment: String?, productId: String?, type: String? = nil, purchaseDate: Int64?, expiresDate: Int64?,
    revocationDate: Int64?, revocationType: String? = nil, isUpgraded: Bool, offerType: Int64? = nil,
    offerDiscountType: String? = nil, billingPlanType: String? = nil, signedDate: Int64? = nil,
    inAppOwnershipType: String? = nil, appAccountToken: String? = nil, appTransactionId: String? = nil,
    price: Int64? = nil, currency: String? = nil, origin: StoreSide, isOfAnswer: Bool
  ) {
    (self.place, self.item, self.transactionId) = (place, item, transactionId)
    (self.webOrderLineItemId, self.bundleId, self.environment) = (webOrderLineItemId, bundleId, environment)
    (self.productId, self.type, self.purchaseDate) = (productId, type, purchaseDate)
    (self.expiresDate, self.revocationDate, self.revocationType) = (expiresDate, revocationDate, revocationType)
    (self.isUpgraded, self.offerType, self.offerDiscountType) = (isUpgraded, offerType, offerDiscountType)
    (self.billingPlanType, self.signedDate) = (billingPlanType, signedDate)
    (self.inAppOwnershipType, self.appAccountToken) = (inAppOwnershipType, appAccountToken)
    (self.appTransactionId, self.price, self.currency) = (appTransactionId, price, currency)
    (self.origin, self.isOfAnswer) = (origin, isOfAnswer)
  }
}

/// A renewal state that an answer of a store shows.
package struct StoredRenewal: Sendable {
  package var place: Int64
  package var item: Int64
  package var autoRenewProductId: String?
  package var autoRenewStatus: Int64?
  package var expirationIntent: Int64?
  package var gracePeriodExpiresDate: Int64?
  package var isInBillingRetryPeriod: Bool
  package var signedDate: Int64?
  package var environment: String?
}

/// Another subscription of the same person.
package struct Sibling: Hashable, Sendable {
  package var originalTransactionId: String
  package var productId: String?
  package var purchaseDate: Int64?
  package var expiresDate: Int64?
}

extension StoreSnapshot {
  private static let noticeColumns = """
    n.place, n.notificationUUID, n.notificationType, n.subtype, n.notification_type, n.eventTime, n.signedDate,
    n.receivedAt, n.rule, n.confidence, n.absorbedInto, n.bundleId, n.environment, n.originalTransactionId,
    n.transactionId, n.webOrderLineItemId, n.productId, n.source, n.record, n.id
    """

  private func notices(where condition: String, _ parameters: [String?]) throws(StoreError) -> [StoredNotice] {
    let sql = "SELECT \(Self.noticeColumns), \(origin("n")) FROM notifications n WHERE \(condition)"
    return try all(sql, parameters, columns: 21).map { row in
      StoredNotice(
        place: Self.number(row[0]) ?? 0, notificationUUID: row[1] ?? "", notificationType: row[2], subtype: row[3],
        notification_type: row[4], eventTime: Self.number(row[5]), signedDate: Self.number(row[6]),
        receivedAt: Self.number(row[7]), rule: row[8], confidence: row[9], absorbedInto: row[10], bundleId: row[11],
        environment: row[12], originalTransactionId: row[13], transactionId: row[14], webOrderLineItemId: row[15],
        productId: row[16], source: row[17] ?? "", record: Self.number(row[18]) ?? 0, id: row[19],
        origin: StoreSide(rawValue: row[20] ?? "") ?? .v1)
    }
  }

  static func number(_ text: String?) -> Int64? { text.flatMap { Int64($0) } }

  /// SQLite keeps a flag as 0 or 1; PostgreSQL writes t or f.
  static func flag(_ text: String?) -> Bool { text == "1" || text == "t" || text == "true" }

  /// The notifications of a customer, at most so many.
  package func notices(of originalTransactionId: String, limit: Int) throws(StoreError) -> [StoredNotice] {
    try notices(where: "n.originalTransactionId = $1 ORDER BY n.place LIMIT \(limit)", [originalTransactionId])
  }

  /// A notification; `nil` if the store lacks it.
  package func notice(_ uuid: String) throws(StoreError) -> StoredNotice? {
    for spelling in [uuid, uuid.lowercased(), uuid.uppercased()] {
      if let found = try notices(where: "n.notificationUUID = $1", [spelling]).first { return found }
    }
    return nil
  }

  /// The decoded V2 record at a place.
  package func body(at place: Int64) throws(StoreError) -> [UInt8]? {
    let rows = try database.rows("SELECT body FROM notifications WHERE place = \(place)", for: "read")
    return try rows.step() ? rows.content(0) : nil
  }

  /// The V1 body of the record at a place, without its secret; `nil` where it was not kept.
  package func legacyBody(at place: Int64) throws(StoreError) -> [UInt8]? {
    guard hasBodies else { return nil }
    let rows = try database.rows("SELECT body FROM bodies WHERE place = \(place)", for: "read")
    return try rows.step() ? rows.content(0) : nil
  }

  /// The notifications of a customer as timelines read them, in their order.
  package func events(
    of originalTransactionId: String, _ side: StoreSide, limit: Int
  ) throws(StoreError) -> [StoredEvent] {
    let condition = "originalTransactionId = $1 AND \(isOf(side, "notifications"))"
    let sql = StoreQueries.events(where: condition, sorted: StoreQueries.subscriptions) + " LIMIT \(limit)"
    let rows = try database.rows(sql, [originalTransactionId], for: "read")
    var events: [StoredEvent] = []
    while try rows.step() {
      events.append(
        StoredEvent(
          place: rows.number(0) ?? 0, originalTransactionId: rows.text(1), notification_type: rows.text(2),
          eventTime: rows.number(3), receivedAt: rows.number(4), body: rows.content(5), environment: rows.text(6),
          bundleId: rows.text(7)))
    }
    return events
  }

  /// What the lists of V1 messages show of a customer; `nil` in a store of an older version.
  package func listedPeriods(of originalTransactionId: String) throws -> SettledReadings? {
    guard version >= SchemaVersion.ofListedPeriods else { return nil }
    return try database.listedPeriods(where: "originalTransactionId = $1", [originalTransactionId])
  }

  /// V1 records came to the store by a run that kept nothing of their lists.
  package func lacksLists() throws(StoreError) -> Bool { try database.lacksLists(version: version) }

  /// The transactions of a customer in all records.
  package func transactions(
    of originalTransactionId: String, limit: Int
  ) throws(StoreError) -> [StoredTransaction] {
    let sql = """
      SELECT t.place, t.transactionId, t.webOrderLineItemId, t.bundleId, t.environment, t.productId, t.type,
      t.purchaseDate, t.expiresDate, t.revocationDate, t.revocationType, t.isUpgraded, t.offerType,
      t.offerDiscountType, t.billingPlanType, t.signedDate, t.inAppOwnershipType, t.appAccountToken,
      t.appTransactionId, t.price, t.currency, CASE WHEN n.place IS NULL THEN \(origin("a", isAnswer: true)) ELSE \(origin("n")) END,
      CASE WHEN n.place IS NULL THEN 1 ELSE 0 END, t.item
      FROM transactions t LEFT JOIN notifications n ON n.place = t.place LEFT JOIN answers a ON a.place = t.place
      WHERE t.originalTransactionId = $1 ORDER BY t.place, t.item LIMIT \(limit)
      """
    return try all(sql, [originalTransactionId], columns: 24).map { row in
      StoredTransaction(
        place: Self.number(row[0]) ?? 0, item: Self.number(row[23]) ?? 0, transactionId: row[1],
        webOrderLineItemId: row[2], bundleId: row[3],
        environment: row[4], productId: row[5], type: row[6], purchaseDate: Self.number(row[7]),
        expiresDate: Self.number(row[8]), revocationDate: Self.number(row[9]), revocationType: row[10],
        isUpgraded: Self.flag(row[11]), offerType: Self.number(row[12]), offerDiscountType: row[13],
        billingPlanType: row[14], signedDate: Self.number(row[15]), inAppOwnershipType: row[16],
        appAccountToken: row[17], appTransactionId: row[18], price: Self.number(row[19]), currency: row[20],
        origin: StoreSide(rawValue: row[21] ?? "") ?? .v1, isOfAnswer: row[22] == "1")
    }
  }

  /// The renewal states of a customer in the answers of Apple's server.
  package func renewals(of places: [Int64]) throws(StoreError) -> [StoredRenewal] {
    guard !places.isEmpty else { return [] }
    let list = Set(places).sorted().map(String.init).joined(separator: ",")
    let sql = """
      SELECT place, item, autoRenewProductId, autoRenewStatus, expirationIntent, gracePeriodExpiresDate,
      isInBillingRetryPeriod, signedDate, environment, originalTransactionId
      FROM renewal_infos WHERE place IN (\(list)) ORDER BY place, item
      """
    return try all(sql, columns: 9).map { row in
      StoredRenewal(
        place: Self.number(row[0]) ?? 0, item: Self.number(row[1]) ?? 0, autoRenewProductId: row[2],
        autoRenewStatus: Self.number(row[3]), expirationIntent: Self.number(row[4]),
        gracePeriodExpiresDate: Self.number(row[5]), isInBillingRetryPeriod: Self.flag(row[6]),
        signedDate: Self.number(row[7]), environment: row[8])
    }
  }

  /// Other subscriptions with an id of the person.
  ///
  /// - Parameter column: `appAccountToken` or `appTransactionId`.
  package func siblings(
    _ kind: FoundID.Kind, _ value: String, besides known: String, limit: Int
  ) throws(StoreError) -> [Sibling] {
    guard kind == .appAccountToken || kind == .appTransactionId, !unsearchable.contains(kind) else { return [] }
    let sql = """
      SELECT originalTransactionId, max(productId), min(purchaseDate), max(expiresDate) FROM transactions
      WHERE \(kind.rawValue) = $1 AND originalTransactionId <> $2
      GROUP BY originalTransactionId ORDER BY 3 LIMIT \(limit)
      """
    return try all(sql, [value, known], columns: 4).compactMap { row in
      row[0].map {
        Sibling(
          originalTransactionId: $0, productId: row[1], purchaseDate: Self.number(row[2]),
          expiresDate: Self.number(row[3]))
      }
    }
  }

  /// The findings of records, with what each means.
  package func findings(at places: [Int64]) throws(StoreError) -> [StoredFinding] {
    guard !places.isEmpty else { return [] }
    let list = places.map(String.init).joined(separator: ",")
    let sql = """
      SELECT f.place, f.code, f.severity, f.occurrences, f.path, c.message FROM findings f
      LEFT JOIN finding_codes c ON c.code = f.code WHERE f.place IN (\(list)) ORDER BY f.place, f.code
      """
    return try all(sql, columns: 6).map { row in
      StoredFinding(
        place: Self.number(row[0]) ?? 0, code: row[1] ?? "", severity: row[2] ?? "",
        occurrences: Self.number(row[3]) ?? 1, path: row[4] ?? "", message: row[5] ?? "")
    }
  }

  /// The event of a customer that was a record of its source.
  package func event(of originalTransactionId: String, record: Int64) throws(StoreError) -> String? {
    try column(
      "SELECT notificationUUID FROM notifications WHERE originalTransactionId = $1 AND record = \(record) LIMIT 1",
      [originalTransactionId]
    ).first
  }
}

/// What a person should know about a record that was converted all the same.
package struct StoredFinding: Sendable {
  package var place: Int64
  package var code: String
  package var severity: String
  package var occurrences: Int64
  package var path: String
  package var message: String
}
