public import SlipcastWire

/// The commitment of a subscription's next renewal.
///
/// Source: App Store Server Notifications, RenewalCommitmentInfo.
public struct RenewalCommitmentInfo: FieldModel {
  /// The product of the next commitment.
  public var commitmentAutoRenewProductId: String?
  /// Whether the commitment renews.
  public var commitmentAutoRenewStatus: Open<AutoRenewStatus>?
  /// How the next commitment is billed.
  public var commitmentRenewalBillingPlanType: Open<BillingPlanType>?
  /// When the commitment renews.
  public var commitmentRenewalDate: Timestamp?
  /// The price of the next commitment, in milliunits of the renewal's currency.
  public var commitmentRenewalPrice: Int64?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's name of the object.
  public static let modelName = "RenewalCommitmentInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text(
      "commitmentAutoRenewProductId", in: page, { $0.commitmentAutoRenewProductId },
      { $0.commitmentAutoRenewProductId = $1 }),
    .code(
      "commitmentAutoRenewStatus", in: page, of: "autoRenewStatus", { $0.commitmentAutoRenewStatus },
      { $0.commitmentAutoRenewStatus = $1 }),
    .word(
      "commitmentRenewalBillingPlanType", in: page, of: "billingPlanType", { $0.commitmentRenewalBillingPlanType },
      { $0.commitmentRenewalBillingPlanType = $1 }),
    .milliseconds("commitmentRenewalDate", in: page, { $0.commitmentRenewalDate }, { $0.commitmentRenewalDate = $1 }),
    .integer64(
      "commitmentRenewalPrice", in: page, kind: .milliunits, { $0.commitmentRenewalPrice },
      { $0.commitmentRenewalPrice = $1 }),
  ]

  private static let page = "App Store Server Notifications, RenewalCommitmentInfo"
}
