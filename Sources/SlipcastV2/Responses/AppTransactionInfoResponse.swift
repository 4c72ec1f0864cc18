public import SlipcastWire

/// The response of Get App Transaction Info.
///
/// Source: App Store Server API, AppTransactionInfoResponse.
public struct AppTransactionInfoResponse: FieldModel {
  /// The app transaction as a JWS.
  public var signedAppTransactionInfo: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server API, AppTransactionInfoResponse"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("signedAppTransactionInfo", \.signedAppTransactionInfo)
      .decoded("appTransactionInfo", AppTransaction.self)
  ]
}
