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

  /// Apple's name of the object.
  public static let modelName = "StatusResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .objects("data", in: page, { $0.data }, { $0.data = $1 }),
    .object("migration", in: "Slipcast: migration", { $0.migration }, { $0.migration = $1 }),
  ]

  private static let page = "App Store Server API, StatusResponse"
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

  /// Apple's name of the object.
  public static let modelName = "SubscriptionGroupIdentifierItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text(
      "subscriptionGroupIdentifier", in: page, { $0.subscriptionGroupIdentifier },
      { $0.subscriptionGroupIdentifier = $1 }),
    .objects("lastTransactions", in: page, { $0.lastTransactions }, { $0.lastTransactions = $1 }),
  ]

  private static let page = "App Store Server API, SubscriptionGroupIdentifierItem"
}
