public import SlipcastWire

/// The response of Look Up Order ID.
///
/// Source: App Store Server API, OrderLookupResponse.
public struct OrderLookupResponse: FieldModel {
  /// Whether the order is known.
  public var status: Open<OrderLookupStatus>?
  /// The transactions of the order as JWS.
  public var signedTransactions: [String]?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, OrderLookupResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .code("status", \.status),
    .texts("signedTransactions", \.signedTransactions).decoded("transactions", JWSTransactionDecodedPayload.self),
  ]
}
