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
  /// How Slipcast made this app transaction from a receipt; Apple never sends it.
  public var migration: Migration?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, JWSAppTransactionDecodedPayload"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("receiptType", \.receiptType).column("environment"),
    .integer64("appAppleId", \.appAppleId),
    .integer64("versionExternalIdentifier", \.versionExternalIdentifier),
    .text("bundleId", \.bundleId),
    .text("applicationVersion", \.applicationVersion),
    .text("originalApplicationVersion", \.originalApplicationVersion),
    .text("deviceVerification", \.deviceVerification),
    .uuid("deviceVerificationNonce", \.deviceVerificationNonce),
    .milliseconds("receiptCreationDate", \.receiptCreationDate),
    .milliseconds("originalPurchaseDate", \.originalPurchaseDate).column("appOriginalPurchaseDate"),
    .milliseconds("preorderDate", \.preorderDate),
    .text("appTransactionId", \.appTransactionId),
    .word("originalPlatform", \.originalPlatform, of: "originalPlatform"),
    .milliseconds("requestDate", \.requestDate, in: "observed in app transactions signed by Xcode"),
    .object("migration", \.migration, in: "Slipcast: migration").withoutColumn,
  ]
}
