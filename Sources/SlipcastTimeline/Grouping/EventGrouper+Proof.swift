internal import SlipcastBulk
internal import SlipcastMapping

// Auto-renew off near an upgrade is either the upgrade's companion message or a change by the customer. A later message
// with "on, and unchanged since before that" shows that it was the companion message.

extension EventGrouper {
  /// Marks the events that a later message proves to be companion messages.
  func decideCompanions(by new: HeldEvent) {
    guard let start = new.facts.autoRenewOnSince else { return }
    for event in held where event.isUndecidedOff && event.key <= new.key {
      if let time = event.time, start <= time { event.isProvenCompanion = true }
    }
  }

  /// A change to off is near an upgrade, and a later message may still prove that it is the companion message.
  ///
  /// Once auto-renew is changed again, no later message can.
  func isWaiting(for first: HeldEvent) -> Bool {
    let last = held.last { $0.event.notification_type == PairFit.changeOfStatus }
    return held.contains { event in
      event.isUndecidedOff && !event.isProvenCompanion && event === last
        && (event === first || couldLead(first, event))
    }
  }

  /// The two would belong together if the later one did not turn auto-renew off.
  private func couldLead(_ lead: HeldEvent, _ companion: HeldEvent) -> Bool {
    guard let one = lead.type, let two = companion.type, let distance = lead.distance(to: companion) else {
      return false
    }
    return table.pairs(one, two).contains { pair in
      pair.rule.conditions.contains(.notOff) && distance <= UInt64(max(0, pair.milliseconds))
        && lead.readings.contains(where: pair.rule.to.contains)
    }
  }
}
