/// What kind of offer a price comes from.
///
/// Source: App Store Server Notifications, offerType.
public enum OfferType: Int32, CaseIterable, Hashable, Sendable {
  /// An introductory offer; it has no identifier.
  case introductory = 1
  /// A promotional offer.
  case promotional = 2
  /// A subscription offer code.
  case offerCode = 3
  /// A win-back offer.
  case winBack = 4
  /// A retention offer, made to a customer who is about to cancel.
  case retention = 5
}
