internal import SlipcastDigest
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// What of a V1 message decides whether it repeats another one.
package struct EventTrace: Hashable, Sendable {
  /// How repeated deliveries of an event are distinguished from separate events.
  package enum Kind: UInt8, Sendable {
    /// The message states when the event happened: an equal id is a duplicate.
    case dated
    /// The message states no time: an equal id is a duplicate only while the renewal state does not change.
    case undated
    /// A request that Apple repeats on purpose, or a message that names no purchase: a duplicate has equal content too,
    /// and came within the window.
    case request
    /// As a request, and Apple repeats it only after a while: two that come sooner are two events. What it is about was
    /// at best chosen among the purchases of its list.
    case retried

    /// Only equal content makes a duplicate.
    package var needsContent: Bool { self == .request || self == .retried }
  }

  package var kind = Kind.dated
  package var isSandbox = false
  /// Tells subscriptions apart.
  package var subscription: UInt64 = 0
  /// The renewal state that the message shows; 0 for a message that shows none.
  package var state: UInt64 = 0
  /// When the message was received, milliseconds since 1970 UTC.
  package var receivedAt: Int64?
  /// The id of the first event with this key.
  package var high: UInt64 = 0
  package var low: UInt64 = 0
  /// A digest of the content, for requests.
  package var content: UInt64 = 0

  package init() {}
}

/// Gives the later events of one key their ids.
///
/// Events that equal each other in all that V1 states get ids one after another: the first one has the id of the key, which
/// is also that of a message converted alone; the others have a UUID of version 5 of that id and their ordinal.
package final class OrdinalIdentity {
  private let maker = SHA1UUID(namespace: EventIdentity.namespace)

  package init() {}

  /// The id of an event.
  ///
  /// - Parameters:
  ///   - first: the id of the first event with the key.
  ///   - ordinal: how many separate events with the key came before.
  package func id(_ first: (high: UInt64, low: UInt64), ordinal: Int) -> (high: UInt64, low: UInt64) {
    guard ordinal > 0 else { return first }
    var name: [UInt8] = []
    name.append(bytesOf: first.high.bigEndian)
    name.append(bytesOf: first.low.bigEndian)
    name.append(contentsOf: "#\(ordinal)".utf8)
    return maker.bytes(of: name.span)
  }
}

extension Converter {
  /// What decides whether the notification that was cast last repeats another one.
  package var trace: EventTrace {
    var trace = EventTrace()
    trace.isSandbox = known.isSandbox
    if known.type.is(.forOneTimePurchases), !known.type.is(.reversal) {
      trace.kind = .request
      trace.content = contentDigest
    } else if known.eventTime == nil {
      // Nothing names the purchase of such a message, so only its content distinguishes it from others.
      let isNamed = known.subject.target != nil || known.subject.original != nil
      trace.kind = isNamed ? .undated : known.type.is(.forOneTimePurchases) ? .retried : .request
      if !isNamed { trace.content = contentDigest }
    } else if isOneOfSeveralRefunds {
      // The message comes once for each purchase; months later the same list may come with the refund of another one.
      (trace.kind, trace.content) = (.retried, contentDigest)
    }
    (trace.subscription, trace.state) = (subscriptionHash, stateHash)
    trace.receivedAt = known.receivedAt
    (trace.high, trace.low) = builder.identity.last
    return trace
  }

  /// Nothing but its date, at best, says which of several refunds the message reports.
  private var isOneOfSeveralRefunds: Bool {
    guard known.type.is(.reversal) else { return false }
    if known.subject.isTied || known.subject.isUndatedChoice { return true }
    return known.type.is(.forOneTimePurchases) && known.subject.standing == .chosenByDate && known.receivedAt != nil
  }

  private var subscriptionHash: UInt64 {
    var hash = QuickHash()
    hash.add(known.isSandbox ? 1 : 0)
    if let environment = known.input.environment.other { hash.add(environment) }
    hash.add(record.statedApp)
    hash.add(known.subject.original ?? known.lineItem)
    return hash.value
  }

  /// A flag in any of its spellings as 0 or 1; another whole number as it is.
  private func priceStatus(_ key: LegacyKey) -> Int64? {
    known.subject.renewal.flatMap { row in record.flag(row, key).map { $0 ? 1 : 0 } ?? record.integer(row, key) }
  }

  /// Next product and its offer, auto-renew status, consent and increase status, expiration intent.
  private var stateHash: UInt64 {
    let status = known.statedStatus
    let product = known.statedNextProduct
    let intent = known.statedIntent
    let consent = priceStatus(.price_consent_status)
    let increase = priceStatus(.price_increase_status)
    let offer = known.statedOffer
    if status == nil, product == nil, intent == nil, consent == nil, increase == nil, offer == nil { return 0 }
    var hash = QuickHash(seed: 1)
    hash.add(product)
    hash.add(status.map { $0 ? 1 : 0 } ?? 2)
    hash.add(UInt64(bitPattern: consent ?? -1))
    hash.add(UInt64(bitPattern: increase ?? -1))
    hash.add(UInt64(bitPattern: intent ?? -1))
    if let offer { hash.add(offer) }
    return hash.value == 0 ? 1 : hash.value
  }
}
