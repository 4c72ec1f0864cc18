package import SlipcastMapping
package import SlipcastV2
package import SlipcastWire

/// The facts of a converted event that grouping and timelines need.
package struct EventFacts: Sendable {
  package var notificationUUID: String?
  package var reading: EventName?
  /// The notification's date of signing, in milliseconds since 1970 UTC.
  package var signedDate: Int64?
  package var rule: String?
  package var confidence: Confidence?
  package var candidates: [MigrationCandidate] = []
  /// What other messages of the archive show, and which records: for people.
  package var support: [String] = []
  /// Auto-renew is on, and was last changed at this time, in milliseconds since 1970 UTC.
  package var autoRenewOnSince: Int64?
  /// The event that a companion message belongs to.
  package var absorbedInto: String?
  /// Other messages of the archive settled the reading: what a companion belongs to is among them.
  package var isSettled = false
  /// V1's types of the messages that an earlier run has merged into this one.
  package var told: [String] = []
  package var bundleId: String?
  package var environment: String?
  package var transaction: Transaction?
  package var renewal: Renewal?

  // Not the typed models: with their fields, `timeline` takes 13 % more time (40,000 notifications), spent on copies.

  /// What is needed of `JWSTransactionDecodedPayload`, spelled as there.
  package struct Transaction: Sendable {
    package var transactionId: String?
    package var webOrderLineItemId: String?
    package var productId: String?
    package var purchaseDate: Timestamp?
    package var expiresDate: Timestamp?
    package var revocationDate: Timestamp?
    package var revocationType: Open<RevocationType>?
    package var isUpgraded: Bool?
    package var inAppOwnershipType: Open<InAppOwnershipType>?
    package var offerType: Open<OfferType>?
    package var offerIdentifier: String?
    package var offerDiscountType: Open<OfferDiscountType>?
    package var billingPlanType: Open<BillingPlanType>?

    package init() {}
  }

  /// What is needed of `JWSRenewalInfoDecodedPayload`, spelled as there.
  package struct Renewal: Sendable {
    package var autoRenewProductId: String?
    package var autoRenewStatus: Open<AutoRenewStatus>?
    package var expirationIntent: Open<ExpirationIntent>?
    package var gracePeriodExpiresDate: Timestamp?
    package var isInBillingRetryPeriod: Bool?
    package var priceIncreaseStatus: Open<PriceIncreaseStatus>?
    package var offerType: Open<OfferType>?
    package var offerIdentifier: String?

    package init() {}
  }

  package init() {}

  /// The readings that the event may have, the best first.
  var readings: [EventName] {
    candidates.isEmpty ? [reading].compactMap(\.self) : candidates.compactMap(EventName.init)
  }

  /// The one reading; `nil` for an ambiguous event.
  var certainReading: EventName? { candidates.isEmpty ? reading : nil }

  /// Whether the message turns auto-renew on or off; `nil` when it does neither.
  var turnsAutoRenewOn: Bool? {
    let told = Set(readings.compactMap(\.subtype))
    switch (told.contains(Subtype.autoRenewEnabled.rawValue), told.contains(Subtype.autoRenewDisabled.rawValue)) {
    case (true, false): return true
    case (false, true): return false
    default: return renewal?.autoRenewStatus?.known.map { $0 == .on }
    }
  }

  /// When the transaction was bought, in milliseconds since 1970 UTC.
  var purchase: Int64? { transaction?.purchaseDate?.milliseconds }

  /// It has a line item, or its reading is surer than one whose purchase was chosen among those of a list.
  var namesPurchase: Bool {
    transaction?.webOrderLineItemId != nil || confidence.map { $0 < .inferred } ?? true
  }

  /// Both are about one line item, or about one transaction where a line item is not stated.
  func isSameLine(as other: EventFacts) -> Bool {
    guard let one = transaction, let two = other.transaction else { return false }
    if let left = one.webOrderLineItemId, let right = two.webOrderLineItemId { return left == right }
    guard let left = one.transactionId, let right = two.transactionId else { return false }
    return left == right
  }
}

/// Facts that many groups and entries refer to: those are passed on by value, and a reference is cheaper to copy.
final class SharedFacts: Sendable {
  let value: EventFacts

  init(_ value: EventFacts) { self.value = value }
}

extension EventName {
  /// The event of a candidate; `nil` for one without a type.
  init?(_ candidate: MigrationCandidate) {
    guard let type = candidate.notificationType?.rawValue else { return nil }
    self.init(notificationType: type, subtype: candidate.subtype?.rawValue)
  }
}
