public import SlipcastWire

/// The Advanced Commerce details of a renewal.
///
/// Source: App Store Server Notifications, advancedCommerceRenewalInfo.
public struct AdvancedCommerceRenewalInfo: FieldModel {
  /// Ties a request to this state of the subscription.
  public var consistencyToken: String?
  /// The texts that the customer sees.
  public var descriptors: AdvancedCommerceDescriptors?
  /// The items that renew.
  public var items: [AdvancedCommerceRenewalItem]?
  /// The billing period.
  public var period: Open<AdvancedCommercePeriod>?
  /// The app's own id of the request.
  public var requestReferenceId: String?
  /// The product's tax category.
  public var taxCode: String?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "advancedCommerceRenewalInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("consistencyToken", in: page, { $0.consistencyToken }, { $0.consistencyToken = $1 }),
    .object("descriptors", in: page, { $0.descriptors }, { $0.descriptors = $1 }),
    .objects("items", in: page, { $0.items }, { $0.items = $1 }),
    .word("period", in: page, of: "advancedCommercePeriod", { $0.period }, { $0.period = $1 }),
    .text("requestReferenceId", in: page, { $0.requestReferenceId }, { $0.requestReferenceId = $1 }),
    .text("taxCode", in: page, { $0.taxCode }, { $0.taxCode = $1 }),
  ]

  private static let page = "App Store Server Notifications, advancedCommerceRenewalInfo"
}
