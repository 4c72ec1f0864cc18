public import SlipcastWire

/// One item of an Advanced Commerce renewal.
///
/// Source: App Store Server Notifications, advancedCommerceRenewalItem.
public struct AdvancedCommerceRenewalItem: FieldModel {
  /// The app's own id of the product; upper case in JSON too.
  public var SKU: String?
  /// The description that the customer sees.
  public var description: String?
  /// The name that the customer sees.
  public var displayName: String?
  /// The offer that the item uses.
  public var offer: AdvancedCommerceOffer?
  /// The price, in milliunits.
  public var price: Int64?
  /// The price increase that the item goes through.
  public var priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "advancedCommerceRenewalItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("SKU", in: page, { $0.SKU }, { $0.SKU = $1 }),
    .text("description", in: page, { $0.description }, { $0.description = $1 }),
    .text("displayName", in: page, { $0.displayName }, { $0.displayName = $1 }),
    .object("offer", in: page, { $0.offer }, { $0.offer = $1 }),
    .integer64("price", in: page, kind: .milliunits, { $0.price }, { $0.price = $1 }),
    .object("priceIncreaseInfo", in: page, { $0.priceIncreaseInfo }, { $0.priceIncreaseInfo = $1 }),
  ]

  private static let page = "App Store Server Notifications, advancedCommerceRenewalItem"
}
