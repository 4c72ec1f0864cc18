/// V2's events in plain sentences.
enum EventWords {
  /// A sentence without a full stop.
  ///
  /// - Parameters:
  ///   - name: `DID_RENEW/BILLING_RECOVERY`.
  ///   - product: the product of the transaction.
  ///   - next: the product of the next period.
  static func sentence(_ name: String, product: String?, next: String?) -> String {
    let type = String(name.prefix { $0 != "/" })
    let text = sentences[name] ?? sentences[type] ?? "Event \(name)"
    return text.replacing("{product}", with: product ?? "the product").replacing(
      "{next}", with: next ?? "another product")
  }

  private static let sentences = [
    "SUBSCRIBED/INITIAL_BUY": "Subscribed to {product} for the first time",
    "SUBSCRIBED/RESUBSCRIBE": "Subscribed to {product} again",
    "SUBSCRIBED": "Subscribed to {product}",
    "DID_RENEW": "Renewed {product}",
    "DID_RENEW/BILLING_RECOVERY": "Renewed {product}: a failed payment went through",
    "DID_CHANGE_RENEWAL_PREF": "Stays with {product} at the next renewal",
    "DID_CHANGE_RENEWAL_PREF/UPGRADE": "Upgraded to {product} at once",
    "DID_CHANGE_RENEWAL_PREF/DOWNGRADE": "Will change to {next} at the next renewal",
    "DID_CHANGE_RENEWAL_STATUS": "Changed auto-renew",
    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED": "Turned auto-renew on",
    "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED": "Turned auto-renew off",
    "OFFER_REDEEMED": "Redeemed an offer for {product}",
    "OFFER_REDEEMED/INITIAL_BUY": "Subscribed to {product} with an offer",
    "OFFER_REDEEMED/RESUBSCRIBE": "Subscribed to {product} again with an offer",
    "OFFER_REDEEMED/UPGRADE": "Upgraded to {product} with an offer",
    "OFFER_REDEEMED/DOWNGRADE": "Will change to {next} with an offer",
    "EXPIRED": "The subscription ended",
    "EXPIRED/VOLUNTARY": "The subscription ended: auto-renew was off",
    "EXPIRED/BILLING_RETRY": "The subscription ended: the payment failed until Apple gave up",
    "EXPIRED/PRICE_INCREASE": "The subscription ended: the customer did not agree to a higher price",
    "EXPIRED/PRODUCT_NOT_FOR_SALE": "The subscription ended: the product was not for sale",
    "DID_FAIL_TO_RENEW": "The payment for {product} failed; Apple tries again, without a grace period",
    "DID_FAIL_TO_RENEW/GRACE_PERIOD": "The payment for {product} failed; access continues in the grace period",
    "GRACE_PERIOD_EXPIRED": "The grace period ended without a payment",
    "PRICE_INCREASE/PENDING": "Apple asked the customer to agree to a higher price",
    "PRICE_INCREASE/ACCEPTED": "The customer agreed to a higher price, or it needs no consent",
    "PRICE_INCREASE": "The price goes up",
    "PRICE_CHANGE": "The price changes",
    "REFUND": "Apple refunded {product}",
    "REFUND_DECLINED": "Apple declined a refund of {product}",
    "REFUND_REVERSED": "Apple took back a refund of {product}",
    "CONSUMPTION_REQUEST": "The customer asked for a refund of {product}",
    "RENEWAL_EXTENDED": "The period of {product} was extended",
    "RENEWAL_EXTENSION/SUMMARY": "Apple finished extending periods",
    "RENEWAL_EXTENSION/FAILURE": "Extending the period of {product} failed",
    "REVOKE": "Family Sharing or an assignment of {product} ended",
    "ONE_TIME_CHARGE": "Bought {product}",
    "TEST": "A test notification",
    "MIGRATION": "Moved to another billing of {product}",
    "RESCIND_CONSENT": "A parent took back consent",
    "METADATA_UPDATE": "Details of the purchase changed",
  ]
}
