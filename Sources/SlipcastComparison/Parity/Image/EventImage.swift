// Unsafe on purpose: an image's values are views of its bytes, which the caller keeps.
internal import SlipcastMapping
@_spi(Slipcast) package import SlipcastWire

/// What an image says of its event before its values.
package struct EventHead: Sendable {
  /// What the record is.
  package enum Origin: UInt8, Sendable {
    /// A version 1 notification, cast.
    case legacy
    /// A V2 notification of the server's.
    case server
    /// A V2 notification that Slipcast cast earlier.
    case cast
  }

  package var origin = Origin.legacy
  /// The message is a companion that V2 never sends.
  package var isAbsorbed = false
  /// Its time is a date of its own transaction.
  package var isTimedByPeriod = false
  /// The number of the record in its archive, from 1.
  package var record: Int64 = 0
  /// The row of the decision table, by its place in the rules; less than 0 for none.
  package var decision: Int16 = -1
  /// When it happened, as V1 tells it, milliseconds since 1970 UTC.
  package var eventTime: Int64?
  /// When it was received.
  package var receivedAt: Int64?
  /// When its states were judged; for a V2 record its date of signing.
  package var asOf: Int64?
  /// Its id: two deliveries of one event have the same.
  package var id: (high: UInt64, low: UInt64)?
  /// V1's `notification_type`; for a V2 record type and subtype.
  package var name = ""

  package init() {}
}

/// An event as it waits for its counterpart: a head, its shape, and its values.
enum EventImage {
  private static let noTime = Int64.min

  static func write(_ head: EventHead, shape: UInt32, to writer: JSONWriter) {
    writer.byte(head.origin.rawValue)
    writer.byte((head.isAbsorbed ? 1 : 0) | (head.id == nil ? 0 : 2) | (head.isTimedByPeriod ? 4 : 0))
    writer.short(UInt16(bitPattern: head.decision))
    writer.word(shape)
    writer.long(head.record)
    for time in [head.eventTime, head.receivedAt, head.asOf] { writer.long(time ?? noTime) }
    writer.long(Int64(bitPattern: head.id?.high ?? 0))
    writer.long(Int64(bitPattern: head.id?.low ?? 0))
    let name = head.name.utf8.prefix(200)
    writer.byte(UInt8(name.count))
    for byte in name { writer.byte(byte) }
  }

  /// The record's number stands behind kind, flags, decision and shape.
  static func addToRecord(_ before: Int64, of image: JSONWriter, at start: Int) {
    let place = start + 8
    precondition(place + 8 <= image.count, "an image ends too soon")
    let memory = UnsafeMutableRawPointer(image.base) + place
    memory.storeBytes(of: memory.loadUnaligned(as: Int64.self) + before, as: Int64.self)
  }

  static func readHead(_ bytes: inout ImageBytes) -> (head: EventHead, shape: UInt32) {
    var head = EventHead()
    head.origin = EventHead.Origin(rawValue: bytes.byte()) ?? .server
    let flags = bytes.byte()
    (head.isAbsorbed, head.isTimedByPeriod) = (flags & 1 != 0, flags & 4 != 0)
    head.decision = Int16(bitPattern: bytes.short())
    let shape = bytes.word()
    head.record = bytes.long()
    func time(_ value: Int64) -> Int64? { value == noTime ? nil : value }
    head.eventTime = time(bytes.long())
    head.receivedAt = time(bytes.long())
    head.asOf = time(bytes.long())
    let id = (high: UInt64(bitPattern: bytes.long()), low: UInt64(bitPattern: bytes.long()))
    head.id = flags & 2 == 0 ? nil : id
    head.name = bytes.text(Int(bytes.byte()))
    return (head, shape)
  }
}

/// One side of a pair, decoded from its image; used again for every pair.
package final class EventSide {
  package private(set) var head = EventHead()
  private(set) var shape = EventShape(fields: [], absences: [], losses: [], extras: [])
  /// Values by part and slot, where `masks` says that they stand.
  private var values: [ScalarView]
  /// The place in `shape.fields` of each value.
  private var places: [UInt8]
  private(set) var masks = [UInt64](repeating: 0, count: EventPart.count)
  private(set) var extras: [ScalarView] = []
  private var shapes: [UInt32: EventShape] = [:]
  private let table: ShapeTable

  package init(_ table: ShapeTable) {
    self.table = table
    values = Array(repeating: ScalarView(kind: .text), count: EventPart.fieldCount)
    places = Array(repeating: 0, count: EventPart.fieldCount)
  }

  /// Decodes an image; its bytes must outlive all uses of the values.
  package func read(_ image: UnsafeBufferPointer<UInt8>) {
    var bytes = ImageBytes(image)
    let (head, number) = EventImage.readHead(&bytes)
    self.head = head
    shape = number == ShapeTable.carried ? ShapeWriter.read(carried(&bytes)) : known(number)
    for part in 0..<EventPart.count { masks[part] = 0 }
    for (place, field) in shape.fields.enumerated() {
      values[field.index] = Self.value(field.kind, &bytes)
      places[field.index] = UInt8(truncatingIfNeeded: place)
      masks[field.index >> 6] |= 1 << UInt64(field.index & 63)
    }
    extras.removeAll(keepingCapacity: true)
    for _ in shape.extras.indices { extras.append(Self.value(.json, &bytes)) }
  }

  /// Turns the number of an image's record, counted from a block's start, into that in the archive.
  package static func addToRecord(_ before: Int64, of image: JSONWriter, at start: Int) {
    EventImage.addToRecord(before, of: image, at: start)
  }

  /// A number for a name.
  package static func partition(of name: String) -> Int64 { Int64(bitPattern: Fingerprint.of(name.utf8).high) }

  /// A number for the subscription or purchase that the event is about; one of its own where it names none.
  package func partition(_ book: FieldBook) -> Int64 {
    let fields = [book.originalTransactionId, book.renewalOriginalTransactionId, book.webOrderLineItemId]
    for field in fields {
      if let value = self[field] { return Int64(bitPattern: Fingerprint.of(value.bytes).high) }
    }
    return Int64(bitPattern: (head.id?.high ?? UInt64(bitPattern: head.record)) ^ 0x5C1B_CA57)
  }

  private func carried(_ bytes: inout ImageBytes) -> UnsafeBufferPointer<UInt8> { bytes.view(Int(bytes.word())) }

  private func known(_ number: UInt32) -> EventShape {
    if let shape = shapes[number] { return shape }
    let shape = table.shape(number)
    shapes[number] = shape
    return shape
  }

  private static func value(_ kind: ScalarView.Kind, _ bytes: inout ImageBytes) -> ScalarView {
    switch kind {
    case .integer: ScalarView(kind: kind, integer: bytes.long())
    case .boolean: ScalarView(kind: kind, integer: Int64(bytes.byte()))
    case .text, .json: ScalarView(kind: kind, bytes: bytes.view(Int(bytes.word())))
    }
  }

  @inline(__always)
  func has(_ index: Int) -> Bool { masks[index >> 6] & 1 << UInt64(index & 63) != 0 }

  /// The value of a field, by part and slot.
  subscript(index: Int) -> ScalarView? { has(index) ? values[index] : nil }

  /// Where a value that stands comes from.
  func field(_ index: Int) -> EventShape.Field { shape.fields[Int(places[index])] }

  /// Leaves out an object.
  func drop(_ part: CastOutline.Part) { masks[Int(part.rawValue)] = 0 }

  func integer(_ index: Int) -> Int64? { self[index]?.number }
  func text(_ index: Int) -> String? {
    guard let value = self[index], value.kind == .text else { return nil }
    return value.string
  }
}
