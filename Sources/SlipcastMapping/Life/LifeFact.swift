package import SlipcastV2

/// What one record says of one period of a subscription, or of a purchase without an end: all that a life needs of it,
/// whichever version of Apple's data states it.
///
/// Times are milliseconds since 1970 UTC.
package struct LifeFact: Sendable {
  /// The period as lists number it, with its purchase.
  package var key: UntoldPeriod.Key
  /// `Int64.max` for a purchase without an end.
  package var expires: Int64
  /// The first purchase of the subscription.
  package var began: Int64?
  /// When what the record reports happened; `nil` where nothing states it.
  package var time: Int64?
  /// Access goes by the period only from `time` on: a recovery keeps the old billing date as its purchase date.
  package var isLate = false
  package var productId: String?
  package var offerType: OfferType?
  package var discount: OfferDiscountType?
  package var plan: BillingPlanType?
  package var isFamily = false
  /// Another product replaced it.
  package var isReplaced = false
  /// When Apple took it back; of a replaced period when that was.
  package var revocation: Int64?
  /// Why, where it was taken back.
  package var revocationReason = AccessReason.refunded
  /// The record itself reports that it was taken back; any other only shows it.
  package var reportsRevocation = false
  /// It was taken back; the record does not state when.
  package var isTakenBack = false
  /// Then by this time; `nil`: at any time.
  package var takenBackBy: Int64?
  /// When it was taken back, or another product replaced it: the record leaves open which.
  package var mayEnd: Int64?
  /// Apple took a refund of it back.
  package var isRefundReversed = false
  /// What the record says of the renewal is about this period; `nil`: if no message is about a newer one.
  package var isNewest: Bool?
  /// Apple could not renew it, or tries again, by what the record says of the newest period.
  package var isFailing = false
  /// Its event is the failed renewal: without the end of a grace period there was none.
  package var reportsFailure = false
  /// Of a failing one: the record says that Apple tries again.
  package var isRetrying = false
  package var graceEnd: Int64?
  /// The record certainly reports that the subscription ended with it.
  package var reportsEnd = false
  /// What the record states of the end replaces what earlier ones state; else the latest end counts.
  package var isLastWord = false
  package var proof: LifePeriod.Proof

  package init(key: UntoldPeriod.Key, expires: Int64, proof: LifePeriod.Proof) {
    (self.key, self.expires, self.proof) = (key, expires, proof)
  }
}
