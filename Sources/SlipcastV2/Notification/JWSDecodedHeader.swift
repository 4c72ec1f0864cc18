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

  /// Apple's name of the object.
  public static let modelName = "JWSDecodedHeader"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("alg", in: page, { $0.alg }, { $0.alg = $1 }),
    .texts("x5c", in: page, { $0.x5c }, { $0.x5c = $1 }),
    .text("kid", in: "RFC 7515, section 4.1.4", { $0.kid }, { $0.kid = $1 }),
    .text("typ", in: "RFC 7515, section 4.1.9", { $0.typ }, { $0.typ = $1 }),
  ]

  private static let page = "App Store Server Notifications, JWSDecodedHeader"
}
