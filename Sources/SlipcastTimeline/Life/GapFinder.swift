internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// Finds the events that no message reports: those that V1 never sends, and renewals and refunds without a message.
///
/// A later message that shows the subscription, or a time from the caller, decides whether a period ended; never the
/// clock.
struct GapFinder {
  let catalogue: GapCatalogue
  private(set) var state = LifeState()
  private(set) var autoRenew = AutoRenewChanges()
  /// The periods whose purchase or renewal a message reports.
  private var reported: Set<UntoldPeriod.Key> = []
  /// When the periods were bought that messages are about, in order.
  private(set) var purchases: [Int64] = []
  /// The last event that reports an offer, by its place.
  private(set) var redeemed: [RedeemedOffer: Int] = [:]
  /// The place of the event that is taken.
  private(set) var place = -1
  /// Purchases until then had been made when the event was reported that is taken.
  private(set) var shownUntil = Int64.max
  private var products = ListedProducts()
  var refunds = UntoldRefunds()
  /// The timeline leaves out more periods of one subscription that no message is about.
  private static let mostUntold = 1000

  init(catalogue: GapCatalogue) { self.catalogue = catalogue }

  var windows: LifeWindows { catalogue.windows(isSandbox: state.isSandbox) }

  /// Looks at all events before they are taken one by one.
  mutating func expect(_ groups: [EventGroup]) {
    place = -1
    redeemed = [:]
    var bought = Set(purchases)
    for (place, group) in groups.enumerated() {
      for offer in group.redeemedOffers { redeemed[offer] = place }
      refunds.expect(group)
      guard let transaction = group.facts.transaction else { continue }
      products.learn(transaction.productId)
      if let purchase = transaction.purchaseDate?.milliseconds { bought.insert(purchase) }
      if group.reportsPurchase, let name = transaction.lineName { reported.insert(transaction.key(name)) }
    }
    purchases = bought.sorted()
  }

  /// Adds the next event; returns the events that it shows to be earlier, and what has appeared by then.
  mutating func take(_ group: EventGroup) -> (before: [Gap], after: [Gap]) {
    place += 1
    if let environment = group.facts.environment { state.learn(environment: environment) }
    shownUntil = group.time ?? .min
    if case .newer(let purchase) = state.sight(of: group) { shownUntil = purchase - 1 }
    noteRefund(of: group)
    let untold = periods(before: group)
    let sight = state.sight(of: group)
    let renewal = renewal(group, sight)
    let lapse = lapse(group, sight)
    let graceEnd = graceEnd(group, sight)
    let access = familyAccess(group, sight)
    let consent = [consent(group)].compactMap(\.self)
    // Who was asked and agreed did so before the renewal at the higher price.
    let isAsked = state.renewal?.price == .noResponse
    let appeared = appearances(group, sight)
    if lapse != nil { state.isEndTold = true }
    if let gap = graceEnd {
      (state.graceEnd, state.pastGrace) = (nil, gap.time)
    } else if sight != .none, let end = state.graceEnd, sight.isNewer || end <= group.time ?? .min {
      // Renewed in time, or in a way that the archive does not show.
      (state.graceEnd, state.pastGrace) = (nil, end)
    }
    state.learn(group, sight)
    if let renewal { autoRenew.renew(renewal, windows) }
    autoRenew.add(group, [], windows)
    let before = [graceEnd, lapse, renewal, access].compactMap(\.self).sorted { $0.time < $1.time }
    // The request itself may show that the customer agreed later; anything else comes after the consent that it shows.
    let isRequest = group.mayBe(.priceIncrease)
    let next = isAsked ? (untold + before).first(where: \.isRenewal) : nil
    let given = isRequest ? [] : consent.map { $0.moved(before: next) }
    let shown = group.time.map { refundGaps(until: $0) } ?? []
    return (
      given + untold + before + appeared.before + shown,
      appeared.after + (isRequest ? consent : [])
    )
  }

  /// What follows the last message.
  ///
  /// - Parameter time: a time up to which the archive is complete; it decides ends that no message shows.
  mutating func ends(by time: Int64?) -> [Gap] {
    shownUntil = .max
    var gaps = follow(until: .max)
    gaps += refundGaps(until: .max)
    guard let time else { return gaps }
    let end = state.period?.expires
    if let end = state.graceEnd, end <= time {
      gaps += [silent(ended(.graceEnd, end, "renewalInfo.gracePeriodExpiresDate"), .graceEnd)].compactMap(\.self)
      state.graceEnd = nil
    }
    if let end, let gap = knownLapse(end) ?? silent(consentLapse(end), .consentLapse), gap.time <= time {
      gaps.append(gap)
      state.isEndTold = true
    }
    return gaps.sorted { $0.time < $1.time }
  }

