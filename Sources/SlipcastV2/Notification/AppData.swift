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

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, appData"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("environment", \.environment),
    .integer64("appAppleId", \.appAppleId),
    .text("bundleId", \.bundleId),
    .text("signedAppTransactionInfo", \.signedAppTransactionInfo)
      .decoded("appTransactionInfo", AppTransaction.self),
  ]
}
