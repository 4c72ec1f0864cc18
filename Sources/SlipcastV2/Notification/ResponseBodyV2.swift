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

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, responseBodyV2"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("signedPayload", \.signedPayload).decoded("payload", ResponseBodyV2DecodedPayload.self)
  ]
}
