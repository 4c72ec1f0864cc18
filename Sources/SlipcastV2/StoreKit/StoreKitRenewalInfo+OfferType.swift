extension StoreKitRenewalInfo {
  /// The kind of offer of the next period; the raw values are those of the server's `offerType`.
  ///
  /// The server's 5, a retention offer, is an unknown value here.
  ///
  /// Source: StoreKit, Transaction.OfferType.
  public enum OfferType: Int32, CaseIterable, Hashable, Sendable {
    /// An introductory offer; it has no id.
    case introductory = 1
    /// A promotional offer; its id is the one set up in App Store Connect.
    case promotional = 2
    /// A subscription offer code; its id is the reference name, not the code typed.
    case code = 3
    /// A win-back offer.
    case winBack = 4
  }
}
