@_spi(Slipcast) package import SlipcastWire

/// Every JSON key of Apple's legacy formats, spelled as Apple spells it; its raw value is its number on the tape.
///
/// Sources: Apple, "responseBodyV1", "unified_receipt.Latest_receipt_info", "unified_receipt.Pending_renewal_info",
/// "verifyReceipt responseBody" and its "Receipt", their deprecated members until 2021-03-10, and keys that middle
/// tiers are known to add.
public enum LegacyKey: UInt8, CaseIterable, Hashable, Sendable {
  // responseBodyV1
  case notification_type, environment, password, auto_renew_status, auto_renew_product_id, auto_renew_adam_id
  case auto_renew_status_change_date, auto_renew_status_change_date_ms, auto_renew_status_change_date_pst
  case bid, bvrs, expiration_intent, original_transaction_id, deprecation, unified_receipt
  case cancellation_date, cancellation_date_ms, cancellation_date_pst, web_order_line_item_id
  case latest_receipt, latest_receipt_info, latest_expired_receipt, latest_expired_receipt_info
  case pending_renewal_info
  // transactions
  case status, quantity, product_id, transaction_id
  case purchase_date, purchase_date_ms, purchase_date_pst
  case original_purchase_date, original_purchase_date_ms, original_purchase_date_pst
  case expires_date, expires_date_ms, expires_date_pst, expires_date_formatted, expires_date_formatted_pst
  case is_trial_period, is_in_intro_offer_period, subscription_group_identifier, in_app_ownership_type, is_upgraded
  case cancellation_reason, promotional_offer_id, offer_code_ref_name, app_account_token
  case item_id, app_item_id, unique_identifier, unique_vendor_identifier, version_external_identifier
  // transactions of app receipts: attribute 1707, which verifyReceipt never shows; the name is Slipcast's
  case product_type
  // renewals
  case is_in_billing_retry_period, grace_period_expires_date, grace_period_expires_date_ms
  case grace_period_expires_date_pst, price_consent_status, price_increase_status
  // verifyReceipt
  case is_retryable, exception, receipt, sandbox, service, itunes_env, status_info, hyphenated_is_retryable
  case receipt_type, adam_id, bundle_id, application_version, download_id, original_application_version
  case receipt_creation_date, receipt_creation_date_ms, receipt_creation_date_pst
  case request_date, request_date_ms, request_date_pst
  case preorder_date, preorder_date_ms, preorder_date_pst
  case expiration_date, expiration_date_ms, expiration_date_pst
  case in_app
  // V2 keys, to distinguish a V2 record from a legacy one
  case signedPayload, notificationType, signedTransactionInfo, signedTransactions

  /// The key as it is in JSON.
  public var name: String { Self.names[Int(rawValue)] }

  /// The key of that name, if it is one of these.
  public init?(name: String) {
    guard let number = Self.numbers[name] else { return nil }
    self.init(rawValue: number)
  }

  private static let numbers = Dictionary(uniqueKeysWithValues: zip(names, allCases.map(\.rawValue)))

  /// All names in the order of the raw values, without reflection, which would take time at every start.
  package static let names: [String] = [
    "notification_type", "environment", "password", "auto_renew_status", "auto_renew_product_id", "auto_renew_adam_id",
    "auto_renew_status_change_date", "auto_renew_status_change_date_ms", "auto_renew_status_change_date_pst", "bid",
    "bvrs", "expiration_intent", "original_transaction_id", "deprecation", "unified_receipt", "cancellation_date",
    "cancellation_date_ms", "cancellation_date_pst", "web_order_line_item_id", "latest_receipt", "latest_receipt_info",
    "latest_expired_receipt", "latest_expired_receipt_info", "pending_renewal_info", "status", "quantity", "product_id",
    "transaction_id", "purchase_date", "purchase_date_ms", "purchase_date_pst", "original_purchase_date",
    "original_purchase_date_ms", "original_purchase_date_pst", "expires_date", "expires_date_ms", "expires_date_pst",
    "expires_date_formatted", "expires_date_formatted_pst", "is_trial_period", "is_in_intro_offer_period",
    "subscription_group_identifier", "in_app_ownership_type", "is_upgraded", "cancellation_reason",
    "promotional_offer_id", "offer_code_ref_name", "app_account_token", "item_id", "app_item_id", "unique_identifier",
    "unique_vendor_identifier", "version_external_identifier", "product_type", "is_in_billing_retry_period",
    "grace_period_expires_date", "grace_period_expires_date_ms", "grace_period_expires_date_pst",
    "price_consent_status", "price_increase_status", "is_retryable", "exception", "receipt", "sandbox", "service",
    "itunes_env", "status_info", "is-retryable", "receipt_type", "adam_id", "bundle_id", "application_version",
    "download_id", "original_application_version", "receipt_creation_date", "receipt_creation_date_ms",
    "receipt_creation_date_pst", "request_date", "request_date_ms", "request_date_pst", "preorder_date",
    "preorder_date_ms", "preorder_date_pst", "expiration_date", "expiration_date_ms", "expiration_date_pst", "in_app",
    "signedPayload", "notificationType", "signedTransactionInfo", "signedTransactions",
  ]

  package static let count = allCases.count

  /// The numbers of the keys whose values are identifiers.
  static let identifiers = Set(
    LegacyScope.allCases.flatMap(\.fields).filter { [.identifier, .eitherIdentifier].contains($0.kind) }
      .map { UInt16($0.key.rawValue) })
}

extension LegacyKey {
  /// The key of an entry of a tape that was read with `names`; `nil` for any other name.
  package init?(_ entry: JSONEntry) {
    guard let number = UInt8(exactly: entry.key) else { return nil }
    self.init(rawValue: number)
  }

  /// The values there are objects, or lists of objects, that have rows of their own.
  package var holdsRows: Bool {
    switch self {
    case .unified_receipt, .latest_receipt_info, .latest_expired_receipt_info, .pending_renewal_info, .receipt, .in_app:
      true
    default: false
    }
  }
}
