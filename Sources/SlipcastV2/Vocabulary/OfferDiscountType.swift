/// How an offer is paid.
///
/// Source: App Store Server Notifications, offerDiscountType.
public enum OfferDiscountType: String, CaseIterable, Hashable, Sendable {
  /// Free for the offer's time.
  case freeTrial = "FREE_TRIAL"
  /// A lower price in each period of the offer.
  case payAsYouGo = "PAY_AS_YOU_GO"
  /// One payment for the whole time of the offer.
  case payUpFront = "PAY_UP_FRONT"
  /// A lower price for a product that does not renew.
  case oneTime = "ONE_TIME"
}
