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

  /// Apple's name of the object.
  public static let modelName = "data"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .text("bundleVersion", in: page, { $0.bundleVersion }, { $0.bundleVersion = $1 }),
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
    .code("status", in: page, of: "status", { $0.status }, { $0.status = $1 }),
    .object(
      "transactionInfo", in: "Slipcast: signedTransactionInfo, decoded", { $0.transactionInfo },
      { $0.transactionInfo = $1 }
    ),
    .object("renewalInfo", in: "Slipcast: signedRenewalInfo, decoded", { $0.renewalInfo }, { $0.renewalInfo = $1 }),
    .text("signedTransactionInfo", in: page, { $0.signedTransactionInfo }, { $0.signedTransactionInfo = $1 }),
    .text("signedRenewalInfo", in: page, { $0.signedRenewalInfo }, { $0.signedRenewalInfo = $1 }),
    .word(
      "consumptionRequestReason", in: page, of: "consumptionRequestReason", { $0.consumptionRequestReason },
      { $0.consumptionRequestReason = $1 }),
  ]

  private static let page = "App Store Server Notifications, data"
}
