internal import SlipcastBulk
internal import SlipcastComparison
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Makes the images of the events in the records of a block; serves one worker.
final class EventScanner: RecordScanner {
  /// An image and where it goes.
  struct Mark {
    let range: Range<Int>
    let unit: ParityUnit
    /// The number of its record in the block.
    let record: Int64
    /// Its record is a page that another one follows.
    let hasMore: Bool
    /// The subscription or purchase; events without one stand alone.
    let partition: Int64
    let time: Int64?
    /// When the answer was given that lists it; `nil` for a notification.
    let answered: Int64?
    /// A message has it, and not an answer.
    var isOfMessage = false
    /// For the time that the archive covers.
    let coveredTime: Int64?
    /// The id of its row.
    let id: String?
    /// Other periods that its list shows.
    let listed: [UntoldPeriod]
  }

  static var keys: [String] { ServerImager.keys }

  private let legacy: LegacyImager
  private let server: ServerImager
  private let view: RecordView
  /// What legacy answers are taken apart into; `nil` where V2 records are wanted.
  private let unit: ParityUnit?
  private(set) var marks: [Mark] = []
  /// What lists show of subscriptions that their record's event is not about, or of the subscriptions that an answer
  /// states; records count from the block's start.
  private(set) var sightings: [(partition: Int64, sighting: Sighting)] = []
  private(set) var empty = 0
  private var id: String?
  private let accessTime: Int64?
  /// The first record of the block that is V2 by Slipcast's own conversion, where version 1 is wanted.
  private(set) var converted: Int?
  /// How many records of the block Slipcast made, where V2 records are wanted.
  private(set) var ownRecords = 0
  /// How many records of the block are V2, where version 1 is wanted.
  private(set) var ofVersion2 = 0
  /// What V2 records of the block have as text.
  private(set) var ofOtherKind = ValuesOfOtherKind()
  let images = JSONWriter(capacity: 256 << 10)

  /// - Parameter accessTime: when access will be judged, where that is known.
  init(_ shapes: ShapeTable, _ rules: RuleSet, _ unit: ParityUnit?, limits: JSONLimits, accessTime: Int64?) {
    self.accessTime = accessTime
    legacy = LegacyImager(shapes)
    server = ServerImager(shapes, rules, limits: limits)
    view = RecordView(shapes)
    self.unit = unit
  }

  func begin() -> Int? {
    images.clear()
    marks.removeAll(keepingCapacity: true)
    if !sightings.isEmpty { sightings.removeAll(keepingCapacity: true) }
    (empty, converted, ownRecords, ofVersion2, ofOtherKind) = (0, nil, 0, 0, ValuesOfOtherKind())
    return nil
  }

  func note(id: String?) { self.id = id }

  func isServer(_ tape: JSONTape, _ root: Int) -> Bool { ServerImager.unit(tape, root) != nil }

  func take(server tape: JSONTape, _ root: Int, record: Int, receivedAt: Int64?) throws(ScanFault) {
    guard let unit = ServerImager.unit(tape, root) else {
      throw ScanFault(
        code: "unknownRecord",
        message: "expected a version 2 notification, history, status answer or transaction, found another signed object"
      )
    }
    var start = images.count
    let before = (start, marks.count)
    do throws(ComparisonError) {
      try server.write(tape, root: root, unit, record: Int64(record), receivedAt: receivedAt, to: images) {
        note(from: &start)
      }
      if marks.count == before.1 { empty += 1 }
      ofOtherKind.add(server.ofOtherKind)
      if self.unit != nil { ofVersion2 += 1 }
      if server.isConverted {
        if self.unit == nil { ownRecords += 1 } else { converted = converted ?? record }
      }
    } catch {
      images.truncate(to: before.0)
      marks.removeLast(marks.count - before.1)
      throw ScanFault(
        code: error.code, path: error.path.description, offset: error.isInPayload ? 0 : error.offset,
        message: error.messageAtPath)
    }
  }

  func take(legacy converter: Converter, record: Int) throws(ScanFault) {
    guard let unit else {
      throw ScanFault(
        code: "legacyAsServer",
        message: "expected a version 2 record, found a version 1 record; are --legacy and --server swapped?")
    }
    var start = images.count
    guard unit == .notification else { return try take(converter, unit, record, from: &start) }
    guard converter.isOfNotification else {
      throw ScanFault(
        code: "noEvent",
        message:
          "expected a notification, because the server's archive contains notifications; found a verifyReceipt response, "
          + "which is compared with transaction histories or subscription statuses")
    }
    converter.convertToNotification()
    legacy.write(converter, record: Int64(record), to: images)
    note(from: &start, listed: converter.listedPeriods(around: accessTime))
    let refunds = converter.listedRefunds
    if !refunds.isEmpty {
      let sighting = Sighting(
        record: Int64(record), id: id, time: view.head.time, listed: refunds, isOfRefunds: true)
      sightings.append((view.partition, sighting))
    }
    note(converter.listedElsewhere(around: accessTime), in: record)
  }

  private func note(_ listed: [(original: JSONText, periods: [UntoldPeriod])], in record: Int) {
    for (original, periods) in listed {
      let sighting = Sighting(record: Int64(record), id: id, time: view.head.time, listed: periods)
      sightings.append((RecordView.partition(ofOriginal: original), sighting))
    }
  }

  private func take(
    _ converter: Converter, _ unit: ParityUnit, _ record: Int, from start: inout Int
  ) throws(ScanFault) {
    let before = marks.count
    defer {
      if converter.isOfNotification { for place in before..<marks.count { marks[place].isOfMessage = true } }
    }
    if legacy.write(unlisted: converter, unit, record: Int64(record), to: images) { note(from: &start) }
    do throws(ConversionError) {
      try legacy.write(converter, unit, record: Int64(record), to: images) { note(from: &start) }
      if marks.count == before { return empty += 1 }
      // A status shows one period; what ran before it, and which one was replaced, only the list shows.
      if unit == .subscription { note(converter.listedEverywhere(around: accessTime), in: record) }
    } catch {
      throw ScanFault(
        code: error.code, path: error.path.description, offset: error.offset, message: error.description)
    }
  }

  private func note(from start: inout Int, listed: [UntoldPeriod] = []) {
    let range = start..<images.count
    view.read(images.buffer.span.extracting(range))
    marks.append(
      Mark(
        range: range, unit: view.head.unit, record: view.head.record,
        hasMore: view.isFollowed, partition: view.partition, time: view.head.time,
        answered: view.head.answered, coveredTime: view.coveredTime, id: id, listed: listed))
    start = images.count
  }
}
