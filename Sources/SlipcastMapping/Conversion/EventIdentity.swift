internal import SlipcastDigest
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Gives an event its stable, synthetic id.
///
/// V1 has no id. The name of the event is what identifies it: type, environment, app, original transaction, line item
/// (else transaction) of its period, event time, auto-renew status, next product, expiration intent; for the types that
/// state no time of their own (DID_CHANGE_RENEWAL_PREF, PRICE_INCREASE_CONSENT) consent and increase status too. What
/// differs between two deliveries of one event is left out: the receipt, the secret, the order of keys and rows, request
/// and received times. The id is a UUID of version 5 of that name in Slipcast's namespace; it is never Apple's own.
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

  func uuid(of state: ConversionState) -> JSONText {
    writeName(of: state)
    last = maker.bytes(of: name.buffer.span)
    text.clear()
    UUIDText.write(last.high, last.low, to: text)
    return JSONText(base: text.base, count: text.count, isVerbatim: true)
  }

  /// The name that is hashed: values in a fixed order, each closed by a line feed, absent ones empty.
  private func writeName(of state: ConversionState) {
    let record = state.record
    name.clear()
    func part(_ value: JSONText?) {
      if let value { name.raw(value.base, value.count) }
      name.byte(0x0A)
    }
    part(record.text(record.body, .notification_type))
    name.raw(state.isSandbox ? "Sandbox\n" : "Production\n")
    part(record.text(record.body, .bid) ?? record.flat.flatMap { record.text($0, .bid) })
    part(state.subject.original)
    part(Self.lineItem(state))
    if let time = state.eventTime { name.integer(time) }
    name.byte(0x0A)
    if let status = Self.status(state) { name.byte(status ? UInt8(ascii: "1") : UInt8(ascii: "0")) }
    name.byte(0x0A)
    part(Self.nextProduct(state))
    if let intent = Self.intent(state) { name.integer(intent) }
    name.byte(0x0A)
    guard state.type == .DID_CHANGE_RENEWAL_PREF || state.type == .PRICE_INCREASE_CONSENT else { return }
    let renewal = state.subject.renewal
    for key in [LegacyKey.price_consent_status, .price_increase_status] {
      guard let flag = renewal.flatMap({ record.flag($0, key) }) else {
        part(renewal.flatMap { record.text($0, key) })
        continue
      }
      name.raw(flag ? "1\n" : "0\n")
    }
  }

  // MARK: parts of names

  /// The line item of the event's period, else its transaction.
  static func lineItem(_ state: ConversionState) -> JSONText? {
    guard let row = state.subject.target.map({ state.periods[$0].row }) else { return nil }
    return state.record.text(row, .web_order_line_item_id) ?? state.record.text(row, .transaction_id)
  }

  /// The auto-renew status that the record states.
  static func status(_ state: ConversionState) -> Bool? {
    state.record.flag(state.record.body, .auto_renew_status)
      ?? state.subject.renewal.flatMap { state.record.flag($0, .auto_renew_status) }
  }

  /// The product of the next period.
  static func nextProduct(_ state: ConversionState) -> JSONText? {
    state.record.text(state.record.body, .auto_renew_product_id)
      ?? state.subject.renewal.flatMap { state.record.text($0, .auto_renew_product_id) }
  }

  /// Why the subscription ended, as a number.
  static func intent(_ state: ConversionState) -> Int64? {
    state.record.integer(state.record.body, .expiration_intent)
      ?? state.subject.renewal.flatMap { state.record.integer($0, .expiration_intent) }
  }
}
