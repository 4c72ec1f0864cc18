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

  /// Apple's document of the object.
  public static let document = "App Store Server API, lastTransactionsItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .code("status", \.status),
    .text("originalTransactionId", \.originalTransactionId),
    .object("transactionInfo", \.transactionInfo, in: "Slipcast: signedTransactionInfo, decoded"),
    .object("renewalInfo", \.renewalInfo, in: "Slipcast: signedRenewalInfo, decoded"),
    .text("signedTransactionInfo", \.signedTransactionInfo)
      .decoded("transactionInfo", JWSTransactionDecodedPayload.self),
    .text("signedRenewalInfo", \.signedRenewalInfo)
      .decoded("renewalInfo", JWSRenewalInfoDecodedPayload.self),
  ]
}
