public import SlipcastWire

/// A question of the App Store: which retention message to show now.
///
/// Slipcast reads and writes its JSON, and neither verifies nor signs it.
///
/// Source: Retention Messaging API, DecodedRealtimeRequestBody.
public struct DecodedRealtimeRequestBody: FieldModel {
  /// The first transaction of the subscription.
  public var originalTransactionId: String?
  /// The app's id in the App Store.
  public var appAppleId: Int64?
  /// The product.
  public var productId: String?
  /// The customer's language and region.
  public var userLocale: String?
  /// Names the request.
  public var requestIdentifier: String?
  /// When the App Store signed the request.
  public var signedDate: Timestamp?
  /// The environment that signed the request.
  public var environment: Open<Environment>?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "Retention Messaging API, DecodedRealtimeRequestBody"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("originalTransactionId", \.originalTransactionId),
    .integer64("appAppleId", \.appAppleId),
    .text("productId", \.productId),
    .text("userLocale", \.userLocale),
    .uuid("requestIdentifier", \.requestIdentifier),
    .milliseconds("signedDate", \.signedDate),
    .word("environment", \.environment),
  ]
}
