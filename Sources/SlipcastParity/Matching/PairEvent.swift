internal import SlipcastComparison
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// An event that looks for its counterpart; a class, because it is handed around for every counterpart that it may have.
final class PairEvent {
  private(set) var image: [UInt8]
  /// The id of its row.
  let id: String?
  private(set) var head: EventHead
  let keys: EventKeys
  /// When it happened, as well as it is known, milliseconds since 1970 UTC.
  let time: Int64?
  /// V1's time is that of the period, which the line item already identifies.
  let isTimedByPeriod: Bool
  /// It states the time of the event itself.
  let isDated: Bool
  /// It says what it is about.
  let hasPayload: Bool
  /// Other periods of its subscription that its list shows, as far as they may decide access.
  let listed: [UntoldPeriod]
  /// V2's purchase was made after V1 was asked last about the customer, and cannot be in that answer.
  private(set) var isAfterAnswers: Bool

  /// Reads an event as the sort buffer holds it: its side, the id of its row, the periods that its list shows, its image.
  init(stored body: Span<UInt8>, _ side: RecordView) {
    let start: Int
    (id, listed, start) = Self.readStart(body)
    isAfterAnswers = body[0] & Self.afterAnswers != 0
    let image = body.extracting(start...)
    side.read(image)
    self.image = Array(image)
    head = side.head
    keys = EventKeys(side)
    time = side.head.time
    hasPayload = side.hasPayload
    // A cast made earlier does not say where its time comes from.
    let isPeriodTime = time != nil && [keys.purchaseDate, keys.expiresDate].contains(time)
    isTimedByPeriod = head.origin == .legacy ? head.isTimedByPeriod : isPeriodTime
    isDated = !isTimedByPeriod && (head.origin != .legacy || head.kind == .dated)
  }

  static func isLegacy(_ body: Span<UInt8>) -> Bool { body[0] & 1 == 0 }

  /// A bit of the first byte, which also says the side.
  private static let afterAnswers: UInt8 = 4

  /// Begins the stored form of an event; the image follows.
  ///
  /// Of a very long id the beginning is kept.
  static func writeStart(_ side: UInt8, _ id: String?, _ listed: [UntoldPeriod] = [], to writer: JSONWriter) {
    writer.byte(side)
    let text = id ?? ""
    let bytes = Array((text.utf8.count > mostId ? String(text.prefix(mostId / 8)) : text).utf8)
    let length = min(bytes.count, mostId)
    writer.byte(UInt8(length & 0xFF))
    writer.byte(UInt8(length >> 8))
    writer.raw(bytes.span.extracting(0..<length))
    writer.byte(UInt8(listed.count))
    for period in listed { ListedPeriod.write(period, to: writer) }
  }

  /// Reads the beginning: the id of the row, the listed periods, and where the rest starts.
  static func readStart(_ body: Span<UInt8>) -> (id: String?, listed: [UntoldPeriod], end: Int) {
    let length = Int(body[1]) | Int(body[2]) << 8
    let id = length == 0 ? nil : String(decoding: Array(body.extracting(3..<3 + length)), as: UTF8.self)
    let end = 4 + length + Int(body[3 + length]) * ListedPeriod.bytes
    return (id, ListedPeriod.read(body.extracting((4 + length)..<end)), end)
  }

  private static let mostId = 4096

  /// Appends the stored form.
  func store(isLegacy: Bool, to writer: JSONWriter) {
    Self.writeStart((isLegacy ? 0 : 1) | (isAfterAnswers ? Self.afterAnswers : 0), id, to: writer)
    let image = self.image
    writer.raw(image.span)
  }

  /// Shows the record in a view.
  func show(in view: RecordView) {
    let image = self.image
    view.read(image.span)
  }

  /// Notes that another record of the archive says that it was taken back.
  func takeBack() {
    head.isTakenBackUndated = true
    RecordView.takeBack(in: &image)
  }

  /// Notes when V1 was asked last about the customer, in milliseconds since 1970 UTC; `nil` changes nothing.
  func note(answered: Int64?) {
    guard let answered, let bought = keys.coveredTime else { return }
    isAfterAnswers = bought > answered
  }

  /// Gives a later event of a key the id that converting it gives.
  func rename(to high: UInt64, _ low: UInt64) { head.id = (high, low) }
}

/// The events of one subscription or purchase, or those that share another name.
struct EventPartition {
  var legacy: [PairEvent] = []
  var server: [PairEvent] = []
  /// What V1's records about other subscriptions show.
  private(set) var sightings: [Sighting] = []
  /// What V1's lists show as taken back.
  private(set) var refunds: [Sighting] = []
  private(set) var bytes = 0

  /// All that it holds.
  var count: Int { legacy.count + server.count + sightings.count + refunds.count }

  /// More than this is dealt with in parts: honest subscriptions are far smaller.
  var isFull: Bool { legacy.count + server.count >= 8192 || bytes > 64 << 20 }

  mutating func add(_ event: PairEvent, isLegacy: Bool) {
    bytes += event.image.count
    if isLegacy { legacy.append(event) } else { server.append(event) }
  }

  mutating func add(_ sighting: Sighting) {
    bytes += 256
    if sighting.isOfRefunds { refunds.append(sighting) } else { sightings.append(sighting) }
  }

  mutating func clear() {
    legacy.removeAll(keepingCapacity: true)
    if !sightings.isEmpty { sightings.removeAll(keepingCapacity: true) }
    if !refunds.isEmpty { refunds.removeAll(keepingCapacity: true) }
    server.removeAll(keepingCapacity: true)
    bytes = 0
  }
}
