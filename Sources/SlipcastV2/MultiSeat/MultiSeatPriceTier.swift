public import SlipcastWire

/// How many seats cost the same.
///
/// Source: App Store Server Notifications, multiSeatPriceTier.
public struct MultiSeatPriceTier: FieldModel {
  /// The price of one seat, in milliunits of the currency of the enclosing object.
  public var price: Int64?
  /// How many seats have that price.
  public var quantity: Int32?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, multiSeatPriceTier"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .milliunits("price", \.price),
    .integer32("quantity", \.quantity),
  ]
}
