public import SlipcastWire

/// The response of Get Refund History.
///
/// Source: App Store Server API, RefundHistoryResponse.
public struct RefundHistoryResponse: FieldModel {
  /// The refunded transactions as JWS.
  public var signedTransactions: [String]?
  /// The token of the next page.
  public var revision: String?
  /// Whether another page follows.
  public var hasMore: Bool?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, RefundHistoryResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .texts("signedTransactions", \.signedTransactions).decoded("transactions", JWSTransactionDecodedPayload.self),
    .text("revision", \.revision),
    .boolean("hasMore", \.hasMore),
  ]
}
