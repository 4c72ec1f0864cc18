internal import SlipcastMapping
internal import SlipcastStores
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// Finds Apple's V2 notification of a V1 event of the same subscription.
///
/// It is the one of a possible reading, about the same period as far as both state it, that is nearest in time and no
/// further away than the window of `decisions.json`. Each is in one pair at most.
struct EventPairing: Sendable {
  /// In milliseconds.
  let window: Int64

  struct Counterpart: Sendable {
    var notice: StoredNotice
    /// V2 has another type than V1's best reading.
    var differs: Bool
  }

  /// What is looked at around the time of an event.
  private static let nearest = 32

  func pair(_ customer: inout Customer, _ notices: [StoredNotice]) {
    var free: [String: [StoredNotice]] = [:]
    for notice in notices.sorted(by: { ($0.time ?? 0, $0.place) < ($1.time ?? 0, $1.place) }) {
      free[Self.name(notice), default: []].append(notice)
    }
    var taken: Set<String> = []
    for entry in customer.legacy.life.entries {
      guard case .event(let group) = entry, let uuid = group.facts.notificationUUID else { continue }
      for name in Self.readings(group) {
        guard let found = nearest(free[name] ?? [], to: group, taken) else { continue }
        taken.insert(found.notificationUUID)
        customer.counterparts[uuid] = Counterpart(notice: found, differs: name != Self.readings(group).first)
        break
      }
    }
    customer.serverOnly = notices.filter { !taken.contains($0.notificationUUID) }
  }

  private static func name(_ notice: StoredNotice) -> String {
    [notice.notificationType ?? "", notice.subtype].compactMap(\.self).joined(separator: "/")
  }

  /// The readings of an event, the best first.
  static func readings(_ group: EventGroup) -> [String] {
    let candidates = group.candidates.map { candidate in
      [candidate.notificationType?.rawValue ?? "", candidate.subtype?.rawValue].compactMap(\.self)
        .joined(separator: "/")
    }
    return [group.event?.description].compactMap(\.self) + candidates
  }

  private func nearest(_ notices: [StoredNotice], to group: EventGroup, _ taken: Set<String>) -> StoredNotice? {
    guard let time = group.time else { return nil }
    var (low, high) = (0, notices.count)
    while low < high {
      let middle = (low + high) / 2
      if (notices[middle].time ?? 0) < time { low = middle + 1 } else { high = middle }
    }
    let near = notices[max(0, low - Self.nearest)..<min(notices.count, low + Self.nearest)]
    let fitting = near.filter { notice in
      guard !taken.contains(notice.notificationUUID), let other = notice.time else { return false }
      let distance = other.distance(to: time).magnitude
      return distance <= window.magnitude && isSamePeriod(notice, group)
    }
    return fitting.min { ($0.time ?? 0).distance(to: time).magnitude < ($1.time ?? 0).distance(to: time).magnitude }
  }

  private func isSamePeriod(_ notice: StoredNotice, _ group: EventGroup) -> Bool {
    let transaction = group.facts.transaction
    if let one = notice.webOrderLineItemId, let two = transaction?.webOrderLineItemId { return one == two }
    if let one = notice.transactionId, let two = transaction?.transactionId { return one == two }
    return true
  }
}
