/// A notification as a store hands it out, for work on whole subscriptions.
public struct StoredEvent: Sendable {
  /// Its place in the store; places ascend in the order of conversion.
  public var place: Int64
  /// The subscription, or the purchase, that it is about; `nil` when V1 does not say.
  public var originalTransactionId: String?
  /// V1's type of the event.
  public var notification_type: String?
  /// When the event happened, as V1 tells it; milliseconds since 1970 UTC.
  public var eventTime: Int64?
  /// When the record was received; milliseconds since 1970 UTC.
  public var receivedAt: Int64?
  /// The decoded V2 notification, `migration` included.
  public var body: [UInt8]

  /// Describes one.
  public init(
    place: Int64, originalTransactionId: String?, notification_type: String?, eventTime: Int64?, receivedAt: Int64?,
    body: [UInt8]
  ) {
    self.place = place
    self.originalTransactionId = originalTransactionId
    self.notification_type = notification_type
    self.eventTime = eventTime
    self.receivedAt = receivedAt
    self.body = body
  }
}
