package import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The state of a subscription at one time of its history: the newest period and the latest renewal information.
struct LifeState {
  /// How a message relates to the newest known period.
  enum Sight: Equatable {
    /// It names no period, or one that is not the newest.
    case none
    /// It names the first period of all.
    case first
    /// It names the newest known period.
    case same
    /// It names a newer one, bought then.
    case newer(Int64)
  }

  struct Period {
    let key: UntoldPeriod.Key
    /// The line item, else the transaction; `nil` for a period that no message is about.
    var name: String?
    var productId: String?
    var expires: Int64?
    var isRevoked: Bool
    var offer: String?

    var purchase: Int64 { key.purchase }
  }

  struct Renewal {
    var intent: ExpirationIntent?
    var isInRetry: Bool?
    var price: PriceIncreaseStatus?
    var offer: String?
    /// When the event of the message happened.
    var time: Int64?

    /// Another period began.
    mutating func endPeriod() { (intent, isInRetry) = (nil, nil) }
  }

  var period: Period?
  var renewal: Renewal?
  /// Whether time runs as in the Sandbox.
  var isSandbox = false
  /// A grace period that had not ended in the last message about it.
  var graceEnd: Int64?
  /// The last processed grace period; V1 keeps showing it.
  var pastGrace: Int64?
  /// A message about the newest period reported a failed renewal.
  private var isFailureTold = false
  /// An event or a gap has reported the end of the period.
  var isEndTold = false
  var isFamilySeen = false
  var isFamilyLost = false
  /// The expiry of the line items that were heard of lately.
  private var expiries: [(name: String, expires: Int64)] = []

  /// The newest period should end without renewal, by the customer's choice.
  ///
  /// - Parameter last: how auto-renew stands.
  func endsByChoice(_ last: AutoRenewChanges.Change?) -> Bool {
    guard isEndOpen, renewal?.isInRetry != true else { return false }
    return last?.status == .off && (renewal?.intent == nil || renewal?.intent == .customerCancelled)
  }

  /// The customer was asked to agree to a higher price, and nothing shows that they did.
  var awaitsConsent: Bool { isEndOpen && renewal?.price == .noResponse && renewal?.isInRetry != true }

  /// Apple could not renew the newest period, as far as messages show.
  var isFailing: Bool { isFailureTold || graceEnd != nil || renewal?.isInRetry == true }

  /// The newest period should end without renewal, because the customer did not consent to a higher price.
  var endsByPrice: Bool {
    guard isEndOpen, let renewal, renewal.isInRetry != true else { return false }
    return renewal.intent == .noConsentToPriceIncrease
  }

  /// The newest period ends, and no message or gap has reported how.
  var isEndOpen: Bool {
    guard let period else { return false }
    return period.expires != nil && !period.isRevoked && !isEndTold
  }

  func sight(of group: EventGroup) -> Sight {
    guard let transaction = group.facts.transaction, transaction.isUpgraded != true, let name = transaction.lineName,
      let purchase = transaction.purchaseDate?.milliseconds
    else { return .none }
    guard let period else { return .first }
    if period.name == name { return .same }
    return purchase > period.purchase ? .newer(purchase) : .none
  }

  /// The known expiry of the message's line item, if the message moves it into the future.
  func expiryBefore(_ transaction: EventFacts.Transaction) -> Int64? {
    guard let name = transaction.lineName, let expires = transaction.expiresDate?.milliseconds,
      let known = expiries.first(where: { $0.name == name })?.expires
    else { return nil }
    return expires > known ? known : nil
  }

  // MARK: updating

  mutating func learn(environment: String) { isSandbox = environment == Environment.sandbox.rawValue }

  /// Continues with a period that no message is about.
  mutating func enter(_ next: UntoldPeriod, productId: String?) {
    // What messages showed of the end of the period before is over.
    renewal?.endPeriod()
    if let end = graceEnd { (graceEnd, pastGrace) = (nil, end) }
    period = Period(
      key: next.key, productId: productId, expires: next.expires, isRevoked: next.revocation != .max, offer: nil)
    (isEndTold, isFailureTold) = (false, false)
  }

