// Unsafe on purpose: the UUID's text stands in a buffer of 36 bytes that this class owns, because a cell points to it.
internal import SlipcastDigest
@_spi(Slipcast) internal import SlipcastLegacy
@_spi(Slipcast) internal import SlipcastWire

/// Gives an event its stable, synthetic id.
///
/// V1 has no id. The name of the event is what identifies it: type, environment, app, original transaction, line item
/// (else transaction) of its period, event time, auto-renew status, next product, expiration intent. What differs
/// between two deliveries of one event stays out: the receipt, the secret, the order of keys and rows, request times.
/// The id is a UUID of version 5 of that name in Slipcast's namespace; it is never Apple's own.
final class EventIdentity {
  /// Slipcast's namespace: 5c1bca57-0000-5000-8000-76312d746f2d ("slipcast", then "v1-to-" in ASCII).
  static let namespace: [UInt8] = [
    0x5C, 0x1B, 0xCA, 0x57, 0x00, 0x00, 0x50, 0x00, 0x80, 0x00, 0x76, 0x31, 0x2D, 0x74, 0x6F, 0x2D,
  ]
  private let maker = SHA1UUID(namespace: EventIdentity.namespace)
  private let name = JSONWriter(capacity: 512)
  private let text = UnsafeMutablePointer<UInt8>.allocate(capacity: 36)
  /// The id that was made last, as two halves.
  private(set) var last: (high: UInt64, low: UInt64) = (0, 0)

  deinit { text.deallocate() }

  func uuid(of state: CastState) -> JSONText {
    writeName(of: state)
    last = maker.bytes(of: name.buffer)
    UUIDText.write(last.high, last.low, to: text)
    return JSONText(base: text, count: 36, isVerbatim: true)
  }

  /// The name that is hashed: values in a fixed order, each closed by a line feed, absent ones empty.
  private func writeName(of state: CastState) {
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
    let row = state.subject.target.map { state.periods[$0].row }
    part(row.flatMap { record.text($0, .web_order_line_item_id) ?? record.text($0, .transaction_id) })
    if let time = state.eventTime {
      name.integer(time)
    } else if state.type == .CONSUMPTION_REQUEST, let received = state.receivedAt {
      // Apple repeats the request until it is answered: each day's is an event of its own.
      name.integer(received / 86_400_000)
    }
    name.byte(0x0A)
    let renewal = state.subject.renewal
    let status = record.flag(record.body, .auto_renew_status) ?? renewal.flatMap { record.flag($0, .auto_renew_status) }
    if let status { name.byte(status ? UInt8(ascii: "1") : UInt8(ascii: "0")) }
    name.byte(0x0A)
    part(
      record.text(record.body, .auto_renew_product_id) ?? renewal.flatMap { record.text($0, .auto_renew_product_id) })
    let intent =
      record.integer(record.body, .expiration_intent) ?? renewal.flatMap { record.integer($0, .expiration_intent) }
    if let intent { name.integer(intent) }
    name.byte(0x0A)
  }
}
