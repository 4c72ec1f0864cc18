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

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommerceRenewalItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("SKU", \.SKU),
    .text("description", \.description),
    .text("displayName", \.displayName),
    .object("offer", \.offer),
    .milliunits("price", \.price),
    .object("priceIncreaseInfo", \.priceIncreaseInfo),
  ]
}
