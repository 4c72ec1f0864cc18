public import SlipcastWire

/// The seats of a multiseat purchase.
///
/// Source: App Store Server API, transactionMultiSeatInfo.
public struct TransactionMultiSeatInfo: FieldModel {
  /// Who invites members, as set at the time of purchase.
  public var invitationManagement: Open<InvitationManagement>?
  /// The prices of the seats, in no particular order; at most five.
  public var priceTiers: [MultiSeatPriceTier]?
  /// How many seats were refunded; only in the transaction of the purchaser, and only after a refund of seats.
  public var revokedSeatQuantity: Int32?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "transactionMultiSeatInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word(
      "invitationManagement", in: page, of: "invitationManagement", { $0.invitationManagement },
      { $0.invitationManagement = $1 }),
    .objects("priceTiers", in: page, { $0.priceTiers }, { $0.priceTiers = $1 }),
    .integer32("revokedSeatQuantity", in: page, { $0.revokedSeatQuantity }, { $0.revokedSeatQuantity = $1 }),
  ]

  private static let page = "App Store Server API, transactionMultiSeatInfo"
}
