public import SlipcastWire

/// The result of extending the renewal date of all subscribers.
///
/// Source: App Store Server Notifications, summary.
public struct Summary: FieldModel {
  /// The environment that signed the notification.
  public var environment: Open<Environment>?
  /// The app's id in the App Store; absent in Sandbox.
  public var appAppleId: Int64?
  /// The app's bundle id.
  public var bundleId: String?
  /// The product whose subscribers were extended.
  public var productId: String?
  /// Names the request, as its sender chose.
  public var requestIdentifier: String?
  /// The storefronts of the request, ISO 3166-1 alpha-3; absent means all.
  public var storefrontCountryCodes: [String]?
  /// How many subscriptions were extended.
  public var succeededCount: Int64?
  /// How many subscriptions could not be extended.
  public var failedCount: Int64?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, summary"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", \.environment),
    .integer64("appAppleId", \.appAppleId),
    .text("bundleId", \.bundleId),
    .text("productId", \.productId),
    .text("requestIdentifier", \.requestIdentifier),
    .texts("storefrontCountryCodes", \.storefrontCountryCodes),
    .integer64("succeededCount", \.succeededCount),
    .integer64("failedCount", \.failedCount),
  ]
}
