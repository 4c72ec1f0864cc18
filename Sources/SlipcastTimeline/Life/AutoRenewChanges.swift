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
    /// How certain it is; inferred is what a message shows that may be older, or about something else.
    var confidence: Confidence
    var evidence: [Int64]

    var isCertain: Bool { confidence <= .corroborated }

    /// What an interval may state of it.
    func status(in interval: LifeInterval) -> AutoRenewStatus? {
      isCertain || interval.confidence >= .inferred ? status : nil
    }
  }

  private(set) var inOrder: [Change] = []

  /// It was turned off then or later, or is off.
  func isOff(since time: Int64) -> Bool {
    inOrder.last?.status == .off || inOrder.contains { $0.status == .off && $0.time >= time }
  }

  /// Takes what a message says, and the messages that it absorbed.
  mutating func add(_ group: EventGroup, _ evidence: [Int64], _ windows: LifeWindows) {
    // The renewal entry of a change that was written late may show a later choice.
    let turned = group.lead.isChange ? group.facts.turnsAutoRenewOn.map { $0 ? AutoRenewStatus.on : .off } : nil
    if let status = turned ?? group.facts.renewal?.autoRenewStatus?.known, let time = group.time {
      let isCertain = states(group, status, at: time, windows)
      let confidence = isCertain ? group.confidence.map { min($0, .corroborated) } ?? .documented : .inferred
      // A message about a purchase says how the renewal stands from then on; others may come between.
      let isSince = group.reportsPurchase && (isCertain || inOrder.isEmpty)
      let purchase = isSince ? group.facts.purchase : nil
      for time in [purchase.map { min($0, time) }, time].compactMap(\.self) {
        change(to: status, at: time, confidence: confidence, evidence)
      }
    }
    for companion in group.companions where companion.event.isChange {
      guard let turnsOn = companion.turnsAutoRenewOn, let time = companion.time else { continue }
      // Which status the companion of an upgrade has, Apple does not document.
      let isCertain = turnsOn || !group.reportsPurchase
      change(to: turnsOn ? .on : .off, at: time, confidence: isCertain ? .documented : .inferred, evidence)
    }
    for companion in group.companions where !companion.event.isChange { add(companion, to: group.lead, windows) }
  }

  /// Takes what another message about the same event says: its body is of a later time than the lead's, if it came later.
  private mutating func add(_ companion: EventGroup.Companion, to lead: StoredEvent, _ windows: LifeWindows) {
    guard let turnsOn = companion.turnsAutoRenewOn, let happened = companion.time else { return }
    let received = companion.event.receivedAt
    if let received, let first = lead.receivedAt, received <= first { return }
    let time = max(received ?? happened, happened)
    // Apple may have tried to deliver it for days; and without times of receipt nothing says which body is later.
    let isCertain = received != nil && lead.receivedAt != nil && time - happened <= windows.action
    let status: AutoRenewStatus = turnsOn ? .on : .off
    guard inOrder.last(where: { $0.time <= time })?.status != status else { return }
    change(to: status, at: time, confidence: isCertain ? .documented : .inferred, [companion.event.place])
  }

  /// Takes a renewal that no message reports: what is renewed has auto-renew on.
  mutating func renew(_ gap: Gap, _ windows: LifeWindows) {
    guard !isChoiceKept(at: gap.time, windows) else { return }
    buy(at: gap.time, confidence: gap.confidence)
  }

  /// Takes a purchase that no message reports: who buys has auto-renew on.
  mutating func buy(at time: Int64, confidence: Confidence) {
    guard !isKnown(.on, at: time) else { return }
    change(to: .on, at: time, confidence: confidence, [])
  }

  /// A message that is not certain and contradicts another one makes auto-renew uncertain from then on.
  private mutating func change(
    to status: AutoRenewStatus, at time: Int64, confidence: Confidence, _ evidence: [Int64]
  ) {
    guard confidence <= .corroborated || !isKnown(status, at: time) else { return }
    // A companion may be later than the next event.
    let place = inOrder.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
    inOrder.insert(Change(time: time, status: status, confidence: confidence, evidence: evidence), at: place)
  }

  private func isKnown(_ status: AutoRenewStatus, at time: Int64) -> Bool {
    inOrder.last { $0.time <= time }.map { $0.isCertain && $0.status == status } ?? false
  }

  /// A message states it as of the time of its event; a body that was written later may show another choice.
  private func states(_ group: EventGroup, _ status: AutoRenewStatus, at time: Int64, _ windows: LifeWindows) -> Bool {
    if group.isOfServer { return true }
    // Whatever a change led to, it states the choice, unless it may be the companion of a purchase.
    if group.lead.isChange, !group.reportsPurchase { return group.confidence != .inferred }
    guard group.candidates.isEmpty, group.confidence ?? .documented <= .corroborated else { return false }
    let isCharge = group.mayBe(.didRenew) || group.mayBe(.didFailToRenew)
    if isCharge, isChoiceKept(at: time, windows) { return false }
    // Who buys has it on, and what Apple tries to renew.
    if isCharge || group.reportsPurchase { return status == .on }
    let received = group.lead.receivedAt.map { ($0 - time).magnitude }
    return group.timeSource == .eventTime && received.map { $0 <= windows.action } ?? false
  }

  /// Apple charges a renewal, or fails to, before its period begins: what was chosen shortly before came after that.
  private func isChoiceKept(at time: Int64, _ windows: LifeWindows) -> Bool {
    guard let last = inOrder.last(where: { $0.time <= time }), !isKnown(.on, at: time) else { return false }
    return time - last.time <= windows.early
  }
}

extension StoredEvent {
  /// The message is about a change of auto-renew, or the companion of another one.
  fileprivate var isChange: Bool { notification_type == PairFit.changeOfStatus }
}
