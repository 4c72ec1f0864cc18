internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastTimeline
internal import SlipcastV2

/// The life of the customer at hand as one archive shows it, as far as it decides access at one time.
///
/// Only the records around that time are read: those of the last period that had begun by then, and of the first one
/// after it.
struct SideLife {
  /// Access is judged then.
  var time: Int64
  /// Records that were written after this time do not count; `nil`: all count as far as their dates allow.
  let limit: Int64?
  /// A revocation after the time is the end of access; else it is a later event.
  let looksAhead: Bool
  /// How much two clocks may differ, in milliseconds.
  let tolerance: Int64
  let catalogue: GapCatalogue

  private var states: LifeStates
  /// The last record about each period, or whose list shows it.
  private var tellers: [UntoldPeriod.Key: PairEvent] = [:]
  /// The same where it is a record about another subscription.
  private var sightings: [UntoldPeriod.Key: Sighting] = [:]
  private(set) var last: PairEvent?
  /// When the last period that had begun, and the first one that had not, were bought.
  private var (floor, next) = (Int64.min, Int64.max)
  /// The purchases that were not later, and whether any record shows that they may have been replaced.
  private var begun: [Int64: Bool] = [:]
  /// V1's refund of a purchase of which it states nothing else.
  private var refund: PairEvent?
  /// A record, or what it is about, is not later than the time.
  private(set) var isBegun = false

  init(at time: Int64, limit: Int64?, looksAhead: Bool, tolerance: Int64, catalogue: GapCatalogue) {
    (self.time, self.limit, self.looksAhead) = (time, limit, looksAhead)
    (self.tolerance, self.catalogue) = (tolerance, catalogue)
    states = LifeStates(catalogue: catalogue)
  }

  mutating func clear() {
    guard last != nil || !sightings.isEmpty || !begun.isEmpty || next != .max else { return }
    self = SideLife(at: time, limit: limit, looksAhead: looksAhead, tolerance: tolerance, catalogue: catalogue)
  }

  /// Notes events in their order: by time for notifications, and by the time of the answer, newest first, for what answers
  /// list.
  ///
  /// - Parameter seen: what records about other subscriptions show.
  mutating func note(_ events: [PairEvent], _ seen: [Sighting], _ view: RecordView) {
    for event in events where counts(event) { find(event) }
    let seen = seen.filter { counts($0.time) }
    for listed in seen.lazy.flatMap(\.listed) { note(listed.key.purchase, isReplaced: listed.mayBeReplaced) }
    floor = begun.lazy.filter { !$0.value }.map(\.key).max() ?? .min
    for sighting in seen {
      for listed in sighting.listed where add(listed) { sightings[listed.key] = sighting }
    }
    guard let last else { return }
    for event in events where counts(event) && (decides(event) || event === last) { read(event, view) }
  }

  func counts(_ event: PairEvent) -> Bool { counts(event.time) }

  private func counts(_ time: Int64?) -> Bool {
    guard let limit, let time else { return true }
    return time <= limit
  }

  /// Finds what decides, without reading records.
  private mutating func find(_ event: PairEvent) {
    // Of answers the newest comes first.
    if last == nil || event.head.unit == .notification { last = event }
    if !isLater(event.time) || !isLater(event.keys.purchaseDate) { isBegun = true }
    if let purchase = event.keys.purchaseDate { note(purchase, isReplaced: event.mayBeReplaced) }
    for listed in event.listed { note(listed.key.purchase, isReplaced: listed.mayBeReplaced) }
  }

  private mutating func note(_ purchase: Int64, isReplaced: Bool) {
    if isLater(purchase) {
      next = min(next, purchase)
    } else {
      begun[purchase, default: false] = begun[purchase] == true || isReplaced
    }
  }

  /// A replaced period with a later purchase may never have begun, so it counts too.
  private func decides(_ purchase: Int64) -> Bool { isLater(purchase) ? purchase == next : purchase >= floor }

  private func decides(_ event: PairEvent) -> Bool {
    guard let purchase = event.keys.purchaseDate, !decides(purchase) else { return true }
    return event.listed.contains { decides($0.key.purchase) }
  }

  private mutating func read(_ event: PairEvent, _ view: RecordView) {
    event.show(in: view)
    states.learn(isSandbox: event.keys.isSandbox)
    if view.isRefundOfUnlisted, !isLater(event.time) { refund = event }
    for listed in event.listed where add(listed) { tellers[listed.key] = tellers[listed.key] ?? event }
    let own = LifeFact(view)
    // What a record says of the newest period, next to that period, adds nothing about a newer one.
    if let end = view.newestEnd, own?.isNewest != true { states.note(newestEnd: end, shownAt: event.time ?? .min) }
    guard var fact = own else { return }
    // Older answers about a period do not count; where no date shows which is older, what was taken back stays so.
    if event.head.unit != .notification, let newer = tellers[fact.key], let time = event.time, time != newer.time {
      return
    }
    if !looksAhead, isLater(fact.revocation) { fact.revocation = nil }
    states.add(fact)
    if event.head.unit == .notification || tellers[fact.key] == nil || fact.revocation != nil {
      tellers[fact.key] = event
    }
  }

  /// Adds what a list shows; false where that decides nothing.
  private mutating func add(_ listed: UntoldPeriod) -> Bool {
    guard decides(listed.key.purchase) else { return false }
    var listed = listed
    if !looksAhead, listed.revocation != .max, isLater(listed.revocation) { listed.revocation = .max }
    states.note(listed)
    return true
  }

  private func isLater(_ date: Int64?) -> Bool {
    date.map { $0.subtractingReportingOverflow(tolerance).partialValue > time } ?? false
  }

  /// Access at the time, and the record that shows it.
  func state(_ view: RecordView) -> AccessState {
    guard let last else { return AccessState() }
    let found = states.access(at: time, tolerance: tolerance)
    if let refund, found.period == nil || found.access == .yes && found.until == nil {
      var state = described(by: refund, view)
      (state.access, state.reason) = (.no, .refunded)
      return state
    }
    var state = described(by: found.period.flatMap { tellers[$0] } ?? last, view)
    if let key = found.period, tellers[key] == nil, let sighting = sightings[key] {
      (state.record, state.id) = (sighting.record, sighting.id)
    }
    (state.access, state.reason, state.until) = (found.access, found.reason, found.until)
    return state
  }

  private func described(by event: PairEvent, _ view: RecordView) -> AccessState {
    event.show(in: view)
    var state = AccessState(view)
    state.id = event.id
    return state
  }
}

extension UntoldPeriod {
  /// It is marked as upgraded, or was taken back, maybe before it began: an older period may have run then.
  fileprivate var mayBeReplaced: Bool { isUpgraded || revocation != .max }
}

extension PairEvent {
  /// The same of the period that it is about; a cancellation in a form without the mark may be an upgrade too.
  fileprivate var mayBeReplaced: Bool {
    keys.isUpgraded || head.isAbsorbed || keys.revocationDate != nil
      || keys.event.notificationType == NotificationType.refund.rawValue
  }
}
