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

  /// Apple's name of the object.
  public static let modelName = "advancedCommerceRefund"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .integer64("refundAmount", in: page, kind: .milliunits, { $0.refundAmount }, { $0.refundAmount = $1 }),
    .milliseconds("refundDate", in: page, { $0.refundDate }, { $0.refundDate = $1 }),
    .word("refundReason", in: page, of: "advancedCommerceRefundReason", { $0.refundReason }, { $0.refundReason = $1 }),
    .word("refundType", in: page, of: "advancedCommerceRefundType", { $0.refundType }, { $0.refundType = $1 }),
  ]

  private static let page = "App Store Server Notifications, advancedCommerceRefund"
}
