internal import SlipcastWire

/// The form of a decoded V2 record, for signing.
enum SignableForm {
  case notification
  case history
  case statuses
  /// An object around a decoded transaction and renewal info, such as an item of `lastTransactions`.
  case parts
  case transaction
  case renewalInfo
  case appTransaction

  /// Recognizes a record by its members.
  ///
  /// - Throws: `SigningError` for a record that is already signed, legacy, or unknown.
  init(_ record: JSONElement) throws(SigningError) {
    guard record.kind == .object else {
      throw SigningError(.unknownForm(found: "a JSON value of the kind \(record.kind)"), at: record)
    }
    let members = record.children.filter { $0.kind != .null }
    let names = Set(members.map(\.name))
    if let signed = members.first(where: { Self.signed.contains($0.name) }) {
      throw SigningError(.alreadySigned, at: signed)
    }
    if !names.isDisjoint(with: Self.legacy) { throw SigningError(.legacy, at: record) }
    let data = members.last { $0.name == "data" }?.kind
    if !names.isDisjoint(with: Self.notificationNames) || data == .object {
      self = .notification
    } else if !names.isDisjoint(with: ["transactions", "hasMore"]) {
      self = .history
    } else if data == .array {
      self = .statuses
    } else if !names.isDisjoint(with: ["transactionInfo", "renewalInfo", "appTransactionInfo"]) {
      self = .parts
    } else if !names.isDisjoint(with: ["receiptType", "receiptCreationDate", "originalApplicationVersion"]) {
      self = .appTransaction
    } else if !names.isDisjoint(with: ["autoRenewProductId", "autoRenewStatus"]) {
      self = .renewalInfo
    } else if !names.isDisjoint(with: ["transactionId", "purchaseDate"]) {
      self = .transaction
    } else {
      throw SigningError(.unknownForm(found: members.isEmpty ? "an empty object" : "another object"), at: record)
    }
  }

  /// Members that contain signed values.
  static let signed: Set<String> = [
    "signedPayload", "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo",
    "notificationHistory",
  ]
  private static let legacy: Set<String> = [
    "notification_type", "unified_receipt", "latest_receipt_info", "receipt", "receipt-data", "in_app",
  ]
  private static let notificationNames: Set<String> = [
    "notificationType", "notificationUUID", "summary", "externalPurchaseToken", "appData", "unclaimInfo",
  ]
}
