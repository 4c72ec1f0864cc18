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

  /// Apple's document of the object.
  public static let document = "App Store Server API, transactionMultiSeatInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("invitationManagement", \.invitationManagement),
    .objects("priceTiers", \.priceTiers).withRulesInside,
    .integer32("revokedSeatQuantity", \.revokedSeatQuantity),
  ]
}
