public import SlipcastWire

/// The response of Get All Subscription Statuses.
///
/// Source: App Store Server API, StatusResponse.
public struct StatusResponse: FieldModel {
  /// The environment of the subscriptions.
  public var environment: Open<Environment>?
  /// The app's bundle id.
  public var bundleId: String?
  /// The app's id in the App Store.
  public var appAppleId: Int64?
  /// One item for each subscription group.
  public var data: [SubscriptionGroupIdentifierItem]?
  /// How Slipcast made this response from a legacy one; Apple never sends it.
  public var migration: Migration?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, StatusResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", \.environment),
    .text("bundleId", \.bundleId),
    .integer64("appAppleId", \.appAppleId),
    .objects("data", \.data),
    .object("migration", \.migration, in: "Slipcast: migration").withoutColumn,
  ]
}

/// The subscriptions of one subscription group.
///
/// Source: App Store Server API, SubscriptionGroupIdentifierItem.
public struct SubscriptionGroupIdentifierItem: FieldModel {
  /// The subscription group.
  public var subscriptionGroupIdentifier: String?
  /// The latest transaction of each subscription in the group.
  public var lastTransactions: [LastTransactionsItem]?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, SubscriptionGroupIdentifierItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("subscriptionGroupIdentifier", \.subscriptionGroupIdentifier),
    .objects("lastTransactions", \.lastTransactions),
  ]
}
