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

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, RenewalCommitmentInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .text("commitmentAutoRenewProductId", \.commitmentAutoRenewProductId),
    .code("commitmentAutoRenewStatus", \.commitmentAutoRenewStatus),
    .word("commitmentRenewalBillingPlanType", \.commitmentRenewalBillingPlanType),
    .milliseconds("commitmentRenewalDate", \.commitmentRenewalDate),
    .milliunits("commitmentRenewalPrice", \.commitmentRenewalPrice),
  ]
}
