public import SlipcastV2

/// One event that the trace of a server event may stand for, and the values that it needs.
public struct TracedEvent: Hashable, Sendable {
  /// The event.
  public var event: EventName
  /// The expiration intents that a period may have which ends so; empty for any.
  public var intents: [ExpirationIntent] = []
  /// The era from which V2 sends it; `nil` for always.
  public var since: String?
  /// The era until which V2 sent it; `nil` for always.
  public var until: String?
  /// It changes the product, now or with the next period.
  public var changesProduct = false
}

extension ServerEvent {
  /// The events that the trace may stand for, each once; empty where it shows which.
  public var candidates: [EventName] {
    traced.reduce(into: []) { events, one in
      if !events.contains(one.event) { events.append(one.event) }
    }
  }
}
