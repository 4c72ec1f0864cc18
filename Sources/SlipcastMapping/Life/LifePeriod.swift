package import SlipcastV2

/// A period of a life as all its messages and lists show it; times are milliseconds since 1970 UTC.
package struct LifePeriod: Sendable {
  /// How certain a fact of the period is, and the rows that show it.
  package struct Proof: Sendable {
    package var confidence: Confidence
    package var evidence: [Int64]

    package init(confidence: Confidence, evidence: [Int64]) {
      (self.confidence, self.evidence) = (confidence, evidence)
    }
  }

  /// The period as lists number it, with its purchase.
  package let key: UntoldPeriod.Key
  /// A message is about it; else only lists show it.
  package let isTold: Bool
  /// `Int64.max` for a purchase without an end.
  package var expires: Int64
  /// From when access goes by this period: a recovery inside a grace period keeps the billing date and comes later.
  package var activeFrom: Int64
  package var productId: String?
  package var offerType: OfferType?
  package var discount: OfferDiscountType?
  package var plan: BillingPlanType?
  package var proof: Proof
  /// Another member of the family bought it.
  package var isShared = false
  /// Apple refunded or revoked it.
  package var revocation: (time: Int64, reason: AccessReason, proof: Proof)?
  /// It was taken back at the time of `revocation` or before: no record states when.
  package var isRevokedBefore = false
  /// Apple took a refund back then: dates of revocation until then do not count.
  package var reversed: Int64?
  /// A later list, or an archive that lacks no message, proves that nothing else ended it before its time.
  package var isUntouched = false
  /// Another product replaced it.
  package var isReplaced = false
  /// When that was, where a record states it.
  package var replacedAt: Int64?
  /// It was taken back then, or another product replaced it: no record shows which.
  private var mayEnd: (time: Int64, proof: Proof)?
  /// Apple could not renew it; access continues until the end of the grace period.
  package var failure: (graceEnd: Int64?, proof: Proof)?
  /// The earliest record that shows the failure was written then.
  package var failureShown = Int64.max
  /// The subscription ended with it; when that was, where an event or a gap states it exactly.
  package var end: (time: Int64?, proof: Proof)?
  /// A record shows that another product replaced it before it began.
  package var isReplacedBeforeItBegan = false
  /// No record shows when it began: it had begun by its purchase.
  package var isStartUnknown = false

  /// - Parameter shown: how certain it is that there is the period.
  package init(_ fact: LifeFact, _ shown: Proof) {
    (key, isTold, expires, activeFrom, proof) = (fact.key, true, fact.expires, fact.key.purchase, shown)
  }

  /// The period as one record shows it.
  package init(_ fact: LifeFact) {
    self.init(fact, fact.proof)
    learn(fact)
    learnRenewal(fact)
  }

  /// A list that shows it is not named, so it is inferred.
  ///
  /// - Parameter productId: the name of its product, where a message names that.
  package init(_ period: UntoldPeriod, productId: String?, isFamily: Bool) {
    proof = Proof(confidence: .inferred, evidence: [])
    (key, isTold, expires, activeFrom) = (period.key, false, period.expires, period.key.purchase)
    (self.productId, isReplaced, isShared) = (productId, period.isUpgraded, isFamily)
    isReplacedBeforeItBegan = period.isReplacedBeforeItBegan
    if period.revocation != .max { takeBack(at: period.revocation, isFamily: isFamily) }
  }

  // MARK: learning

  /// Takes what a record says of it, apart from its renewal.
  package mutating func learn(_ fact: LifeFact) {
    expires = fact.isLastWord ? fact.expires : max(expires, fact.expires)
    productId = fact.productId ?? productId
    offerType = fact.offerType ?? offerType
    discount = fact.discount ?? discount
    plan = fact.plan ?? plan
    if fact.isFamily { isShared = true }
    if fact.isLate, let time = fact.time { activeFrom = max(key.purchase, time) }
    learnEnd(fact)
  }

  private mutating func learnEnd(_ fact: LifeFact) {
    if fact.isRefundReversed {
      reversed = max(reversed ?? .min, fact.time ?? .min)
      (revocation, isRevokedBefore) = (nil, false)
    } else if fact.isReplaced {
      isReplaced = true
      // A replaced period may be refunded later: that date is not the one of its replacement.
      if let time = fact.revocation, !fact.reportsRevocation, time < expires {
        replacedAt = min(replacedAt ?? .max, time)
      }
    } else if let time = fact.revocation, time > reversed ?? .min,
      fact.reportsRevocation || revocation == nil || isRevokedBefore
    {
      // Any other message states the date, whatever it reports itself.
      let confidence = fact.reportsRevocation ? fact.proof.confidence : .documented
      revocation = (time, fact.revocationReason, Proof(confidence: confidence, evidence: fact.proof.evidence))
      isRevokedBefore = false
    } else if fact.isTakenBack, revocation == nil {
      (revocation, isRevokedBefore) = ((fact.takenBackBy ?? key.purchase, fact.revocationReason, fact.proof), true)
    }
    if let time = fact.mayEnd, time < mayEnd?.time ?? .max { mayEnd = (time, fact.proof) }
    if fact.reportsEnd, let time = fact.time { end = (max(time, expires), fact.proof) }
  }

  /// Takes what a record says of the renewal, which is about the newest period.
  package mutating func learnRenewal(_ fact: LifeFact) {
    guard fact.isFailing else { return }
    let confidence = fact.isRetrying ? .documented : fact.proof.confidence
    let known = failure?.proof ?? Proof(confidence: confidence, evidence: fact.proof.evidence)
    failure = (failure?.graceEnd ?? fact.graceEnd, known)
    failureShown = min(failureShown, fact.reportsFailure ? expires : fact.time ?? .max)
  }

  /// Takes what lists show of its end, where no message reports it.
  package mutating func learn(_ shown: PeriodEnd, isFamily: Bool) {
    guard shown.cancellation != .max, shown.cancellation > reversed ?? .min, revocation == nil, !isReplaced else {
      return
    }
    if shown.isReplaced { isReplaced = true } else { takeBack(at: shown.cancellation, isFamily: isFamily) }
  }

  /// Takes what a list shows of it.
  package mutating func learn(_ listed: UntoldPeriod, isFamily: Bool) {
    expires = max(expires, listed.expires)
    isReplacedBeforeItBegan = isReplacedBeforeItBegan || listed.isReplacedBeforeItBegan
    guard revocation == nil, !isReplaced else { return }
    if listed.isUpgraded {
      isReplaced = true
    } else if listed.revocation != .max, listed.revocation > reversed ?? .min {
      takeBack(at: listed.revocation, isFamily: isFamily)
    }
  }

  private mutating func takeBack(at time: Int64, isFamily: Bool) {
    revocation = (time, isFamily ? .revoked : .refunded, Proof(confidence: .inferred, evidence: []))
  }

  // MARK: answers

  /// Whether it ever began.
  package enum Beginning: Sendable {
    case certain, uncertain, never
  }

  /// Whether it began, or another product replaced it, or Apple took it back, before that.
  ///
  /// Apple charges a renewal before the period begins. The purchase that replaced it then begins earlier, and gives
  /// access by itself. A purchase that renews nothing began at once, whatever ran then.
  ///
  /// - Parameters:
  ///   - earlier: the periods that were bought before it, in the order of their purchases.
  ///   - early: how long before the end Apple charges a renewal at most.
  package func beginning(after earlier: some BidirectionalCollection<LifePeriod>, early: Int64) -> Beginning {
    let purchase = key.purchase
    if isReplacedBeforeItBegan || isReplaced && replacedAt.map({ $0 <= purchase }) ?? false { return .never }
    guard let before = earlier.last else { return .certain }
    let isRunning = min(before.expires, before.revocation?.time ?? .max) > purchase
    // What was taken back before it began ends no other access.
    if let revocation, !isRevokedBefore, revocation.time <= purchase, isRunning { return .never }
    guard isReplaced, earlier.contains(where: { !$0.expires.isOtherSecond(than: purchase) }) else { return .certain }
    if isRunning, !before.isReplaced { return .never }
    // A purchase shortly before may be the one that replaced it, whatever became of that purchase.
    let isShortlyBefore = before.key.purchase < purchase && purchase - before.key.purchase <= early
    return isShortlyBefore && replacedAt == nil ? .uncertain : .certain
  }

  /// From when no record shows whether it gives access: it was taken back, or replaced by a purchase that no record shows.
  package var doubt: (time: Int64, proof: Proof)? { revocation == nil && !isReplaced ? mayEnd : nil }

  /// Until when it gives access if nothing takes it back: a grace period included.
  private var lastAccess: Int64 { max(expires, failure?.graceEnd ?? expires) }

  /// When it ended before its time; `next` is when access by the next period began.
  ///
  /// - Parameter gap: a longer pause between two periods is a lapse.
  package func end(before next: Int64?, gap: Int64) -> Int64 {
    var end = min(expires, revocation?.time ?? .max, next ?? .max)
    // Who replaced it while Apple retried its renewal had it until its end.
    guard isReplaced, failure == nil else { return end }
    // Its successor begins where it ends; without one, it ended at a time that is not known if no record states it.
    let replaced = replacedAt ?? activeFrom
    if next.map({ $0 > max(expires, replaced &+ gap) }) ?? true { end = min(end, replaced) }
    return end
  }

  /// Why it gives access at a time after it began, or does not, as far as records show it: silence after its end counts
  /// as its end.
  ///
  /// - Parameters:
  ///   - next: when access by the next period began; `nil` where none is known.
  ///   - gap: a longer pause between two periods is a lapse.
  ///   - retry: how long Apple retries a failed renewal.
  ///   - tolerance: how much two clocks may differ: what is taken back at this moment is taken back.
  package func reason(
    at time: Int64, before next: Int64? = nil, gap: Int64 = 0, retry: Int64 = .max, tolerance: Int64
  ) -> AccessReason {
    // Its successor is in no record.
    if isReplaced, failure == nil, end(before: next, gap: gap) <= time { return .upgraded }
    // What was taken back after its end had ended for another reason.
    if let revocation, revocation.time <= lastAccess {
      if revocation.time.subtractingReportingOverflow(tolerance).partialValue <= time { return revocation.reason }
      if isRevokedBefore { return .unknown }
    }
    if expires > time { return .active }
    guard let failure else { return .expired }
    if let graceEnd = failure.graceEnd, graceEnd > time { return .grace }
    if let end = end?.time, end <= time { return .expired }
    return time.subtractingReportingOverflow(expires).partialValue < retry ? .billingRetry : .expired
  }
}
