// Unsafe on purpose, and only here: memory of fixed size that this class alone owns; indices are those of shapes, which
// are below `EventPart.fieldCount`. Values are parts of the image that was read last.
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) package import SlipcastWire

/// One side of a pair, decoded from its image; used again for every pair.
package final class RecordView {
  // Unchecked exclusivity: a side belongs to one thread and hands out no reference into itself.
  @exclusivity(unchecked) private var content = (head: EventHead(), shape: EventShape.empty)
  package var head: EventHead {
    get { content.head }
    set { content.head = newValue }
    _modify { yield &content.head }
  }
  var shape: EventShape { content.shape }
  /// Values by part and slot, where `masks` says that they stand.
  private let values: UnsafeMutablePointer<ScalarView>
  /// The place in `shape.fields` of each value.
  private let places: UnsafeMutablePointer<UInt8>
  private let masks: UnsafeMutablePointer<UInt64>
  private(set) var extras: [ScalarView] = []
  /// The objects of the record, as bits, even if they have no members; where the caller knows them.
  var parts: UInt16 = 0
  private var shapes: [EventShape?] = []
  private let table: ShapeTable
  /// A copy of the image, of which the values are parts.
  private let image = JSONWriter(capacity: 2048)

  package init(_ table: ShapeTable) {
    self.table = table
    values = .allocate(capacity: EventPart.fieldCount)
    values.initialize(repeating: ScalarView(kind: .text), count: EventPart.fieldCount)
    places = .allocate(capacity: EventPart.fieldCount)
    places.initialize(repeating: 0, count: EventPart.fieldCount)
    masks = .allocate(capacity: EventPart.count)
    masks.initialize(repeating: 0, count: EventPart.count)
  }

  deinit {
    values.deallocate()
    places.deallocate()
    masks.deallocate()
  }

  /// Decodes an image; the values are valid until the next one is read.
  package func read(_ image: Span<UInt8>) {
    self.image.clear()
    // One huge record must not leave its memory with every worker that ever met one.
    self.image.shrink(to: 1 << 20)
    self.image.raw(image)
    var bytes = ImageBytes(self.image.content)
    let (head, number) = EventImage.readHead(&bytes)
    let shape = number == ShapeTable.carried ? ShapeWriter.read(bytes.view(Int(bytes.word()))) : known(number)
    content = (head, shape)
    self.head.name = shape.name
    for part in 0..<EventPart.count { masks[part] = 0 }
    for place in shape.fields.indices {
      let field = shape.fields[place]
      values[field.index] = Self.value(field.kind, &bytes)
      places[field.index] = UInt8(truncatingIfNeeded: place)
      masks[field.index >> 6] |= 1 << UInt64(field.index & 63)
    }
    if !extras.isEmpty { extras.removeAll(keepingCapacity: extras.count < 4096) }
    for _ in shape.extras.indices { extras.append(Self.value(.json, &bytes)) }
    if head.unit != .notification { self.head.id = itemName(head.unit).map { (UInt64(head.unit.rawValue), $0) } }
  }

  private func known(_ number: UInt32) -> EventShape {
    let place = Int(number)
    if place < shapes.count, let shape = shapes[place] { return shape }
    let shape = table.shape(number)
    if place >= shapes.count { shapes += Array(repeating: nil, count: place + 1 - shapes.count) }
    shapes[place] = shape
    return shape
  }

  @inline(__always)
  private static func value(_ kind: ScalarView.Kind, _ bytes: inout ImageBytes) -> ScalarView {
    switch kind {
    case .integer: ScalarView(kind: kind, integer: bytes.long())
    case .boolean: ScalarView(kind: kind, integer: Int64(bytes.byte()))
    case .text, .json: ScalarView(kind: kind, bytes: bytes.view(Int(bytes.word())))
    }
  }

  // MARK: values

  /// Which members of an object stand, as bits.
  @inline(__always)
  func mask(_ part: Int) -> UInt64 { masks[part] }

  @inline(__always)
  subscript(index: Int) -> ScalarView? {
    masks[index >> 6] & 1 << UInt64(index & 63) != 0 ? values[index] : nil
  }

  @inline(__always)
  func field(_ index: Int) -> EventShape.Field { shape.fields[place(index)] }

  /// The position of a value in the shape's fields.
  @inline(__always)
  func place(_ index: Int) -> Int { Int(places[index]) }

  /// Something says what a notification is about, besides its type.
  package var hasPayload: Bool {
    head.unit != .notification || !shape.extras.isEmpty || (1..<EventPart.count).contains { masks[$0] != 0 }
  }

  func drop(_ part: ObjectPart) {
    masks[Int(part.rawValue)] = 0
    parts &= ~(1 << part.rawValue)
  }

  func drop(field index: Int) { masks[index >> 6] &= ~(1 << UInt64(index & 63)) }

  func has(_ part: ObjectPart) -> Bool { parts & 1 << part.rawValue != 0 }

  func clear(_ origin: EventHead.Origin) {
    (content, parts) = ((EventHead(), .empty), 0)
    head.origin = origin
    extras.removeAll(keepingCapacity: true)
    for part in 0..<EventPart.count { masks[part] = 0 }
  }

  func integer(_ index: Int) -> Int64? { self[index]?.number }

  func text(_ index: Int) -> String? {
    guard let value = self[index], value.kind == .text else { return nil }
    return value.string
  }

  var event: EventName {
    EventName(
      notificationType: text(FieldNumber.notificationType) ?? "", subtype: text(FieldNumber.subtype))
  }

  /// A number for a text; `nil` if absent.
  func name(_ index: Int) -> UInt64? {
    guard let value = self[index], value.kind == .text else { return nil }
    return Fingerprint.number(value.bytes.buffer.span)
  }

  // MARK: names

  /// A number for the transaction or subscription of an answer; restores renumber ids, but not line items.
  func itemName(_ unit: ParityUnit) -> UInt64? {
    unit == .transaction ? name(FieldNumber.webOrderLineItemId) ?? name(FieldNumber.transactionId) : subscription
  }

  var subscription: UInt64? {
    name(FieldNumber.originalTransactionId) ?? name(FieldNumber.renewalOriginalTransactionId)
  }

  /// A number for the subscription or purchase; a unique one where the event names none.
  package var partition: Int64 {
    let name = subscription ?? name(FieldNumber.webOrderLineItemId)
    return Int64(bitPattern: name ?? (head.id?.high ?? UInt64(bitPattern: head.record)) ^ 0x5C1B_CA57)
  }

  /// The same number for a subscription that another record lists.
  package static func partition(ofOriginal text: JSONText) -> Int64 {
    Int64(bitPattern: Fingerprint.number(text.buffer.span))
  }

  /// When the archive received the event, or else when it happened, for the time that the archive covers: of items of
  /// answers the purchase, because answers are asked for at any later time.
  package var coveredTime: Int64? {
    switch head.unit {
    case .notification: head.receivedAt ?? statedTime
    case .transaction: integer(FieldNumber.purchaseDate)
    case .subscription: integer(FieldNumber.originalPurchaseDate) ?? integer(FieldNumber.purchaseDate)
    }
  }

  /// From the earliest to the latest time at which the event may have happened or come: an event without a date happened
  /// between the newest purchase and the newest end in its record.
  package var coveredTimes: ClosedRange<Int64>? {
    var times = [coveredTime]
    if head.unit == .notification { times.append(statedTime) }
    if times.allSatisfy({ $0 == nil }), let purchase = integer(FieldNumber.purchaseDate) {
      // A refund may come long after its period.
      if event.takesBack { return purchase...(.max) }
      let ends = [FieldNumber.expiresDate, FieldNumber.renewalDate, FieldNumber.gracePeriodExpiresDate]
      if let end = ends.compactMap({ integer($0) }).max() { times = [purchase, end] }
    }
    let known = times.compactMap(\.self)
    guard let first = known.min(), let last = known.max() else { return nil }
    return first...last
  }

  /// Another page follows the page of the history that lists it.
  package var isFollowed: Bool { self[FieldNumber.hasMore]?.integer == 1 }

  /// The time of the event itself, as its record states it.
  private var statedTime: Int64? { head.origin == .legacy ? head.eventTime : head.asOf }

  /// The subscription or purchase, as Apple names it.
  package var originalTransactionId: String? {
    text(FieldNumber.originalTransactionId) ?? text(FieldNumber.renewalOriginalTransactionId)
      ?? text(FieldNumber.originalTransactionIdOfItem)
  }

  /// A digest of what the record contains, whatever the case of the letters in its `notificationUUID`.
  package var fingerprint: UInt64 {
    let text = image.content
    guard head.content == nil, let id = self[FieldNumber.notificationUUID], id.kind == .text else {
      return EventImage.fingerprint(text.buffer.span, head)
    }
    var bytes = Array(text.buffer)
    let start = id.bytes.base - text.base
    for at in start..<start + id.bytes.count where (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(bytes[at]) {
      bytes[at] |= 0x20
    }
    return EventImage.fingerprint(bytes.span, head)
  }

  /// Marks the image of an item that another record says was taken back.
  package static func takeBack(in image: inout [UInt8]) { EventImage.takeBack(in: &image) }

  /// Turns the number of an image's record, counted from a block's start, into that in the archive.
  package static func addToRecord(_ before: Int64, of image: JSONWriter, at start: Int) {
    EventImage.addToRecord(before, of: image, at: start)
  }
}
