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

  /// Apple's name of the object.
  public static let modelName = "externalPurchaseToken"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("externalPurchaseId", in: page, { $0.externalPurchaseId }, { $0.externalPurchaseId = $1 }),
    .milliseconds("tokenCreationDate", in: page, { $0.tokenCreationDate }, { $0.tokenCreationDate = $1 }),
    .integer64("appAppleId", in: page, { $0.appAppleId }, { $0.appAppleId = $1 }),
    .text("bundleId", in: page, { $0.bundleId }, { $0.bundleId = $1 }),
    .word("tokenType", in: page, of: "tokenType", { $0.tokenType }, { $0.tokenType = $1 }),
    .milliseconds("tokenExpirationDate", in: page, { $0.tokenExpirationDate }, { $0.tokenExpirationDate = $1 }),
  ]

  private static let page = "App Store Server Notifications, externalPurchaseToken"
}