  mutating func learn(_ group: EventGroup, _ sight: Sight) {
    let transaction = group.facts.transaction
    if let transaction { learn(transaction, sight) }
    if let stated = group.facts.renewal {
      renewal = Renewal(stated)
      renewal?.time = group.time
      if renewal?.isInRetry == true, !group.isRetrying { renewal?.isInRetry = nil }
    }
    if let end = group.facts.renewal?.gracePeriodExpiresDate?.milliseconds { learn(grace: end, group) }
    if group.mayBe(.didFailToRenew) { isFailureTold = true }
    if group.mayBe(.expired) {
      isEndTold = true
      // The end was reported, or the customer reverted it: V2's choice of events for this is not documented.
      if let end = graceEnd { (graceEnd, pastGrace) = (nil, end) }
    }
    if transaction?.inAppOwnershipType?.known == .familyShared { isFamilySeen = true }
    if group.mayBe(.revoke) {
      isFamilyLost = true
    } else if case .newer = sight {
      isFamilyLost = false
    }
  }

  private mutating func learn(_ transaction: EventFacts.Transaction, _ sight: Sight) {
    guard let name = transaction.lineName else { return }
    let expires = transaction.expiresDate?.milliseconds
    if let expires { remember(name, expires) }
    switch sight {
    case .none: break
    case .first, .newer:
      renewal?.endPeriod()
      period = Period(
        key: transaction.key(name), name: name, productId: transaction.productId, expires: expires,
        isRevoked: transaction.revocationDate != nil, offer: transaction.offerName)
      (isEndTold, isFailureTold) = (false, false)
    case .same:
      if let expires { period?.expires = expires }
      if transaction.revocationDate != nil { period?.isRevoked = true }
      if let offer = transaction.offerName { period?.offer = offer }
    }
  }

  private mutating func learn(grace end: Int64, _ group: EventGroup) {
    // A grace date before the end of the period belongs to an earlier failure.
    guard end != pastGrace, let expires = period?.expires, expires <= end, let time = group.time, time < end else {
      return
    }
    graceEnd = end
  }

  private mutating func remember(_ name: String, _ expires: Int64) {
    if let index = expiries.firstIndex(where: { $0.name == name }) {
      expiries[index].expires = max(expiries[index].expires, expires)
    } else {
      if expiries.count >= 16 { expiries.removeFirst() }
      expiries.append((name, expires))
    }
  }
}

extension LifeState.Renewal {
  init(_ payload: EventFacts.Renewal) {
    intent = payload.expirationIntent?.known
    isInRetry = payload.isInBillingRetryPeriod
    price = payload.priceIncreaseStatus?.known
    offer = payload.offerName
  }
}

extension EventFacts.Transaction {
  /// The line item, or the transaction where a line item is not stated.
  var lineName: String? { webOrderLineItemId ?? transactionId }

  /// The period that it is about, or the purchase; `nil` where it names none.
  package var period: UntoldPeriod.Key? { lineName.map { key($0) } }

  /// The period as lists number it.
  func key(_ name: String) -> UntoldPeriod.Key {
    UntoldPeriod.Key(id: HistoryMessage.number(ofPeriod: name), purchase: purchaseDate?.milliseconds ?? 0)
  }

  /// A promotional offer or offer code; OFFER_REDEEMED never reports introductory offers.
  var offerName: String? { offerKey(offerType?.known, offerIdentifier) }
}

extension EventFacts.Renewal {
  /// A promotional offer or offer code of the next period.
  var offerName: String? { offerKey(offerType?.known, offerIdentifier) }
}

/// Type and name of an offer that a customer redeems.
private func offerKey(_ type: OfferType?, _ name: String?) -> String? {
  guard type == .promotional || type == .offerCode else { return nil }
  return "\(type?.rawValue ?? 0):\(name ?? "")"
}
