internal import SlipcastWire

/// Decides how ids are shown and how links name them.
///
/// Without `--redact` both are the ids themselves.
struct Redactor: Sendable {
  let pseudonyms: Pseudonyms?

  var isOn: Bool { pseudonyms != nil }

  /// An id of a person, a purchase, a row or a source as a page shows it.
  func shown(_ id: String) -> String { pseudonyms?.name(id) ?? id }

  /// The same for something that may be missing.
  func shown(_ id: String?) -> String? { id.map { shown($0) } }

  /// An id as a part of an address.
  func linked(_ id: String) -> String { PageAddress.encoded(pseudonyms?.sealed(id) ?? id) }

  /// The id that an address names; `nil` for a pseudonym that was not made here.
  func meant(_ text: String) -> String? {
    guard let pseudonyms, text.hasPrefix("~") else { return text }
    return pseudonyms.opened(text)
  }

  /// A value of a record, by the member that holds it; only members that name no person and no purchase are shown.
  func shown(_ value: String, of member: String) -> String {
    guard let pseudonyms, !Self.harmless.contains(member) else { return value }
    return value == "true" || value == "false" || value == "null" ? value : pseudonyms.name(Self.unquoted(value))
  }

  private static func unquoted(_ value: String) -> String {
    value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"") ? String(value.dropFirst().dropLast()) : value
  }

  /// Members of V1 and V2 whose values say what happened, but identify no customer.
  static let harmless: Set<String> = [
    // V1
    "notification_type", "environment", "auto_renew_status", "auto_renew_status_change_date_ms",
    "auto_renew_status_change_date", "auto_renew_status_change_date_pst", "auto_renew_product_id", "auto_renew_adam_id",
    "expiration_intent", "is_in_billing_retry_period", "grace_period_expires_date", "grace_period_expires_date_ms",
    "grace_period_expires_date_pst", "price_consent_status", "price_increase_status", "product_id", "purchase_date",
    "purchase_date_ms", "purchase_date_pst", "original_purchase_date", "original_purchase_date_ms",
    "original_purchase_date_pst", "expires_date", "expires_date_ms", "expires_date_pst", "expires_date_formatted",
    "expires_date_formatted_pst", "cancellation_date", "cancellation_date_ms", "cancellation_date_pst",
    "cancellation_reason", "is_trial_period", "is_in_intro_offer_period", "is_upgraded", "quantity", "bundle_id", "bid",
    "bvrs", "version_external_identifier", "subscription_group_identifier", "in_app_ownership_type",
    "promotional_offer_id", "offer_code_ref_name", "status", "receipt_type", "application_version",
    "request_date", "request_date_ms", "request_date_pst",
    // V2
    "notificationType", "subtype", "version", "signedDate", "bundleId", "bundleVersion", "appAppleId", "productId",
    "subscriptionGroupIdentifier", "purchaseDate", "originalPurchaseDate", "expiresDate", "type", "inAppOwnershipType",
    "revocationReason", "revocationDate", "revocationType", "revocationPercentage", "isUpgraded", "offerType",
    "offerIdentifier", "offerDiscountType", "offerPeriod", "storefront", "storefrontId", "transactionReason", "price",
    "currency", "billingPlanType", "expirationIntent", "autoRenewProductId", "autoRenewStatus",
    "isInBillingRetryPeriod", "priceIncreaseStatus", "gracePeriodExpiresDate", "recentSubscriptionStartDate",
    "renewalDate", "renewalPrice", "renewalBillingPlanType", "renewalQuantity", "consumptionRequestReason",
    // migration
    "rule", "confidence", "needs", "inferred", "facts", "notification_type_v1",
  ]
}
