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

  /// Apple's name of the object.
  public static let modelName = "advancedCommerceTransactionInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .object("descriptors", in: page, { $0.descriptors }, { $0.descriptors = $1 }),
    .integer64("estimatedTax", in: page, kind: .milliunits, { $0.estimatedTax }, { $0.estimatedTax = $1 }),
    .objects("items", in: page, { $0.items }, { $0.items = $1 }),
    .word("period", in: page, of: "advancedCommercePeriod", { $0.period }, { $0.period = $1 }),
    .text("requestReferenceId", in: page, { $0.requestReferenceId }, { $0.requestReferenceId = $1 }),
    .text("taxCode", in: page, { $0.taxCode }, { $0.taxCode = $1 }),
    .integer64(
      "taxExclusivePrice", in: page, kind: .milliunits, { $0.taxExclusivePrice }, { $0.taxExclusivePrice = $1 }),
    .text("taxRate", in: page, { $0.taxRate }, { $0.taxRate = $1 }),
  ]

  private static let page = "App Store Server Notifications, advancedCommerceTransactionInfo"
}
