public import SlipcastWire

/// A customer's download or purchase of the app itself.
///
/// Source: App Store Server API, JWSAppTransactionDecodedPayload.
public struct AppTransaction: FieldModel {
  /// The environment that signed the app transaction.
  public var receiptType: Open<Environment>?
  /// The app's id in the App Store.
  public var appAppleId: Int64?
  /// The app's version as the App Store numbers it.
  public var versionExternalIdentifier: Int64?
  /// The app's bundle id.
  public var bundleId: String?
  /// The version of the app in use.
  public var applicationVersion: String?
  /// The version of the app that the customer first got.
  public var originalApplicationVersion: String?
  /// A hash that ties the app transaction to the device, in base64.
  public var deviceVerification: String?
  /// The random part of `deviceVerification`.
  public var deviceVerificationNonce: String?
  /// When the App Store signed the app transaction.
  public var receiptCreationDate: Timestamp?
  /// When the customer first got the app.
  public var originalPurchaseDate: Timestamp?
  /// When the customer ordered the app before it was for sale.
  public var preorderDate: Timestamp?
  /// The app transaction.
  public var appTransactionId: String?
  /// The platform on which the customer first got the app.
  public var originalPlatform: Open<PurchasePlatform>?
  /// When Xcode answered the request; in no document of Apple's.
  public var requestDate: Timestamp?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "JWSAppTransactionDecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("receiptType", in: page, of: "environment", { $0.receiptType }, { $0.receiptType = $1 }),
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .integer64(
      "versionExternalIdentifier", in: page, { $0.versionExternalIdentifier }, { $0.versionExternalIdentifier = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .text("applicationVersion", in: page, { $0.applicationVersion }, { $0.applicationVersion = $1 }),
    .text(
      "originalApplicationVersion", in: page, { $0.originalApplicationVersion }, { $0.originalApplicationVersion = $1 }),
    .text("deviceVerification", in: page, { $0.deviceVerification }, { $0.deviceVerification = $1 }),
    .uuid("deviceVerificationNonce", in: page, { $0.deviceVerificationNonce }, { $0.deviceVerificationNonce = $1 }),
    .milliseconds("receiptCreationDate", in: page, { $0.receiptCreationDate }, { $0.receiptCreationDate = $1 }),
    .milliseconds("originalPurchaseDate", in: page, { $0.originalPurchaseDate }, { $0.originalPurchaseDate = $1 }),
    .milliseconds("preorderDate", in: page, { $0.preorderDate }, { $0.preorderDate = $1 }),
    .text("appTransactionId", in: page, { $0.appTransactionId }, { $0.appTransactionId = $1 }),
    .word("originalPlatform", in: page, of: "originalPlatform", { $0.originalPlatform }, { $0.originalPlatform = $1 }),
    .milliseconds(
      "requestDate", in: "observed in app transactions signed by Xcode", { $0.requestDate }, { $0.requestDate = $1 }),
  ]

  private static let page = "App Store Server API, JWSAppTransactionDecodedPayload"
}
