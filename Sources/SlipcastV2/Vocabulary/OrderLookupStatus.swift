/// Whether an order id of a receipt e-mail is known.
///
/// Source: App Store Server API, OrderLookupStatus.
public enum OrderLookupStatus: Int32, CaseIterable, Hashable, Sendable {
  /// The order holds purchases of this app.
  case valid = 0
  /// The order is unknown, or belongs to another app.
  case invalid = 1
}
