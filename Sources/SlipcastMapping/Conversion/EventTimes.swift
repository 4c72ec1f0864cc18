@_spi(Slipcast) internal import SlipcastLegacy

/// When the event of a record happened, and at which time its states are judged; milliseconds since 1970 UTC.
struct EventTimes {
  /// When the event happened according to V1, or when an answer was requested.
  private(set) var event: Int64?
  /// The place of that date on the tape; 0 for none.
  private(set) var source = 0
  /// When the record was received, unless the event contradicts it.
  private(set) var received: Int64?

  /// The time at which states are judged: the event's, or the request's for answers.
  var judge: Int64? { event ?? received }

  /// The request of an answer.
  init(answer input: RecordInput) {
    received = input.receivedAt
    if let receipt = input.record.receipt { take(input.record, receipt, .request) }
  }

  /// The event of a notification.
  init(_ input: RecordInput, _ target: Period?, _ notes: NoteCollector) {
    let record = input.record
    received = input.receivedAt
    switch input.type.clock {
    case .statusChange: take(record, record.body, .statusChange)
    case .cancellation:
      if let target { take(record, target.row, .cancellation) }
      take(record, record.body, .cancellation)
    case .purchase: if let target { take(record, target.row, .purchase) }
    case .expiry: if let target { take(record, target.row, .expires) }
    case nil: break
    }
    guard let received, let target else { return }
    // The time of a failure is the expiry, which may lie ahead.
    let time = input.type.is(.failure) ? target.purchase : event
    // Nothing is received before it happened, save that Apple tries renewals early: such a time is another record's.
    guard let time, time - received > input.length(input.compiled.parameters.early) else { return }
    notes.add(.receivedBeforeEvent, 0)
    self.received = nil
  }

  private mutating func take(_ record: LegacyRecord, _ row: Int, _ date: LegacyInstant) {
    guard event == nil, let value = record.instant(row, date) else { return }
    (event, source) = (value, record.rows.source(row, date))
  }
}
