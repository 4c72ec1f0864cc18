internal import SlipcastBulk
@_spi(Slipcast) internal import SlipcastWire

/// The place of an event in the order of timelines.
///
/// By its subscription (id, environment and app), by when it happened, and by when it was received. Events without a
/// subscription come last; absent values come first.
struct EventKey {
  /// The first bytes of the key, as numbers.
  let order: SpillOrder
  /// How many bytes of it follow those.
  let tail: Int

  private static let bytesOfOrder = 24

  /// - Parameter bytes: gets the bytes that follow those of `order`.
  init(_ subscription: EventSubscription, time: Int64?, receivedAt: Int64?, to bytes: inout [UInt8]) {
    let start = bytes.count
    if let original = subscription.original {
      for name in [original, subscription.environment, subscription.bundleId] { Self.write(name, to: &bytes) }
    } else {
      bytes.append(Self.last)
    }
    for number in [time ?? 0, receivedAt ?? 0] {
      // Without the sign, negative numbers would come after the others.
      bytes.append(bytesOf: (UInt64(bitPattern: number) ^ 1 << 63).bigEndian)
    }
    let end = bytes.count
    func word(_ place: Int) -> UInt64 {
      (start + place..<start + place + 8).reduce(0) { $0 << 8 | ($1 < end ? UInt64(bytes[$1]) : 0) }
    }
    order = SpillOrder(word(0), word(8), word(16))
    tail = max(0, end - start - Self.bytesOfOrder)
    bytes.removeSubrange(start..<min(end, start + Self.bytesOfOrder))
  }

  private static let (absent, present, last): (UInt8, UInt8, UInt8) = (1, 2, 3)

  /// No text begins another one: it ends with two zeros, and a zero inside is followed by another byte.
  private static func write(_ text: JSONText?, to bytes: inout [UInt8]) {
    guard let text else { return bytes.append(absent) }
    bytes.append(present)
    for byte in text.buffer {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes += [0, 0]
  }
}

/// An event as a spill holds it: numbers, names, and its line.
struct EventItem {
  let id: KnownIDs.ID
  let content: Int64?
  let origin: RecordOrigin
  let event: StoredEvent

  // MARK: writing

  static func write(
    _ id: KnownIDs.ID, of subscription: EventSubscription, _ note: RecordNote, line: Span<UInt8>,
    to bytes: inout [UInt8]
  ) {
    bytes.append(bytesOf: id.high.littleEndian)
    bytes.append(bytesOf: id.low.littleEndian)
    let numbers = [note.content, note.eventTime, note.receivedAt]
    var flags: UInt8 = note.origin == .v2 ? 1 : 0
    for (bit, number) in numbers.enumerated() where number != nil { flags |= 2 << UInt8(bit) }
    bytes.append(flags)
    for number in numbers.compactMap(\.self) { bytes.append(bytesOf: number.littleEndian) }
    func write(_ text: (some Collection<UInt8>)?) {
      bytes.append(bytesOf: (text.map { Int32(clamping: $0.count) } ?? -1).littleEndian)
      if let text { bytes += text }
    }
    for name in [subscription.original, subscription.environment, subscription.bundleId] { write(name?.buffer) }
    write(note.notification_type?.utf8)
    bytes.append(contentsOf: line)
  }

  /// Writes another id over that of an item.
  ///
  /// - Parameters:
  ///   - start: where the item begins, after its key.
  ///   - line: how many bytes its line has, which ends at `end`.
  static func rename(_ id: KnownIDs.ID, in bytes: inout [UInt8], at start: Int, line: Int, end: Int) {
    for (half, number) in [id.high, id.low].enumerated() {
      for place in 0..<8 { bytes[start + 8 * half + place] = UInt8(truncatingIfNeeded: number >> UInt64(8 * place)) }
    }
    guard let place = NotificationID.place(in: bytes.span.extracting(end - line..<end)) else { return }
    var text = bytes.mutableSpan
    UUIDText.write(id.high, id.low, to: &text, at: end - line + place)
  }

  // MARK: reading

  /// - Parameters:
  ///   - bytes: what `write` wrote, then the place of the event.
  ///   - tail: how many bytes of its key come before.
  init(_ bytes: Span<UInt8>, after tail: Int) {
    var at = tail
    func number<Number: FixedWidthInteger & UnsignedInteger>(_ kind: Number.Type) -> Number {
      let width = Number.bitWidth / 8
      defer { at += width }
      return (0..<width).reduce(0) { $0 | Number(bytes[at + $1]) << Number(8 * $1) }
    }
    func optional(_ isThere: Bool) -> Int64? { isThere ? Int64(bitPattern: number(UInt64.self)) : nil }
    func text() -> String? {
      let count = Int(Int32(bitPattern: number(UInt32.self)))
      guard count >= 0 else { return nil }
      defer { at += count }
      return String(decoding: Array(bytes.extracting(at..<at + count)), as: UTF8.self)
    }
    id = KnownIDs.ID(high: number(UInt64.self), low: number(UInt64.self))
    let flags = number(UInt8.self)
    origin = flags & 1 == 0 ? .v1 : .v2
    content = optional(flags & 2 != 0)
    let (eventTime, receivedAt) = (optional(flags & 4 != 0), optional(flags & 8 != 0))
    let (original, environment, bundleId, type) = (text(), text(), text(), text())
    let line = Array(bytes.extracting(at..<bytes.count - 8))
    at = bytes.count - 8
    event = StoredEvent(
      place: Int64(bitPattern: number(UInt64.self)), originalTransactionId: original, notification_type: type,
      eventTime: eventTime, receivedAt: receivedAt, body: line, environment: environment, bundleId: bundleId)
  }
}
