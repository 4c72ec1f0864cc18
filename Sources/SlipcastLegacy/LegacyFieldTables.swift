// One table per legacy object. Reading, drift findings, rule checking and the generated lists use these tables.
// Sources: Apple, "responseBodyV1" and the pages it links (unified_receipt, Latest_receipt_info, Pending_renewal_info);
// "verifyReceipt responseBody", "Receipt"; the members removed on 2021-03-10 as real bodies show them.

extension LegacyScope {
  /// The fields of the object, in Apple's order.
  public var fields: [LegacyField] {
    switch self {
    case .responseBodyV1: Self.responseBodyV1Fields
    case .unified_receipt: Self.unifiedReceiptFields
    case .latest_receipt_info: Self.transactionFields
    case .pending_renewal_info: Self.renewalFields
    case .verifyReceipt: Self.verifyReceiptFields
    case .receipt: Self.receiptFields
    }
  }

  private static let responseBodyV1Fields: [LegacyField] = [
    LegacyField(.notification_type, .text),
    LegacyField(.password, .secret),
    LegacyField(.environment, .text),
    LegacyField(.auto_renew_product_id, .text),
    LegacyField(.auto_renew_status, .flagWord),
    LegacyField(.auto_renew_adam_id, .identifier),
    LegacyField(.auto_renew_status_change_date, .greenwich),
    LegacyField(.auto_renew_status_change_date_ms, .milliseconds),
    LegacyField(.auto_renew_status_change_date_pst, .pacific),
    LegacyField(.expiration_intent, .eitherNumber),
    LegacyField(.unified_receipt, .object),
    LegacyField(.bid, .text),
    LegacyField(.bvrs, .text),
    LegacyField(.original_transaction_id, .eitherIdentifier),
    LegacyField(.deprecation, .text),
    LegacyField(.cancellation_date, .greenwich),
    LegacyField(.cancellation_date_ms, .milliseconds),
    LegacyField(.cancellation_date_pst, .pacific),
    LegacyField(.web_order_line_item_id, .identifier),
    LegacyField(.latest_receipt, .text),
    LegacyField(.latest_receipt_info, .objects),
    LegacyField(.latest_expired_receipt, .text),
    LegacyField(.latest_expired_receipt_info, .objects),
    LegacyField(.pending_renewal_info, .objects),
  ]

  private static let unifiedReceiptFields: [LegacyField] = [
    LegacyField(.status, .number),
    LegacyField(.environment, .text),
    LegacyField(.latest_receipt_info, .objects),
    LegacyField(.latest_receipt, .text),
    LegacyField(.pending_renewal_info, .objects),
  ]

  private static let transactionFields: [LegacyField] = [
    LegacyField(.quantity, .integer),
    LegacyField(.product_id, .text),
    LegacyField(.transaction_id, .identifier),
    LegacyField(.original_transaction_id, .identifier),
    LegacyField(.purchase_date, .greenwich),
    LegacyField(.purchase_date_ms, .milliseconds),
    LegacyField(.purchase_date_pst, .pacific),
    LegacyField(.original_purchase_date, .greenwich),
    LegacyField(.original_purchase_date_ms, .milliseconds),
    LegacyField(.original_purchase_date_pst, .pacific),
    LegacyField(.expires_date, .millisecondsOrGreenwich),
    LegacyField(.expires_date_ms, .milliseconds),
    LegacyField(.expires_date_pst, .pacific),
    LegacyField(.expires_date_formatted, .greenwich),
    LegacyField(.expires_date_formatted_pst, .pacific),
    LegacyField(.web_order_line_item_id, .identifier),
    LegacyField(.is_trial_period, .flagWord),
    LegacyField(.is_in_intro_offer_period, .flagWord),
    LegacyField(.is_upgraded, .flagWord),
    LegacyField(.cancellation_date, .greenwich),
    LegacyField(.cancellation_date_ms, .milliseconds),
    LegacyField(.cancellation_date_pst, .pacific),
    LegacyField(.cancellation_reason, .integer),
    LegacyField(.promotional_offer_id, .text),
    LegacyField(.offer_code_ref_name, .text),
    LegacyField(.in_app_ownership_type, .text),
    LegacyField(.subscription_group_identifier, .identifier),
    LegacyField(.app_account_token, .uuid),
    LegacyField(.item_id, .identifier),
    LegacyField(.app_item_id, .identifier),
    LegacyField(.bid, .text),
    LegacyField(.bundle_id, .text),
    LegacyField(.bvrs, .text),
    LegacyField(.unique_identifier, .text),
    LegacyField(.unique_vendor_identifier, .text),
    LegacyField(.version_external_identifier, .identifier),
    LegacyField(.product_type, .integer),
  ]

