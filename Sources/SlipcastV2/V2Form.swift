@_spi(Slipcast) package import SlipcastWire

/// The form of a version 2 record, recognized by the members of its object.
///
/// All code that reads V2 records recognizes them here, and then decides which forms it accepts.
package enum V2Form: Sendable {
  /// An object around a signed notification.
  case signedPayload
  /// A decoded notification.
  case notification
  /// An answer with transactions, signed or decoded.
  case history
  /// An answer with the statuses of subscriptions.
  case statuses
  /// A transaction and a renewal info, signed or decoded, as members of an object, such as an item of an answer.
  case parts
  /// A decoded transaction.
  case transaction
  /// A decoded renewal info.
  case renewalInfo
  /// A decoded app transaction.
  case appTransaction
  /// An answer with the notifications that were sent.
  case notificationHistory
  /// A version 1 record.
  case legacy

  /// `nil` for an object of no known form, and for what is not an object.
  package init?(_ tape: JSONTape, _ root: Int) {
    guard tape[root].kind == .object else { return nil }
    var marks: Marks = []
    for child in tape.children(of: root) { marks.formUnion(Marks.of(tape, child)) }
    // What stands first decides.
    for (mark, form) in Self.order where !marks.isDisjoint(with: mark) {
      self = form
      return
    }
    return nil
  }

  /// `nil` for an object of no known form, and for what is not an object.
  package init?(_ record: JSONElement) { self.init(record.tape, record.index) }

  private static let order: [(Marks, V2Form)] = [
    (.signedPayload, .signedPayload), (.legacy, .legacy), (.notification, .notification),
    (.notificationHistory, .notificationHistory), (.history, .history), (.statuses, .statuses), (.parts, .parts),
    (.appTransaction, .appTransaction), (.renewalInfo, .renewalInfo),
    (.transaction, .transaction),
  ]

  /// What the members of an object speak for.
  private struct Marks: OptionSet {
    let rawValue: UInt16

    static let signedPayload = Marks(rawValue: 1)
    static let legacy = Marks(rawValue: 2)
    static let notification = Marks(rawValue: 4)
    static let history = Marks(rawValue: 8)
    static let statuses = Marks(rawValue: 16)
    static let parts = Marks(rawValue: 32)
    static let appTransaction = Marks(rawValue: 64)
    static let renewalInfo = Marks(rawValue: 128)
    static let transaction = Marks(rawValue: 256)
    static let notificationHistory = Marks(rawValue: 512)

    init(rawValue: UInt16) { self.rawValue = rawValue }

    /// What one member speaks for.
    static func of(_ tape: JSONTape, _ member: Int) -> Marks {
      let (key, kind) = (tape.key(member), tape[member].kind)
      if key == "data" { return kind == .object ? .notification : kind == .array ? .statuses : [] }
      // Null counts as absent; only what should be signed has to be.
      for (name, mark) in names where key == name { return kind == .null && mark != .signedPayload ? [] : mark }
      return []
    }

    private static let names: [(StaticString, Marks)] = [
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
}
