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

  /// Apple's name of the object.
  public static let modelName = "advancedCommerceOffer"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .word("period", in: page, of: "advancedCommerceOfferPeriod", { $0.period }, { $0.period = $1 }),
    .integer32("periodCount", in: page, { $0.periodCount }, { $0.periodCount = $1 }),
    .integer64("price", in: page, kind: .milliunits, { $0.price }, { $0.price = $1 }),
    .word("reason", in: page, of: "advancedCommerceOfferReason", { $0.reason }, { $0.reason = $1 }),
  ]

  private static let page = "App Store Server Notifications, advancedCommerceOffer"
}