  private static let renewalFields: [LegacyField] = [
    LegacyField(.auto_renew_product_id, .text),
    LegacyField(.auto_renew_status, .flagDigit),
    LegacyField(.expiration_intent, .integer),
    LegacyField(.grace_period_expires_date, .greenwich),
    LegacyField(.grace_period_expires_date_ms, .milliseconds),
    LegacyField(.grace_period_expires_date_pst, .pacific),
    LegacyField(.is_in_billing_retry_period, .flagDigit),
    LegacyField(.offer_code_ref_name, .text),
    LegacyField(.original_transaction_id, .identifier),
    LegacyField(.price_consent_status, .flagDigit),
    LegacyField(.price_increase_status, .flagDigit),
    LegacyField(.product_id, .text),
    LegacyField(.promotional_offer_id, .text),
  ]

  private static let verifyReceiptFields: [LegacyField] = [
    LegacyField(.status, .number),
    LegacyField(.environment, .text),
    LegacyField(.is_retryable, .boolean),
    LegacyField(.hyphenated_is_retryable, .boolean),
    LegacyField(.exception, .text),
    LegacyField(.receipt, .object),
    LegacyField(.latest_receipt, .text),
    LegacyField(.latest_receipt_info, .objects),
    LegacyField(.latest_expired_receipt, .text),
    LegacyField(.latest_expired_receipt_info, .objects),
    LegacyField(.pending_renewal_info, .objects),
    LegacyField(.auto_renew_status, .number),
    LegacyField(.auto_renew_product_id, .text),
    LegacyField(.expiration_intent, .integer),
    LegacyField(.is_in_billing_retry_period, .flagDigit),
    LegacyField(.cancellation_reason, .integer),
    LegacyField(.sandbox, .boolean),
    LegacyField(.service, .text),
    LegacyField(.itunes_env, .text),
    LegacyField(.status_info, .text),
    LegacyField(.password, .secret),
  ]

  private static let receiptFields: [LegacyField] = [
    LegacyField(.receipt_type, .text),
    LegacyField(.adam_id, .number),
    LegacyField(.app_item_id, .number),
    LegacyField(.bundle_id, .text),
    LegacyField(.application_version, .text),
    LegacyField(.download_id, .number),
    LegacyField(.version_external_identifier, .number),
    LegacyField(.receipt_creation_date, .greenwich),
    LegacyField(.receipt_creation_date_ms, .milliseconds),
    LegacyField(.receipt_creation_date_pst, .pacific),
    LegacyField(.request_date, .greenwich),
    LegacyField(.request_date_ms, .milliseconds),
    LegacyField(.request_date_pst, .pacific),
    LegacyField(.original_purchase_date, .greenwich),
    LegacyField(.original_purchase_date_ms, .milliseconds),
    LegacyField(.original_purchase_date_pst, .pacific),
    LegacyField(.original_application_version, .text),
    LegacyField(.preorder_date, .greenwich),
    LegacyField(.preorder_date_ms, .milliseconds),
    LegacyField(.preorder_date_pst, .pacific),
    LegacyField(.expiration_date, .greenwich),
    LegacyField(.expiration_date_ms, .milliseconds),
    LegacyField(.expiration_date_pst, .pacific),
    LegacyField(.in_app, .objects),
  ]
}
