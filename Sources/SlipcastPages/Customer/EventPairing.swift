internal import SlipcastMapping
internal import SlipcastStores
internal import SlipcastTimeline
internal import SlipcastV2
internal import SlipcastWire

/// Finds Apple's V2 notification of a V1 event of the same subscription.
///
/// It is the one of a possible reading, about the same period as far as both state it, that is nearest in time and no
/// further away than a window of `decisions.json`; else one of the same type with another subtype; else, for a message
/// without a date, one within the days in which Apple repeats a delivery. Each is in one pair at most.
///
/// `parity` asks more of a pair (`PairFinder`): the renewal state, the ownership, the standing of each companion. It
/// reads them from both records, and a page would have to read the bodies of all records of a customer again. What a
/// page pairs are the events of the two lives, of which companions are a part already and traces without a message are
/// too: those no report of `parity` has. The windows, the readings and the types that a period has once are the same
/// rules.
struct EventPairing: Sendable {
  /// How far the two may be from each other, in milliseconds.
  let window: Int64
  /// The same where the line item and the type identify the event: V1 states the start of a period that Apple charged
  /// before, or nothing but when its message came.
  let identified: Int64

  init(rules: RuleSet, isSandbox: Bool) {
    let (server, delivery) = (rules.window(.server), rules.window(.delivery))
    window = isSandbox ? server.sandbox : server.milliseconds
    identified = isSandbox ? delivery.sandbox : delivery.milliseconds
    onceInAPeriod = rules.onceInAPeriod
  }

  /// Types of which a period has one event.
  private let onceInAPeriod: Set<String>

  struct Counterpart: Sendable {
    var notice: StoredNotice
    /// V2 has another type than V1's best reading.
    var differs: Bool
  }

  /// What is looked at around the time of an event.
  private static let nearest = 32

  /// How much two events may differ; what is surer comes before what is less sure.
  private enum Pass: CaseIterable {
    /// V2 has one of V1's readings.
    case reading
    /// V2 has V1's type with another subtype.
    case type
    /// V2 has one of V1's readings, and V1 states no time but that of a delivery, which Apple repeats for days.
    case delivery
  }

  func pair(_ customer: inout Customer, _ notices: [StoredNotice]) {
    let ordered = notices.sorted { ($0.time ?? 0, $0.place) < ($1.time ?? 0, $1.place) }
    let named = Dictionary(grouping: ordered, by: Self.name)
    let typed = Dictionary(grouping: ordered) { $0.notificationType ?? "" }
    var taken: Set<String> = []
    // What V1's messages report comes before what only a trace shows.
    let events = customer.legacy.life.entries.compactMap { Event($0) }
    for entries in [events.filter { !$0.isTrace }, events.filter(\.isTrace)] {
      for pass in Pass.allCases {
        for event in entries where customer.counterparts[event.key] == nil && (pass != .delivery || event.isUndated) {
          let names = pass == .type ? event.types : event.readings
          for name in names {
            let free = pass == .type ? typed[name] : named[name]
            guard let found = nearest(free ?? [], to: event, pass, taken) else { continue }
            taken.insert(found.notificationUUID)
            let differs = Self.name(found) != event.readings.first
            customer.counterparts[event.key] = Counterpart(notice: found, differs: differs)
            break
          }
        }
      }
    }
    customer.serverOnly = notices.filter { !taken.contains($0.notificationUUID) }
  }

  private static func name(_ notice: StoredNotice) -> String {
    [notice.notificationType ?? "", notice.subtype].compactMap(\.self).joined(separator: "/")
  }

  private func nearest(
    _ notices: [StoredNotice], to event: Event, _ pass: Pass, _ taken: Set<String>
  ) -> StoredNotice? {
    guard let time = event.time else { return nil }
    var (low, high) = (0, notices.count)
    while low < high {
      let middle = (low + high) / 2
      if (notices[middle].time ?? 0) < time { low = middle + 1 } else { high = middle }
    }
    let near = notices[max(0, low - Self.nearest)..<min(notices.count, low + Self.nearest)]
    let fitting = near.filter { notice in
      guard !taken.contains(notice.notificationUUID), let other = notice.time else { return false }
      let isSame = event.isSamePeriod(notice)
      let isOnce = isSame == true && onceInAPeriod.contains(notice.notificationType ?? "")
      let length = pass == .delivery || isOnce ? max(window, identified) : window
      return isSame ?? (pass == .reading) && distance(other, time) <= length.magnitude
    }
    return fitting.min { distance($0.time ?? 0, time) < distance($1.time ?? 0, time) }
  }

  private func distance(_ one: Int64, _ other: Int64) -> UInt64 {
    one < other ? UInt64(bitPattern: other &- one) : UInt64(bitPattern: one &- other)
  }
}

extension EventPairing {
  /// What of an entry finds its counterpart.
  struct Event: Sendable {
    /// What `Customer.counterparts` calls it.
    var key: String
    /// No message reports it.
    var isTrace: Bool
    var time: Int64?
    /// The time is that of a delivery.
    var isUndated = false
    /// The best first.
    var readings: [String]
    var lineItem: String?
    var transactionId: String?

    /// - Returns: `nil` for an entry without an event of V1.
    init?(_ entry: TimelineEntry) {
      switch entry {
      case .event(let group):
        guard let uuid = group.facts.notificationUUID else { return nil }
        (key, isTrace, time, isUndated) = (uuid, false, group.time, group.timeSource != .eventTime)
        let candidates = group.candidates.map { candidate in
          [candidate.notificationType?.rawValue ?? "", candidate.subtype?.rawValue].compactMap(\.self)
            .joined(separator: "/")
        }
        readings = [group.event?.description].compactMap(\.self) + candidates
        lineItem = group.facts.transaction?.webOrderLineItemId
        transactionId = group.facts.transaction?.transactionId
      case .gap(let gap):
        (key, isTrace, time) = ("\(gap.rule) \(gap.time)", true, gap.time)
        readings = [gap.event.description] + gap.candidates.map(\.description)
      case .transaction: return nil
      }
    }

    /// V2's types of the readings.
    var types: [String] {
      readings.map { String($0.prefix { $0 != "/" }) }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// Whether a notification is about the same period; `nil` where one of the two does not state it.
    func isSamePeriod(_ notice: StoredNotice) -> Bool? {
      if let one = notice.webOrderLineItemId, let two = lineItem { return one == two }
      if let one = notice.transactionId, let two = transactionId { return one == two }
      return nil
    }
  }
}
