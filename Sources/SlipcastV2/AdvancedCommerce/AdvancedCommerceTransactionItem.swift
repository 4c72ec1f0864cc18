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

  /// Apple's name of the object.
  public static let modelName = "advancedCommerceTransactionItem"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("SKU", in: page, { $0.SKU }, { $0.SKU = $1 }),
    .text("description", in: page, { $0.description }, { $0.description = $1 }),
    .text("displayName", in: page, { $0.displayName }, { $0.displayName = $1 }),
    .object("offer", in: page, { $0.offer }, { $0.offer = $1 }),
    .integer64("price", in: page, kind: .milliunits, { $0.price }, { $0.price = $1 }),
    .objects("refunds", in: page, { $0.refunds }, { $0.refunds = $1 }),
    .milliseconds("revocationDate", in: page, { $0.revocationDate }, { $0.revocationDate = $1 }),
  ]

  private static let page = "App Store Server Notifications, advancedCommerceTransactionItem"
}
