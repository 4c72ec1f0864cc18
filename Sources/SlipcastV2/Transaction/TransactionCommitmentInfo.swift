public import SlipcastWire

/// The commitment that a transaction is part of.
///
/// Source: App Store Server Notifications, TransactionCommitmentInfo.
public struct TransactionCommitmentInfo: FieldModel {
  /// Which billing period of the commitment this is, from 1 to 12.
  public var billingPeriodNumber: Int32?
  /// When the commitment ends.
  public var commitmentExpiresDate: Timestamp?
  /// The price of the whole commitment, in milliunits of the transaction's currency.
  public var commitmentPrice: Int64?
  /// How many billing periods the commitment has.
  public var totalBillingPeriods: Int32?
  /// Members that this version does not know, in document order.
  public var unrecognized: [UnrecognizedField] = []

  /// Makes an object without any member.
  public init() {}

  /// Apple's document of the object.
  public static let document = "App Store Server Notifications, TransactionCommitmentInfo"

  /// The members, in the order in which they are written.
  public static let fields: [Field<Self>] = [
    .integer32("billingPeriodNumber", \.billingPeriodNumber),
    .milliseconds("commitmentExpiresDate", \.commitmentExpiresDate),
    .milliunits("commitmentPrice", \.commitmentPrice),
    .integer32("totalBillingPeriods", \.totalBillingPeriods),
  ]
}
