public import SlipcastWire

/// A refund of an Advanced Commerce item.
///
/// Source: App Store Server Notifications, advancedCommerceRefund.
public struct AdvancedCommerceRefund: FieldModel {
  /// The amount, in milliunits.
  public var refundAmount: Int64?
  /// When it was refunded.
  public var refundDate: Timestamp?
  /// Why it was refunded.
  public var refundReason: Open<AdvancedCommerceRefundReason>?
  /// How much was refunded.
  public var refundType: Open<AdvancedCommerceRefundType>?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, advancedCommerceRefund"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .milliunits("refundAmount", \.refundAmount),
    .milliseconds("refundDate", \.refundDate),
    .word("refundReason", \.refundReason),
    .word("refundType", \.refundType),
  ]
}
