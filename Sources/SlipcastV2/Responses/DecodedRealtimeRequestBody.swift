public import SlipcastWire

/// A question of the App Store: which retention message to show now.
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

  /// Apple's name of the object.
  public static let modelName = "DecodedRealtimeRequestBody"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("originalTransactionId", in: page, { $0.originalTransactionId }, { $0.originalTransactionId = $1 }),
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("productId", in: page, { $0.productId }, { $0.productId = $1 }),
    .text("userLocale", in: page, { $0.userLocale }, { $0.userLocale = $1 }),
    .uuid("requestIdentifier", in: page, { $0.requestIdentifier }, { $0.requestIdentifier = $1 }),
    .milliseconds("signedDate", in: page, { $0.signedDate }, { $0.signedDate = $1 }),
    .word("environment", in: page, of: "environment", { $0.environment }, { $0.environment = $1 }),
  ]

  private static let page = "Retention Messaging API, DecodedRealtimeRequestBody"
}
