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
  @exclusivity(unchecked) private(set) var marks: [Mark] = []
  let images = JSONWriter(capacity: 256 << 10)

  init(_ shapes: ShapeTable, _ rules: RuleSet, limits: JSONLimits) {
    legacy = LegacyImager(shapes)
    server = ServerImager(shapes, rules, limits: limits)
  }

  func begin() {
    images.clear()
    marks.removeAll(keepingCapacity: true)
  }

  func isServer(_ tape: JSONTape, _ root: Int) -> Bool { ServerImager.isNotification(tape, root) }

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    let start = images.count
    do throws(ComparisonError) {
      let name = try server.write(tape, root: root, record: Int64(record), receivedAt: receivedAt, to: images)
      marks.append(Mark(range: start..<images.count, partition: name.partition, time: name.time))
    } catch {
      images.truncate(to: start)
      throw ScanFault(
        code: error.code, path: error.path.description, offset: error.isInPayload ? 0 : error.offset,
        message: error.description)
    }
  }

  func take(legacy caster: Caster, record: Int) throws(ScanFault) {
    guard caster.isOfNotification else {
      throw ScanFault(
        code: "noEvent", message: "expected a notification, found a verifyReceipt answer, which tells no event")
    }
    caster.castNotification()
    let start = images.count
    let name = legacy.write(caster, record: Int64(record), to: images)
    marks.append(Mark(range: start..<images.count, partition: name.partition, time: name.time))
  }
}
