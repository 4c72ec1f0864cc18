public import SlipcastWire

/// One signed notification, as the App Store posts it to a server.
///
/// Source: App Store Server Notifications, responseBodyV2.
public struct ResponseBodyV2: FieldModel {
  /// The notification as a JWS; its payload is a `ResponseBodyV2DecodedPayload`.
  public var signedPayload: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "responseBodyV2"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("signedPayload", in: page, { $0.signedPayload }, { $0.signedPayload = $1 })
  ]

  private static let page = "App Store Server Notifications, responseBodyV2"
}
