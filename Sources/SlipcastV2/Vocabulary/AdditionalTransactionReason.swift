/// Why one period has several transactions.
///
/// Source: App Store Server Notifications, additionalTransactionReason.
public enum AdditionalTransactionReason: String, CaseIterable, Hashable, Sendable {
  /// Seats were added during the period.
  case seatAddition = "SEAT_ADDITION"
}
