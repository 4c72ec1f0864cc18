public import SlipcastWire

/// The header of a signed payload.
///
/// Source: App Store Server Notifications, JWSDecodedHeader.
public struct JWSDecodedHeader: FieldModel {
  /// The signature algorithm, `ES256`.
  public var alg: String?
  /// The certificates in base64: leaf, intermediate, root.
  public var x5c: [String]?
  /// Names the key; written by StoreKit testing in Xcode.
  public var kid: String?
  /// The media type, `JWT`; written by StoreKit testing in Xcode.
  public var typ: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, JWSDecodedHeader"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("alg", \.alg),
    .texts("x5c", \.x5c),
    .text("kid", \.kid, in: "RFC 7515, section 4.1.4"),
    .text("typ", \.typ, in: "RFC 7515, section 4.1.9"),
  ]
}
