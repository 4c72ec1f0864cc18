public import SlipcastWire

/// The app and the app transaction that a notification is about.
///
/// Comes with `RESCIND_CONSENT`.
///
/// Source: App Store Server Notifications, appData.
public struct AppData: FieldModel {
  /// The environment that signed the notification.
  public var environment: Open<Environment>?
  /// The app's id in the App Store.
  public var appAppleId: Int64?
  /// The app's bundle id.
  public var bundleId: String?
  /// The app transaction as a JWS.
  public var signedAppTransactionInfo: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "appData"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .text("signedAppTransactionInfo", in: page, { $0.signedAppTransactionInfo }, { $0.signedAppTransactionInfo = $1 }),
  ]

  private static let page = "App Store Server Notifications, appData"
}
