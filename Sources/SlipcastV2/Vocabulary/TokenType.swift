/// The purpose of an external purchase custom link token.
///
/// Source: App Store Server Notifications, tokenType.
public enum TokenType: String, CaseIterable, Hashable, Sendable {
  /// Store services.
  case services = "SERVICES"
  /// The initial acquisition of a customer.
  case acquisition = "ACQUISITION"
}
