internal import SlipcastBulk
internal import SlipcastComparison
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Makes the images of the events of a block; serves one worker.
final class EventScanner: RecordScanner {
  /// An image and where it goes.
  struct Mark {
    let range: Range<Int>
    /// The subscription or purchase; events without one stand alone.
    let partition: Int64
    let time: Int64?
  }

  static var keys: [String] { ServerImager.keys }

  private let legacy: LegacyImager
  private let server: ServerImager
  private let side: EventSide
  private let book: FieldBook
  private(set) var marks: [Mark] = []
  let images = JSONWriter(capacity: 256 << 10)

  init(_ shapes: ShapeTable, _ rules: RuleSet, _ book: FieldBook, limits: JSONLimits) {
    legacy = LegacyImager(shapes)
    server = ServerImager(shapes, rules, limits: limits)
    side = EventSide(shapes)
    self.book = book
  }

  func begin() {
    images.clear()
    marks.removeAll(keepingCapacity: true)
  }

  func isServer(_ tape: JSONTape, _ root: Int) -> Bool { ServerImager.isNotification(tape, root) }

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    let start = images.count
    do throws(ComparisonError) {
      try server.write(tape, root: root, record: Int64(record), receivedAt: receivedAt, to: images)
    } catch {
      images.truncate(to: start)
      throw ScanFault(
        code: error.code, path: error.path.description, offset: error.isInPayload ? 0 : error.offset,
        message: error.description)
    }
    mark(from: start)
  }

  func take(legacy caster: Caster, record: Int) throws(ScanFault) {
    guard caster.isOfNotification else {
      throw ScanFault(
        code: "noEvent", message: "expected a notification, found a verifyReceipt answer, which tells no event")
    }
    caster.castNotification()
    let start = images.count
    legacy.write(caster, record: Int64(record), to: images)
    mark(from: start)
  }

  private func mark(from start: Int) {
    let range = start..<images.count
    side.read(UnsafeBufferPointer(rebasing: images.buffer[range]))
    marks.append(Mark(range: range, partition: side.partition(book), time: side.time))
  }
}

extension EventSide {
  /// When the event happened, as well as it is known, milliseconds since 1970 UTC.
  var time: Int64? {
    head.origin == .legacy ? head.eventTime ?? head.receivedAt : head.asOf ?? head.receivedAt
  }
}
