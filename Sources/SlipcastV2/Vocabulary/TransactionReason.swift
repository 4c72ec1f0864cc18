/// What caused the transaction.
///
/// Source: App Store Server Notifications, transactionReason.
public enum TransactionReason: String, CaseIterable, Hashable, Sendable {
  /// The customer bought it.
  case purchase = "PURCHASE"
  /// The App Store renewed it.
  case renewal = "RENEWAL"
}
