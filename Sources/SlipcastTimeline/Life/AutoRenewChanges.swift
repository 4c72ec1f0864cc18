internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// When auto-renew was turned on and off, as the messages of a life state it.
struct AutoRenewChanges {
  struct Change {
    /// Milliseconds since 1970 UTC.
    var time: Int64
    var status: AutoRenewStatus
    /// Else it is what a message shows that may be older, or about something else.
    var isCertain: Bool
    var evidence: [Int64]

    /// What an interval may state of it.
    func status(in interval: LifeInterval) -> AutoRenewStatus? {
      isCertain || interval.confidence >= .inferred ? status : nil
    }
  }

  /// In the order in which they came.
  private var changes: [Change] = []

  var inOrder: [Change] { changes.sorted { $0.time < $1.time } }

  /// Takes what a message says, and the messages that it absorbed.
  mutating func add(_ group: EventGroup, _ evidence: [Int64], _ windows: LifeWindows) {
    // The renewal entry of a change that was written late may show a later choice.
    let turned = group.lead.isChange ? group.facts.turnsAutoRenewOn.map { $0 ? AutoRenewStatus.on : .off } : nil
    if let status = turned ?? group.facts.renewal?.autoRenewStatus?.known, let time = group.time {
      // The first one contradicts nothing.
      let isCertain = changes.isEmpty || states(group, status, at: time, windows)
      // A message about a purchase says how the renewal stands from then on; others may come between.
      let purchase = isCertain && group.reportsPurchase ? group.facts.purchase : nil
      for time in [purchase.map { min($0, time) }, time].compactMap(\.self) {
        change(to: status, at: time, isCertain: isCertain, evidence)
      }
    }
    for companion in group.companions where companion.event.isChange {
      guard let turnsOn = companion.turnsAutoRenewOn, let time = companion.time else { continue }
      // Which status the companion of an upgrade has, Apple does not document.
      let isCertain = turnsOn || !group.reportsPurchase
      change(to: turnsOn ? .on : .off, at: time, isCertain: isCertain, evidence)
    }
  }

  /// Takes a renewal that no message reports: what is renewed has auto-renew on.
  mutating func renew(_ gap: Gap, _ windows: LifeWindows) {
    guard !isKnown(.on), !isChoiceKept(at: gap.time, windows) else { return }
    change(to: .on, at: gap.time, isCertain: gap.confidence <= .corroborated, [])
  }

  /// Where a message is not certain and contradicts others, nothing is from then on.
  private mutating func change(to status: AutoRenewStatus, at time: Int64, isCertain: Bool, _ evidence: [Int64]) {
    guard isCertain || !isKnown(status) else { return }
    changes.append(Change(time: time, status: status, isCertain: isCertain, evidence: evidence))
  }

  private func isKnown(_ status: AutoRenewStatus) -> Bool {
    changes.last.map { $0.isCertain && $0.status == status } ?? false
  }

  /// A message states it as of the time of its event; a body that was written later may show another choice.
  private func states(_ group: EventGroup, _ status: AutoRenewStatus, at time: Int64, _ windows: LifeWindows) -> Bool {
    if group.isOfServer { return true }
    // Whatever a change led to, it states the choice, unless it may be the companion of a purchase.
    if group.lead.isChange, !group.reportsPurchase { return group.confidence != .inferred }
    guard group.candidates.isEmpty, group.confidence ?? .documented <= .corroborated else { return false }
    if group.mayBe(.didRenew), isChoiceKept(at: time, windows) { return false }
    // Who buys or renews has it on.
    if group.reportsPurchase { return status == .on }
    // A failed renewal is dated by the end of the period, and told before.
    let received = group.lead.receivedAt.map { ($0 - time).magnitude }
    return group.timeSource == .eventTime && received.map { $0 <= windows.action } ?? false
  }

  /// Apple charges a renewal before the period begins: what the customer chose shortly before that came after it.
  private func isChoiceKept(at time: Int64, _ windows: LifeWindows) -> Bool {
    guard let last = changes.last, !isKnown(.on) else { return false }
    return time - last.time <= windows.early
  }
}

extension StoredEvent {
  /// The message is about a change of auto-renew, or the companion of another one.
  fileprivate var isChange: Bool { notification_type == PairFit.changeOfStatus }
}
