@_spi(Slipcast) package import SlipcastWire

/// The form of a version 2 record, recognized by the members of its object.
///
/// All code that reads V2 records recognizes them here, and then decides which forms it accepts.
package enum V2Form: Int, Sendable {
  // In the order of their precedence, where the members of an object speak for several.
  /// An object around a signed notification.
  case signedPayload
  /// A version 1 record.
  case legacy
  /// A decoded notification.
  case notification
  /// An answer with the notifications that were sent.
  case notificationHistory
  /// An answer with transactions, signed or decoded.
  case history
  /// An answer with the statuses of subscriptions.
  case statuses
  /// A transaction and a renewal info, signed or decoded, as members of an object, such as an item of an answer.
  case parts
  /// A decoded app transaction.
  case appTransaction
  /// A decoded renewal info.
  case renewalInfo
  /// A decoded transaction.
  case transaction

  /// `nil` for an object of no known form, and for what is not an object.
  package init?(_ tape: JSONTape, _ root: Int) {
    guard tape[root].kind == .object else { return nil }
    let first = tape.children(of: root).lazy.compactMap { Self.form(tape, $0)?.rawValue }.min()
    guard let form = first.flatMap(V2Form.init(rawValue:)) else { return nil }
    self = form
  }

  /// `nil` for an object of no known form, and for what is not an object.
  package init?(_ record: JSONElement) { self.init(record.tape, record.index) }

  /// What one member speaks for.
  private static func form(_ tape: JSONTape, _ member: Int) -> V2Form? {
    let (key, kind) = (tape.key(member), tape[member].kind)
    if key == "data" { return kind == .object ? .notification : kind == .array ? .statuses : nil }
    // Null counts as absent; only what should be signed has to be.
    for (name, form) in names where key == name { return kind == .null && form != .signedPayload ? nil : form }
    return nil
  }

  private static let names: [(StaticString, V2Form)] = [
    ("signedPayload", .signedPayload),
    ("notification_type", .legacy), ("unified_receipt", .legacy), ("latest_receipt_info", .legacy),
    ("latest_expired_receipt_info", .legacy), ("receipt", .legacy), ("receipt-data", .legacy), ("in_app", .legacy),
    ("notificationType", .notification), ("notificationUUID", .notification), ("summary", .notification),
    ("externalPurchaseToken", .notification), ("appData", .notification), ("unclaimInfo", .notification),
    ("notificationHistory", .notificationHistory),
    ("signedTransactions", .history), ("transactions", .history), ("hasMore", .history),
    ("signedTransactionInfo", .parts), ("signedRenewalInfo", .parts), ("signedAppTransactionInfo", .parts),
    ("transactionInfo", .parts), ("renewalInfo", .parts), ("appTransactionInfo", .parts),
    ("receiptType", .appTransaction), ("receiptCreationDate", .appTransaction),
    ("originalApplicationVersion", .appTransaction),
    ("autoRenewProductId", .renewalInfo), ("autoRenewStatus", .renewalInfo),
    ("transactionId", .transaction), ("purchaseDate", .transaction),
  ]
}
