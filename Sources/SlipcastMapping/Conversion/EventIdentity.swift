internal import SlipcastDigest
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Gives an event its stable, synthetic id.
///
/// V1 has no id. The name of the event is what identifies it: type, environment, app, original transaction, line item
/// (else transaction) of its period, event time, auto-renew status, next product, expiration intent; for the types that
/// state no time of their own (DID_CHANGE_RENEWAL_PREF, PRICE_INCREASE_CONSENT) consent and increase status too, and the
/// offer of the next period where there is one. What differs between two deliveries of one event is left out: the
/// receipt, the secret, the order of keys and rows, request and received times. The id is a UUID of version 5 of that name
/// in Slipcast's namespace; it is never Apple's own.
///
/// It is the id of the first event of that name. An archive can hold later ones (a customer who changes the plan to A, to B
/// and back to A); `OrdinalIdentity` gives them ids of their own.
final class EventIdentity {
  /// Slipcast's namespace: 5c1bca57-0000-5000-8000-76312d746f2d ("slipcast", then "v1-to-" in ASCII).
  static let namespace: [UInt8] = [
    0x5C, 0x1B, 0xCA, 0x57, 0x00, 0x00, 0x50, 0x00, 0x80, 0x00, 0x76, 0x31, 0x2D, 0x74, 0x6F, 0x2D,
  ]
  private let maker = SHA1UUID(namespace: EventIdentity.namespace)
  private let name = JSONWriter(capacity: 512)
  private let text = JSONWriter(capacity: 64)
  /// The id that was made last, as two halves.
  private(set) var last: (high: UInt64, low: UInt64) = (0, 0)

  func uuid(of known: KnownRecord) -> JSONText {
    writeName(of: known)
    last = maker.bytes(of: name.buffer.span)
    text.clear()
    UUIDText.write(last.high, last.low, to: text)
    return JSONText(base: text.base, count: text.count, isVerbatim: true)
  }

  /// The name that is hashed: values in a fixed order, each closed by a line feed, absent ones empty.
  private func writeName(of known: KnownRecord) {
    let record = known.record
    name.clear()
    func part(_ value: JSONText?) {
      if let value { name.raw(value.base, value.count) }
      name.byte(0x0A)
    }
    part(record.text(record.body, .notification_type))
    // A record without an environment counts as one of production.
    part(known.input.environment.other ?? (known.isSandbox ? Words.sandbox.text : Words.production.text))
    part(record.statedApp)
    part(known.subject.original)
    part(known.lineItem)
    if let time = known.eventTime { name.integer(time) }
    name.byte(0x0A)
    if let status = known.statedStatus { name.byte(status ? UInt8(ascii: "1") : UInt8(ascii: "0")) }
    name.byte(0x0A)
    part(known.statedNextProduct)
    if let intent = known.statedIntent { name.integer(intent) }
    name.byte(0x0A)
    guard known.type.changesProduct || known.type.is(.consentRequest) else { return }
    let renewal = known.subject.renewal
    for key in [LegacyKey.price_consent_status, .price_increase_status] {
      guard let flag = renewal.flatMap({ record.flag($0, key) }) else {
        part(renewal.flatMap { record.text($0, key) })
        continue
      }
      name.raw(flag ? "1\n" : "0\n")
    }
    if let offer = known.statedOffer { part(offer) }
  }
}
