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

  /// Apple's name of the object.
  public static let modelName = "summary"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .text("productId", in: page, { $0.productId }, { $0.productId = $1 }),
    .text("requestIdentifier", in: page, { $0.requestIdentifier }, { $0.requestIdentifier = $1 }),
    .texts("storefrontCountryCodes", in: page, { $0.storefrontCountryCodes }, { $0.storefrontCountryCodes = $1 }),
    .integer64("succeededCount", in: page, { $0.succeededCount }, { $0.succeededCount = $1 }),
    .integer64("failedCount", in: page, { $0.failedCount }, { $0.failedCount = $1 }),
  ]

  private static let page = "App Store Server Notifications, summary"
}
