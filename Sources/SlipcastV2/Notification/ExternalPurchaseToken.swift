public import SlipcastWire

/// A token of the External Purchase API.
///
/// Source: App Store Server Notifications, externalPurchaseToken.
public struct ExternalPurchaseToken: FieldModel {
  /// The id of the token; starts with `SANDBOX` in Sandbox.
  public var externalPurchaseId: String?
  /// When the token was made.
  public var tokenCreationDate: Timestamp?
  /// The app's id in the App Store.
  public var appAppleId: Int64?
  /// The app's bundle id.
  public var bundleId: String?
  /// What the token is for; custom link tokens only.
  public var tokenType: Open<TokenType>?
  /// When the token expires; custom link tokens only.
  public var tokenExpirationDate: Timestamp?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, externalPurchaseToken"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("externalPurchaseId", \.externalPurchaseId),
    .milliseconds("tokenCreationDate", \.tokenCreationDate),
    .integer64("appAppleId", \.appAppleId),
    .text("bundleId", \.bundleId),
    .word("tokenType", \.tokenType),
    .milliseconds("tokenExpirationDate", \.tokenExpirationDate),
  ]
}
