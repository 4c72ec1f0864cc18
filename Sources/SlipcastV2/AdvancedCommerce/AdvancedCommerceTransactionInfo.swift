public import SlipcastWire

/// The Advanced Commerce details of a transaction.
///
/// Source: App Store Server Notifications, advancedCommerceTransactionInfo.
public struct AdvancedCommerceTransactionInfo: FieldModel {
  /// The texts that the customer sees.
  public var descriptors: AdvancedCommerceDescriptors?
  /// The estimated tax, in milliunits.
  public var estimatedTax: Int64?
  /// The items that were bought.
  public var items: [AdvancedCommerceTransactionItem]?
  /// The billing period.
  public var period: Open<AdvancedCommercePeriod>?
  /// The app's own id of the request.
  public var requestReferenceId: String?
  /// The product's tax category.
  public var taxCode: String?
  /// The price without tax, in milliunits.
  public var taxExclusivePrice: Int64?
  /// The tax rate as text, `0.15`.
  public var taxRate: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommerceTransactionInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .object("descriptors", \.descriptors),
    .milliunits("estimatedTax", \.estimatedTax),
    .objects("items", \.items),
    .word("period", \.period),
    .text("requestReferenceId", \.requestReferenceId),
    .text("taxCode", \.taxCode),
    .milliunits("taxExclusivePrice", \.taxExclusivePrice),
    .text("taxRate", \.taxRate),
  ]
}
