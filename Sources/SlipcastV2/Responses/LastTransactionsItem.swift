public import SlipcastWire

/// The latest transaction of one subscription, with its status.
///
/// Source: App Store Server API, lastTransactionsItem.
public struct LastTransactionsItem: FieldModel {
  /// The subscription's state.
  public var status: Open<Status>?
  /// The first transaction of the subscription.
  public var originalTransactionId: String?
  /// The transaction in plain JSON, for output that is not signed; Apple sends `signedTransactionInfo`.
  public var transactionInfo: JWSTransactionDecodedPayload?
  /// The renewal information in plain JSON, for output that is not signed; Apple sends `signedRenewalInfo`.
  public var renewalInfo: JWSRenewalInfoDecodedPayload?
  /// The transaction as a JWS.
  public var signedTransactionInfo: String?
  /// The renewal information as a JWS.
  public var signedRenewalInfo: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "lastTransactionsItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .code("status", in: page, of: "status", { $0.status }, { $0.status = $1 }),
    .text("originalTransactionId", in: page, { $0.originalTransactionId }, { $0.originalTransactionId = $1 }),
    .object(
      "transactionInfo", in: "Slipcast: signedTransactionInfo, decoded", { $0.transactionInfo },
      { $0.transactionInfo = $1 }
    ),
    .object("renewalInfo", in: "Slipcast: signedRenewalInfo, decoded", { $0.renewalInfo }, { $0.renewalInfo = $1 }),
    .text("signedTransactionInfo", in: page, { $0.signedTransactionInfo }, { $0.signedTransactionInfo = $1 }),
    .text("signedRenewalInfo", in: page, { $0.signedRenewalInfo }, { $0.signedRenewalInfo = $1 }),
  ]

  private static let page = "App Store Server API, lastTransactionsItem"
}
