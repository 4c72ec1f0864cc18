public import SlipcastWire

/// The seats of the next renewal; only where it renews with seats.
///
/// Source: App Store Server Notifications, renewalMultiSeatInfo.
public struct RenewalMultiSeatInfo: FieldModel {
  /// The prices of the seats at the next renewal, in no particular order.
  public var renewalPriceTiers: [MultiSeatPriceTier]?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, renewalMultiSeatInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .objects("renewalPriceTiers", \.renewalPriceTiers).withRulesInside
  ]
}
