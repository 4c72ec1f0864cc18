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

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommerceRenewalInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("consistencyToken", \.consistencyToken),
    .object("descriptors", \.descriptors),
    .objects("items", \.items),
    .word("period", \.period),
    .text("requestReferenceId", \.requestReferenceId),
    .text("taxCode", \.taxCode),
  ]
}
