internal import SlipcastWire

/// The kind of a JSON record, according to its members.
enum RecordKind: String {
  /// A version 1 notification.
  case notificationV1
  /// An answer of verifyReceipt.
  case verifyReceipt
  /// A decoded version 2 notification.
  case notification
  /// A decoded transaction.
  case transaction
  /// A decoded renewal info.
  case renewalInfo
  /// A decoded app transaction.
  case appTransaction
  /// An answer with a purchase history.
  case history
  /// An answer with the statuses of subscriptions.
  case statuses
  /// Another response of the App Store Server API that contains signed values.
  case answer

  var isLegacy: Bool { self == .notificationV1 || self == .verifyReceipt }

  /// `nil` for an object in none of Apple's formats.
  init?(_ root: JSONElement) {
    guard root.kind == .object else { return nil }
    let names = Set(root.children.map(\.name))
    func has(_ wanted: String...) -> Bool { !names.isDisjoint(with: wanted) }
    if has("notification_type") {
      self = .notificationV1
    } else if has("receipt", "latest_receipt_info", "latest_expired_receipt_info") || has("status") && names.count < 8 {
      self = has("data") ? .statuses : .verifyReceipt
    } else if has("notificationType", "notificationUUID") {
      self = .notification
    } else if has("signedTransactions", "transactions") {
      self = .history
    } else if root["data"]?.kind == .array {
      self = .statuses
    } else if has(
      "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "notificationHistory", "transactionInfo"
    ) {
      self = .answer
    } else if has("receiptType") {
      self = .appTransaction
    } else if has("autoRenewProductId", "autoRenewStatus") {
      self = .renewalInfo
    } else if has("transactionId") {
      self = .transaction
    } else {
      return nil
    }
  }
}
