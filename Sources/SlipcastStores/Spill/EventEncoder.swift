internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Lays out notifications as items of an `EventSpill`; one encoder for each worker.
final class EventEncoder: RecordEncoder {
  struct Item {
    /// Counted from the block's start.
    let record: Int
    let origin: RecordOrigin
    let key: EventKey
    /// Its bytes in the buffer, as `EventItem` reads them.
    let bytes: Range<Int>
    /// How many of them are its line, at the end.
    let line: Int
  }

  private(set) var items: [Item] = []
  /// Records that are no events.
  private(set) var others = 0
  private(set) var bytes: [UInt8] = []

  let holdsParts = false

  func begin() {
    items.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    others = 0
  }

  func encode(_ record: EncodedRecord, _ note: RecordNote) -> StoreRefusal? {
    let tree = record.tree
    guard tree.form == .notification else {
      others += 1
      return nil
    }
    guard let id = tree.root("notificationUUID")?.text else {
      return StoreRefusal(message: "the notification has no notificationUUID")
    }
    let halves = UUIDText.halves(id.buffer.span)
    let subscription = EventSubscription(tree)
    let start = bytes.count
    let key = EventKey(
      subscription, time: note.eventTime ?? tree.root("signedDate")?.integer, receivedAt: note.receivedAt, to: &bytes)
    EventItem.write(
      halves.map { KnownIDs.ID(high: $0.high, low: $0.low) } ?? KnownIDs.ID(digestOf: Array(id.buffer)),
      of: subscription, note, line: record.line.buffer.span, to: &bytes)
    items.append(
      Item(
        record: note.record, origin: note.origin, key: key, bytes: start..<bytes.count, line: record.line.count))
    return nil
  }

  func rename(record: Int, to id: KnownIDs.ID) {
    guard let item = items.last(where: { $0.record == record }) else { return }
    var text: [UInt8] = []
    swap(&text, &bytes)
    let start = item.bytes.lowerBound + item.key.tail
    EventItem.rename(id, in: &text, at: start, line: item.line, end: item.bytes.upperBound)
    swap(&text, &bytes)
  }

  // It belongs to what a store keeps of a record besides its line.
  func add(_ finding: RepeatedFinding, toRecord record: Int) {}
}

/// What distinguishes subscriptions, as texts of a record.
struct EventSubscription {
  let original: JSONText?
  let environment: JSONText?
  let bundleId: JSONText?

  /// A notification is of the subscription of its transaction, or of its renewal information when it has no transaction.
  init(_ tree: EventRecord) {
    guard let data = tree.object(.data, in: 0) else {
      (original, environment, bundleId) = (nil, nil, nil)
      return
    }
    func text(_ place: Int, _ name: String) -> JSONText? {
      let object = tree.objects[place]
      return object.part.schema.slot(name).flatMap { object.row[$0]?.text }
    }
    let original = tree.object(.transaction, in: data).flatMap { text($0, "originalTransactionId") }
    self.original = original ?? tree.object(.renewal, in: data).flatMap { text($0, "originalTransactionId") }
    (environment, bundleId) = (text(data, "environment"), text(data, "bundleId"))
  }
}
