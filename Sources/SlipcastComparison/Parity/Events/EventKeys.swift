package import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// What an event is recognised by; texts as numbers that equal texts share.
package struct EventKeys: Sendable {
  /// `nil` where the record does not state it.
  package var webOrderLineItemId: UInt64?
  package var transactionId: UInt64?
  package var originalTransactionId: UInt64?
  package var productId: UInt64?
  package var autoRenewProductId: UInt64?
  package var environment: UInt64?
  /// Milliseconds since 1970 UTC.
  package var purchaseDate: Int64?
  package var expiresDate: Int64?
  package var revocationDate: Int64?
  package var isUpgraded = false
  package var isFamilyShared = false
  package var isConsumable = false
  package var isSandbox = false
  /// An organization or a group gave the purchase.
  package var isAssigned = false
  /// An organization or a group took the purchase back.
  package var isAssignmentRevoked = false
  /// Seats were added: several transactions stand for its period.
  package var isSeatAddition = false
  /// Its transaction continues the history of another original transaction.
  package var hasPreviousChain = false
  /// When the archive received it, or else when it happened.
  package var coveredTime: Int64?
  /// From the earliest to the latest time at which it may have happened or come.
  package var coveredTimes: ClosedRange<Int64>?
  /// 1 or 0.
  package var autoRenewStatus: Int64?
  package var priceIncreaseStatus: Int64?
  package var expirationIntent: Int64?
  /// V2's type and subtype: as the server says, or as the rules read the message.
  package var event: EventName
  /// A number that equal events share; less than 0 where it is not known.
  package var eventNumber: Int

  package init(_ side: RecordView) {
    (event, eventNumber) = (side.shape.event, side.shape.eventNumber)
    webOrderLineItemId = side.name(FieldNumber.webOrderLineItemId)
    transactionId = side.name(FieldNumber.transactionId)
    originalTransactionId = side.subscription
    productId = side.name(FieldNumber.productId)
    autoRenewProductId = side.name(FieldNumber.autoRenewProductId)
    purchaseDate = side.integer(FieldNumber.purchaseDate)
    expiresDate = side.integer(FieldNumber.expiresDate)
    revocationDate = side.integer(FieldNumber.revocationDate)
    isUpgraded = side[FieldNumber.isUpgraded]?.integer == 1
    let ownership = side[FieldNumber.inAppOwnershipType]
    isFamilyShared = ownership?.isWord(InAppOwnershipType.familyShared.rawValue) == true
    isAssigned = ownership?.isWord(InAppOwnershipType.assigned.rawValue) == true
    isAssignmentRevoked = side[FieldNumber.revocationType]?.isWord(RevocationType.assignmentRevoke.rawValue) == true
    isConsumable = side[FieldNumber.type]?.isWord(ProductType.consumable.rawValue) == true
    isSeatAddition = side[FieldNumber.additionalTransactionReason] != nil
    hasPreviousChain = side[FieldNumber.previousOriginalTransactionId] != nil
    isSandbox = side[FieldNumber.environment]?.isWord(Environment.sandbox.rawValue) == true
    environment = side.name(FieldNumber.environment)
    autoRenewStatus = side.integer(FieldNumber.autoRenewStatus)
    priceIncreaseStatus = side.integer(FieldNumber.priceIncreaseStatus)
    expirationIntent = side.integer(FieldNumber.expirationIntent)
    (coveredTime, coveredTimes) = (side.coveredTime, side.coveredTimes)
  }
}
