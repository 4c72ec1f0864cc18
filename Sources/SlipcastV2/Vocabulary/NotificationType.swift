/// The event for which the App Store sends a V2 notification.
///
/// Apple's changelog of 2025-03-24 spells one value `MIGRATE`, its server libraries `MIGRATION`; both are known.
///
/// Source: App Store Server Notifications, notificationType.
public enum NotificationType: String, CaseIterable, Hashable, Sendable {
  /// The customer subscribed, or got a subscription through Family Sharing.
  case subscribed = "SUBSCRIBED"
  /// The customer changed the plan that renews next, or reverted that change.
  case didChangeRenewalPref = "DID_CHANGE_RENEWAL_PREF"
  /// Automatic renewal was turned on or off.
  case didChangeRenewalStatus = "DID_CHANGE_RENEWAL_STATUS"
  /// The customer redeemed an offer for an active subscription.
  case offerRedeemed = "OFFER_REDEEMED"
  /// The subscription renewed.
  case didRenew = "DID_RENEW"
  /// The subscription expired.
  case expired = "EXPIRED"
  /// The renewal failed for a billing issue; billing retry starts.
  case didFailToRenew = "DID_FAIL_TO_RENEW"
  /// The billing grace period ended without a renewal; billing retry continues.
  case gracePeriodExpired = "GRACE_PERIOD_EXPIRED"
  /// The customer was notified of a price increase, or consented to it.
  case priceIncrease = "PRICE_INCREASE"
  /// The App Store refunded a transaction.
  case refund = "REFUND"
  /// The App Store declined a refund that was requested in the app.
  case refundDeclined = "REFUND_DECLINED"
  /// The App Store reversed a refund after a dispute of the customer.
  case refundReversed = "REFUND_REVERSED"
  /// The App Store asks for consumption data to decide a refund request.
  case consumptionRequest = "CONSUMPTION_REQUEST"
  /// The renewal date of one subscription was extended.
  case renewalExtended = "RENEWAL_EXTENDED"
  /// A request to extend the renewal date of all subscribers made progress.
  case renewalExtension = "RENEWAL_EXTENSION"
  /// A purchase is no longer available through Family Sharing.
  case revoke = "REVOKE"
  /// A test notification, sent on request.
  case test = "TEST"
  /// Something happened to an external purchase token: created, due, or not reported.
  case externalPurchaseToken = "EXTERNAL_PURCHASE_TOKEN"
  /// The customer bought something that does not renew.
  case oneTimeCharge = "ONE_TIME_CHARGE"
  /// A parent or guardian withdrew consent to a child's use of the app.
  case rescindConsent = "RESCIND_CONSENT"
  /// The metadata of an Advanced Commerce subscription changed.
  case metadataUpdate = "METADATA_UPDATE"
  /// A subscription moved to the Advanced Commerce API.
  case migration = "MIGRATION"
  /// `MIGRATION` in the spelling of Apple's changelog.
  case migrate = "MIGRATE"
  /// The price of an Advanced Commerce subscription changed.
  case priceChange = "PRICE_CHANGE"
  /// The App Store released claims to seats; `unclaimInfo` names them.
  case unclaimSeats = "UNCLAIM_SEATS"
}
