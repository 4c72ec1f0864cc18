package import SlipcastMapping
internal import SlipcastWire

/// What an event is recognised by.
package struct EventKeys: Sendable {
  /// `nil` where the record does not state it.
  package var webOrderLineItemId: String?
  package var transactionId: String?
  package var originalTransactionId: String?
  package var productId: String?
  package var autoRenewProductId: String?
  /// Milliseconds since 1970 UTC.
  package var purchaseDate: Int64?
  package var expiresDate: Int64?
  package var revocationDate: Int64?
  package var isUpgraded = false
  package var inAppOwnershipType: String?
  package var environment: String?
  /// 1 or 0.
  package var autoRenewStatus: Int64?
  /// V2's type and subtype: as the server says, or as the rules read the message.
  package var event: EventName

  /// Reads them from an event.
  package init(_ side: EventSide, _ book: FieldBook) {
    event = EventName(notificationType: side.text(book.notificationType) ?? "", subtype: side.text(book.subtype))
    webOrderLineItemId = side.text(book.webOrderLineItemId)
    transactionId = side.text(book.transactionId)
    originalTransactionId = side.text(book.originalTransactionId) ?? side.text(book.renewalOriginalTransactionId)
    productId = side.text(book.productId)
    autoRenewProductId = side.text(book.autoRenewProductId)
    purchaseDate = side.integer(book.purchaseDate)
    expiresDate = side.integer(book.expiresDate)
    revocationDate = side.integer(book.revocationDate)
    isUpgraded = side[book.isUpgraded]?.integer == 1
    inAppOwnershipType = side.text(book.inAppOwnershipType)
    environment = side.text(book.environment)
    autoRenewStatus = side.integer(book.autoRenewStatus)
  }
}
