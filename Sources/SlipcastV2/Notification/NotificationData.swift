public import SlipcastWire

/// The app and the purchase that a notification is about.
///
/// Source: App Store Server Notifications, data.
public struct NotificationData: FieldModel {
  /// The app's id in the App Store; absent in Sandbox.
  public var appAppleId: Int64?
  /// The app's bundle id.
  public var bundleId: String?
  /// The version of the build, `CFBundleVersion`.
  public var bundleVersion: String?
  /// The environment that signed the notification.
  public var environment: Open<Environment>?
  /// The subscription's state when the notification was signed.
  public var status: Open<Status>?
  /// The transaction in plain JSON, for output that is not signed; Apple sends `signedTransactionInfo`.
  public var transactionInfo: JWSTransactionDecodedPayload?
  /// The renewal information in plain JSON, for output that is not signed; Apple sends `signedRenewalInfo`.
  public var renewalInfo: JWSRenewalInfoDecodedPayload?
  /// The transaction as a JWS.
  public var signedTransactionInfo: String?
  /// The renewal information as a JWS; subscriptions only.
  public var signedRenewalInfo: String?
  /// The customer's reason for a refund; with `CONSUMPTION_REQUEST` only.
  public var consumptionRequestReason: Open<ConsumptionRequestReason>?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, data"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .integer64("appAppleId", \.appAppleId),
    .text("bundleId", \.bundleId),
    .text("bundleVersion", \.bundleVersion),
    .word("environment", \.environment),
    .code("status", \.status),
    .object("transactionInfo", \.transactionInfo, in: "Slipcast: signedTransactionInfo, decoded"),
    .object("renewalInfo", \.renewalInfo, in: "Slipcast: signedRenewalInfo, decoded"),
    .text("signedTransactionInfo", \.signedTransactionInfo)
      .decoded("transactionInfo", JWSTransactionDecodedPayload.self),
    .text("signedRenewalInfo", \.signedRenewalInfo)
      .decoded("renewalInfo", JWSRenewalInfoDecodedPayload.self),
    .word("consumptionRequestReason", \.consumptionRequestReason),
  ]
}
