/// The detail of a notification type; absent for many types.
///
/// Source: App Store Server Notifications, subtype.
public enum Subtype: String, CaseIterable, Hashable, Sendable {
  /// The first subscription in its group.
  case initialBuy = "INITIAL_BUY"
  /// A new subscription after an earlier one in the group had expired.
  case resubscribe = "RESUBSCRIBE"
  /// To a lower level, or to another duration on the same level; from the next renewal on.
  case downgrade = "DOWNGRADE"
  /// To a higher level, or to the same duration on the same level; at once.
  case upgrade = "UPGRADE"
  /// Automatic renewal was turned on.
  case autoRenewEnabled = "AUTO_RENEW_ENABLED"
  /// Automatic renewal was turned off, by the customer or after a refund request.
  case autoRenewDisabled = "AUTO_RENEW_DISABLED"
  /// Expired after the customer turned automatic renewal off.
  case voluntary = "VOLUNTARY"
  /// Expired because billing retry ended without success.
  case billingRetry = "BILLING_RETRY"
  /// Expired because the customer did not consent to a price increase.
  case priceIncrease = "PRICE_INCREASE"
  /// The failed renewal has a grace period: access continues.
  case gracePeriod = "GRACE_PERIOD"
  /// The customer was asked for consent and has not answered.
  case pending = "PENDING"
  /// The customer consented, or was notified of an increase that needs no consent.
  case accepted = "ACCEPTED"
  /// A renewal that had failed went through.
  case billingRecovery = "BILLING_RECOVERY"
  /// Expired because the product was not for sale at renewal.
  case productNotForSale = "PRODUCT_NOT_FOR_SALE"
  /// The extension is done for all subscribers; `summary` has the counts.
  case summary = "SUMMARY"
  /// The extension failed for one subscription.
  case failure = "FAILURE"
  /// Apple made a token and received no report for it.
  case unreported = "UNREPORTED"
  /// A token is still active and needs its report.
  case activeTokenReminder = "ACTIVE_TOKEN_REMINDER"
  /// Apple made a token.
  case created = "CREATED"
  /// Some seats of a multiseat purchase were refunded; the transaction stays valid.
  case seats = "SEATS"
  /// The number of seats grows.
  case increaseQuantity = "INCREASE_QUANTITY"
  /// The number of seats shrinks, from the next renewal on.
  case decreaseQuantity = "DECREASE_QUANTITY"
}
