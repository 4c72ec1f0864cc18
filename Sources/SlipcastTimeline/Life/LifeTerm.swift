package import SlipcastMapping
package import SlipcastV2

/// One period of a subscription as people speak of it: what was bought, from when to when, and how it ended.
///
/// Times are milliseconds since 1970 UTC.
package struct LifeTerm: Hashable, Sendable {
  /// Its line item as lists number it, with its purchase.
  package var key: UntoldPeriod.Key
  /// From when access goes by it.
  package var from: Int64
  /// When it stopped to give access: its end, or before that a refund, a revocation or the next period.
  package var until: Int64
  /// The end that it was bought for.
  package var expires: Int64
  package var productId: String?
  package var offerType: OfferType?
  /// What the offer gives; `nil` without an offer, or if no record states it.
  package var discount: OfferDiscountType?
  /// How it is billed, where Apple states it.
  package var plan: BillingPlanType?
  /// Apple refunded or revoked it then; a refund may come after the end.
  package var revocation: Int64?
  package var revocationReason: AccessReason?
  /// Another product replaced it.
  package var isReplaced: Bool
  /// Another member of the family paid for it.
  package var isShared: Bool
  /// How certain it is that it gave access in this time: as of the interval in which it runs.
  package var confidence: Confidence
  /// The same if no message is missing.
  package var stated: Confidence
  /// The rows of the messages that show it.
  package var evidence: [Int64]

  /// It was free of charge as far as records state it.
  package var isTrial: Bool { discount == .freeTrial }
}
