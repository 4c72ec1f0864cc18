internal import SlipcastMapping
internal import SlipcastV2

/// A period of a life as all its messages and lists show it; times are milliseconds since 1970 UTC.
struct LifePeriod {
  /// How certain a fact of the period is, and the rows that show it.
  struct Proof {
    var confidence: Confidence
    var evidence: [Int64]
  }

  /// The period as lists number it, with its purchase.
  let key: UntoldPeriod.Key
  /// The line item, else the transaction; `nil` for a period that no message is about.
  let name: String?
  var expires: Int64
  /// From when access goes by this period: a recovery inside a grace period keeps the billing date and comes later.
  var activeFrom: Int64
  var productId: String?
  var offerType: OfferType?
  var discount: OfferDiscountType?
  var plan: BillingPlanType?
  var proof: Proof
  /// Another member of the family bought it.
  var isShared = false
  /// Apple refunded or revoked it.
  var revocation: (time: Int64, reason: AccessReason, proof: Proof)?
  /// Apple took a refund back then: dates of revocation until then do not count.
  var reversed: Int64?
  /// A later list, or an archive that lacks no message, proves that nothing else ended it before its time.
  var isUntouched = false
  /// Another product replaced it.
  var isReplaced = false
  /// When that was, where a record states it.
  var replacedAt: Int64?
  /// Apple could not renew it; access continues until the end of the grace period.
  var failure: (graceEnd: Int64?, proof: Proof)?
  /// The subscription ended with it; when that was, where an event or a gap states it exactly.
  var end: (time: Int64?, proof: Proof)?

  init(_ transaction: EventFacts.Transaction, _ name: String, expires: Int64, _ proof: Proof) {
    key = transaction.key(name)
    (self.name, self.expires, activeFrom, self.proof) = (name, expires, key.purchase, proof)
  }

  /// A list that shows it is not named, so it is inferred.
  ///
  /// - Parameter productId: the name of its product, where a message names that.
  init(_ period: UntoldPeriod, productId: String?, isFamily: Bool) {
    proof = Proof(confidence: .inferred, evidence: [])
    (key, name, expires, activeFrom) = (period.key, nil, period.expires, period.key.purchase)
    (self.productId, isReplaced, isShared) = (productId, period.isUpgraded, isFamily)
    if period.revocation != .max { takeBack(at: period.revocation, isFamily: isFamily) }
  }

  /// Takes what lists show of its end, where no message reports it.
  mutating func learn(_ shown: PeriodEnd, isFamily: Bool) {
    guard shown.cancellation != .max, shown.cancellation > reversed ?? .min, revocation == nil, !isReplaced else {
      return
    }
    if shown.isReplaced { isReplaced = true } else { takeBack(at: shown.cancellation, isFamily: isFamily) }
  }

  private mutating func takeBack(at time: Int64, isFamily: Bool) {
    revocation = (time, isFamily ? .revoked : .refunded, Proof(confidence: .inferred, evidence: []))
  }

  /// Another product replaced it before it began.
  ///
  /// Apple charges a renewal before the period begins. The purchase that replaced it then begins earlier, and gives
  /// access by itself.
  ///
  /// - Parameter before: the period before it.
  func neverBegan(after before: LifePeriod?) -> Bool {
    guard isReplaced else { return false }
    if let replacedAt, replacedAt <= key.purchase { return true }
    return before.map { !$0.isReplaced && min($0.expires, $0.revocation?.time ?? .max) > key.purchase } ?? false
  }

  /// When it ended before its time; `next` is when access by the next period began.
  func end(before next: Int64?, windows: LifeWindows) -> Int64 {
    var end = min(expires, revocation?.time ?? .max, next ?? .max)
    guard isReplaced else { return end }
    // Its successor begins where it ends; without one, it ended at a time that is not known if no record states it.
    let replaced = replacedAt ?? activeFrom
    if next.map({ $0 > max(expires, replaced + windows.gap) }) ?? true { end = min(end, replaced) }
    return end
  }
}
