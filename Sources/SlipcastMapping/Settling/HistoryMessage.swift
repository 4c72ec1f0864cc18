internal import SlipcastV2

/// What one record shows of one subscription: its event, and the periods and the renewal state of its snapshot.
///
/// Times are milliseconds since 1970 UTC.
package struct HistoryMessage: Hashable, Sendable {
  struct Period: Hashable, Sendable {
    /// Tells periods apart: the line item, else the transaction, hashed.
    var id: UInt64
    var product: UInt64
    var purchase: Int64
    /// `noTime` for a purchase without an expiry.
    var expires: Int64
    /// `noTime` for one that is not cancelled.
    var cancellation: Int64
    var traits: Traits

    /// Refunded or revoked: an upgrade also leaves a cancellation date, but takes nothing back.
    var isRevoked: Bool { cancellation != noTime && !traits.contains(.upgraded) }
    /// Apple took it back, or another purchase replaced it.
    var isTakenBack: Bool { cancellation != noTime || traits.contains(.upgraded) }
    /// When access ends.
    var end: Int64 { isRevoked ? min(expires, cancellation) : expires }

    /// Its position among the purchases, as `Period.order` of a record.
    private var order: Int64 { isRevoked ? min(purchase, cancellation) : purchase }

    func isNewer(than other: Self) -> Bool { (order, expires) > (other.order, other.expires) }
  }

  struct Traits: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    /// It has the subscription's original transaction; otherwise it is of the same group.
    static let own = Traits(rawValue: 1)
    static let upgraded = Traits(rawValue: 2)
    /// Its list would mark an upgrade.
    static let markable = Traits(rawValue: 4)
    static let family = Traits(rawValue: 8)
    /// It was refunded for a problem with the app.
    static let forApp = Traits(rawValue: 16)
    /// It was bought or renewed with a promotional offer or an offer code.
    static let offer = Traits(rawValue: 32)
  }

  struct Scope: OptionSet, Hashable, Sendable {
    let rawValue: UInt16

    /// It has a list of transactions.
    static let list = Scope(rawValue: 1)
    /// The list is shorter than Apple's limit, so it shows every period.
    static let whole = Scope(rawValue: 2)
    /// Purchases of the record may be of the same group, which they do not name.
    static let groupUnclear = Scope(rawValue: 4)
    /// It has the subscription's renewal entry.
    static let renewal = Scope(rawValue: 8)
    static let sandbox = Scope(rawValue: 16)
    /// The record names the subject of its event.
    static let named = Scope(rawValue: 32)
    /// Values are missing, so that more events are possible than the row names.
    static let open = Scope(rawValue: 64)
    /// The record's event may be about this subscription, but more likely is about another one.
    static let unclear = Scope(rawValue: 128)
    /// The reading is inferred only because the record does not name its subscription.
    static let lacksName = Scope(rawValue: 256)
  }

  /// As in the rows of a record: differences with it do not overflow.
  static let noTime = SlipcastMapping.Period.none

  package var witness: Settlement.Witness
  /// The event's id, as two halves; 0 for a snapshot without an event of this subscription.
  var high: UInt64 = 0
  var low: UInt64 = 0
  /// How repeated deliveries of the event are distinguished from separate events; state and content as in `EventTrace`.
  var kind = EventTrace.Kind.dated
  var state: UInt64 = 0
  var content: UInt64 = 0
  var type = LegacyType.unknown
  /// The place of the deciding row in `RuleSet.types`, or -1.
  package internal(set) var rule = -1
  var confidence = Confidence.documented
  var receivedAt = noTime
  var eventTime = noTime
  /// The record was written at this time or later.
  var writtenFrom = noTime
  var autoRenew: Bool?
  var statusChange = noTime
  var isRetrying: Bool?
  var grace = noTime
  var intent: Int8 = 0
  /// The offer of the next period, hashed; 0 for none.
  var pendingOffer: UInt64 = 0
  /// The product of the next period, hashed; 0 for none.
  var nextProduct: UInt64 = 0
  var scope = Scope()
  /// The place of the event's period in `periods`, or -1.
  var target = -1
  var periods: [Period] = []

  /// A message that shows nothing.
  package init(witness: Settlement.Witness) { self.witness = witness }

  /// The message with its record's number counted from the start of the source.
  package func moved(source: Int, after records: Int) -> HistoryMessage {
    var message = self
    message.witness = Settlement.Witness(source: source, record: witness.record + records)
    return message
  }

  /// What decides whether the message repeats another one of its subscription; `nil` for a snapshot without an event.
  package var trace: EventTrace? {
    guard high != 0 || low != 0 else { return nil }
    var trace = EventTrace()
    (trace.kind, trace.subscription, trace.state, trace.content) = (kind, 1, state, content)
    (trace.high, trace.low) = (high, low)
    trace.receivedAt = receivedAt == Self.noTime ? nil : receivedAt
    trace.isSandbox = scope.contains(.sandbox)
    return trace
  }

  /// The event's period, as the message shows it.
  var about: Period? { target < 0 ? nil : periods[target] }

  var time: Int64? { eventTime != Self.noTime ? eventTime : receivedAt != Self.noTime ? receivedAt : nil }

  /// Nothing in the record, and not its received time, is later than a time.
  func isWritten(by time: Int64) -> Bool {
    writtenFrom <= time && (receivedAt == Self.noTime || receivedAt <= time)
  }

  /// The message of a failed renewal shows a period as paid: it was written after the recovery.
  ///
  /// - Parameter early: how long before the expiry Apple tries a renewal at most, in milliseconds.
  func isPaid(_ period: Period, early: Int64) -> Bool {
    let isHealthy =
      scope.contains(.renewal) && isRetrying != true && intent == 0 && grace == Self.noTime
    return isHealthy && receivedAt != Self.noTime && period.expires - receivedAt > early
  }

  var newest: Period? {
    periods.lazy.filter { $0.traits.contains(.own) && !$0.traits.contains(.upgraded) && $0.expires != Self.noTime }
      .max { $1.isNewer(than: $0) }
  }

  /// The period before one: the newest older one of the subscription, else of its group.
  ///
  /// - Parameter early: how long before the expiry Apple charges a renewal at most, in milliseconds.
  func period(before id: UInt64, early: Int64) -> Period? {
    guard let own = periods.first(where: { $0.id == id }) else { return nil }
    let earlier = periods.lazy.filter { period in
      period.id != id && own.isNewer(than: period) && period.expires != Self.noTime
        && !period.isEndedBefore(by: own, in: periods, early: early)
    }
    return earlier.max { known, period in
      let (wasOwn, isOwn) = (known.traits.contains(.own), period.traits.contains(.own))
      return isOwn == wasOwn ? period.isNewer(than: known) : isOwn
    }
  }
}

extension HistoryMessage.Period {
  /// A renewal that was charged early, and that another purchase ended before it began.
  ///
  /// - Parameters:
  ///   - own: a purchase that does not count.
  ///   - periods: where the other purchase may be.
  func isEndedBefore(by own: Self, in periods: some Collection<Self>, early: Int64) -> Bool {
    guard traits.contains(.upgraded), periods.count <= SubjectFinder.mostSearched,
      let renewed = periods.first(where: { $0.traits.contains(.own) && $0.expires == purchase })
    else { return false }
    return periods.contains { other in
      other.id != own.id && other.id != id && other.traits.contains(.own) && other.product != product
        && other.purchase <= purchase && purchase - other.purchase <= early && other.purchase > renewed.purchase
        && other.expires != HistoryMessage.noTime && other.expires > purchase
    }
  }
}
