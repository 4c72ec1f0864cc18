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

  /// Apple's name of the object.
  public static let modelName = "RefundHistoryResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .texts("signedTransactions", in: page, { $0.signedTransactions }, { $0.signedTransactions = $1 }),
    .text("revision", in: page, { $0.revision }, { $0.revision = $1 }),
    .boolean("hasMore", in: page, { $0.hasMore }, { $0.hasMore = $1 }),
  ]

  private static let page = "App Store Server API, RefundHistoryResponse"
}
