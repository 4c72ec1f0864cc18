public import SlipcastWire

/// An offer for an Advanced Commerce item.
///
/// Source: App Store Server Notifications, advancedCommerceOffer.
public struct AdvancedCommerceOffer: FieldModel {
  /// One period of the offer.
  public var period: Open<AdvancedCommerceOfferPeriod>?
  /// How many periods the offer lasts, from 1 to 12.
  public var periodCount: Int32?
  /// The price in each period, in milliunits.
  public var price: Int64?
  /// Why the offer was made.
  public var reason: Open<AdvancedCommerceOfferReason>?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommerceOffer"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("period", \.period),
    .integer32("periodCount", \.periodCount),
    .milliunits("price", \.price),
    .word("reason", \.reason),
  ]
}
