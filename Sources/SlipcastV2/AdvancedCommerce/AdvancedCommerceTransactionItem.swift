public import SlipcastWire

/// One item of an Advanced Commerce transaction.
///
/// Source: App Store Server Notifications, advancedCommerceTransactionItem.
public struct AdvancedCommerceTransactionItem: FieldModel {
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
  /// The refunds of the item.
  public var refunds: [AdvancedCommerceRefund]?
  /// When the item was revoked.
  public var revocationDate: Timestamp?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommerceTransactionItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("SKU", \.SKU),
    .text("description", \.description),
    .text("displayName", \.displayName),
    .object("offer", \.offer),
    .milliunits("price", \.price),
    .objects("refunds", \.refunds),
    .milliseconds("revocationDate", \.revocationDate),
  ]
}
