/// Why an Advanced Commerce offer was made.
///
/// Source: App Store Server Notifications, advancedCommerceOfferReason.
public enum AdvancedCommerceOfferReason: String, CaseIterable, Hashable, Sendable {
  /// To win a customer.
  case acquisition = "ACQUISITION"
  /// To win a customer back.
  case winBack = "WIN_BACK"
  /// To keep a customer.
  case retention = "RETENTION"
}
