internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
internal import SlipcastWire

/// The order of a subscription's messages: by their times, but for recoveries inside a grace period.
///
/// Such a recovery keeps the old billing date as its purchase date, so the dates of its period do not say when it
/// happened: it is after every message that knows only older periods, and not after its own delivery.
struct LifeOrder {
  let catalogue: GapCatalogue

  /// More recoveries of one subscription stay where they are: their time would grow with the square.
  private static let mostRecoveries = 1000

  /// - Parameter groups: events in the order of their times.
  func ordered(_ groups: [EventGroup]) -> [EventGroup] {
    let recoveries = groups.indices.filter { groups[$0].isDatedRecovery }
    guard !recoveries.isEmpty, recoveries.count <= Self.mostRecoveries else { return groups }
    let places = recoveries.filter { isInsideGrace(groups[$0], in: groups) }
    let moved = Set(places)
    var ordered = groups.indices.filter { !moved.contains($0) }.map { groups[$0] }
    for place in places {
      var group = groups[place]
      let received = group.lead.receivedAt
      (group.time, group.timeSource) = (received, received == nil ? .unknown : .receivedAt)
      let next = position(of: group, in: ordered, from: place)
      group.after = next > 0 ? ordered[next - 1].facts.notificationUUID : nil
      ordered.insert(group, at: next)
    }
    return ordered
  }

  private func position(of group: EventGroup, in others: [EventGroup], from place: Int) -> Int {
    if let time = group.time {
      return others.firstIndex { ($0.time ?? .min) > time } ?? others.count
    }
    let purchase = group.facts.purchase ?? .max
    let last = others.lastIndex { $0.knowsOnly(before: purchase) }
    return max(last.map { $0 + 1 } ?? 0, min(place, others.count))
  }

  /// Its period follows the period before without a break.
  private func isInsideGrace(_ group: EventGroup, in groups: [EventGroup]) -> Bool {
    guard let purchase = group.facts.purchase else { return false }
    let gap = catalogue.windows(isSandbox: group.isSandbox).gap
    return groups.contains { other in
      guard let period = other.facts.transaction, let expires = period.expiresDate?.milliseconds,
        let start = period.purchaseDate?.milliseconds, start < purchase
      else { return false }
      return (expires - gap...expires + gap).contains(purchase)
    }
  }
}

extension EventGroup {
  /// A certain recovery that has the date of its period.
  fileprivate var isDatedRecovery: Bool {
    candidates.isEmpty && notificationType == NotificationType.didRenew.rawValue
      && subtype == Subtype.billingRecovery.rawValue && timeSource == .eventTime && time != nil
      && time == facts.purchase
  }

  var isSandbox: Bool { facts.environment == Environment.sandbox.rawValue }

  /// It is about an older period, and not because it takes this period back.
  fileprivate func knowsOnly(before purchase: Int64) -> Bool {
    guard let own = facts.purchase, own < purchase else { return false }
    return !(EventName.takesBack(notificationType) && candidates.isEmpty)
  }
}