  func gap(_ test: GapTest, _ time: Int64, _ path: String, timing: Gap.Timing = .exact) -> Gap? {
    guard var gap = catalogue.gap(test, at: time, timing, trace: "data." + path) else { return nil }
    (gap.period, gap.productId, gap.expires) = (state.period?.key, state.period?.productId, state.period?.expires)
    return gap
  }

  // MARK: periods without a message

  /// The periods that only lists show, up to the one that a message is about.
  private mutating func periods(before group: EventGroup) -> [Gap] {
    guard let transaction = group.facts.transaction, transaction.isUpgraded != true, let name = transaction.lineName,
      transaction.purchaseDate != nil
    else { return [] }
    let key = transaction.key(name)
    if state.period == nil, let first = catalogue.evidence?.firstUntold(before: key) {
      state.enter(first, productId: products[first.product])
      noteRefund(of: first, productId: products[first.product])
    }
    return follow(until: key.purchase)
  }

  private mutating func follow(until purchase: Int64) -> [Gap] {
    var gaps: [Gap] = []
    for _ in 0..<Self.mostUntold {
      guard let period = state.period, let next = catalogue.evidence?.untold(after: period.key),
        next.key.purchase < purchase, next.key.purchase >= period.purchase
      else { break }
      let isRenewal = follows(next.key.purchase)
      if !isRenewal {
        let bought = NextPurchase(next)
        gaps += [graceEnd(before: bought), lapse(before: bought)].compactMap(\.self)
        autoRenew.buy(at: bought.time, confidence: bought.confidence)
      }
      let isExact = period.expires == next.key.purchase
      state.enter(next, productId: products[next.product])
      noteRefund(of: next, productId: products[next.product])
      if isRenewal, let gap = renewal(at: next.key.purchase) {
        let renewal = weakened(gap, by: next.isListedWhole && isExact ? .documented : .inferred)
        if let renewal {
          autoRenew.renew(renewal, windows)
          gaps.append(renewal)
        }
      }
    }
    return gaps
  }

  /// A period that starts then renews the newest known one.
  func follows(_ purchase: Int64) -> Bool {
    guard let period = state.period, let expires = period.expires, purchase > period.purchase else { return false }
    return purchase >= expires.moved(by: -windows.early) && purchase <= expires.moved(by: windows.settled)
  }

  /// The renewal with which the period of a message began, where no message reports it.
  private func renewal(_ group: EventGroup, _ sight: LifeState.Sight) -> Gap? {
    guard case .newer(let purchase) = sight, follows(purchase), let transaction = group.facts.transaction,
      let name = transaction.lineName, !reported.contains(transaction.key(name)), var gap = renewal(at: purchase)
    else { return nil }
    if state.period?.expires != purchase { gap.confidence = max(gap.confidence, .inferred) }
    (gap.period, gap.productId) = (transaction.key(name), transaction.productId)
    gap.expires = transaction.expiresDate?.milliseconds
    return gap
  }

  /// A renewal without a message: that of a period that touches the one before may be a recovery inside its grace
  /// period, which keeps the billing date.
  private func renewal(at purchase: Int64) -> Gap? {
    let gap = gap(.renewal, purchase, "transactionInfo.purchaseDate", timing: .earliest)
    guard var gap, isComplete(from: purchase.moved(by: -windows.early), until: purchase.moved(by: windows.delivery))
    else { return gap }
    if catalogue.reportsRenewals(at: purchase) || state.isFailing {
      // V1 reported this renewal: one of the messages is about it that seem to be about something else.
      gap.confidence = max(gap.confidence, .inferred)
    } else {
      (gap.decided, gap.timing) = (gap.event, .exact)
    }
    return gap
  }

  /// No message about the subscription is missing that came in a time range, or reports what happened in it.
  func isComplete(from start: Int64, until end: Int64) -> Bool {
    catalogue.isComplete(from: start, until: end, isFamily: state.isFamilySeen)
  }
}
