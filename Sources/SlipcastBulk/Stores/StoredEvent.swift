/// A notification from a store, for processing whole subscriptions.
public struct StoredEvent: Sendable {
  /// Its place in the store; places ascend in the order of conversion.
  public var place: Int64
  /// The subscription or purchase that it belongs to; `nil` when V1 does not state it.
  public var originalTransactionId: String?
  /// V1's type of the event.
  public var notification_type: String?
  /// When the event happened, according to V1; milliseconds since 1970 UTC.
  public var eventTime: Int64?
  /// When the record was received; milliseconds since 1970 UTC.
  public var receivedAt: Int64?
  /// The decoded V2 notification, `migration` included.
  public var body: [UInt8]
  /// The environment; with the app, an id of a subscription is unique in it.
  public var environment: String?
  /// The app.
  public var bundleId: String?

  /// Describes one.
  public init(
    place: Int64, originalTransactionId: String?, notification_type: String?, eventTime: Int64?, receivedAt: Int64?,
    body: [UInt8], environment: String? = nil, bundleId: String? = nil
  ) {
    self.place = place
    self.originalTransactionId = originalTransactionId
    self.notification_type = notification_type
    self.eventTime = eventTime
    self.receivedAt = receivedAt
    self.body = body
    self.environment = environment
    self.bundleId = bundleId
  }

  /// What distinguishes subscriptions: ids are unique only in one environment of one app.
  package struct Subscription: Hashable, Sendable {
    package var originalTransactionId: String
    package var environment: String?
    package var bundleId: String?

    package init(originalTransactionId: String, environment: String? = nil, bundleId: String? = nil) {
      (self.originalTransactionId, self.environment, self.bundleId) = (originalTransactionId, environment, bundleId)
    }
  }

  /// The subscription or purchase that it belongs to; `nil` for an event that belongs to none.
  package var subscription: Subscription? {
    originalTransactionId.map {
      Subscription(originalTransactionId: $0, environment: environment, bundleId: bundleId)
    }
  }
}
