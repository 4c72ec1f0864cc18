public import SlipcastWire

/// The response of Get Transaction Info.
///
/// Source: App Store Server API, TransactionInfoResponse.
public struct TransactionInfoResponse: FieldModel {
  /// The transaction as a JWS.
  public var signedTransactionInfo: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, TransactionInfoResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("signedTransactionInfo", \.signedTransactionInfo)
      .decoded("transactionInfo", JWSTransactionDecodedPayload.self)
  ]
}
