package import SlipcastComparison
internal import SlipcastStores
@_spi(Slipcast) internal import SlipcastWire

/// All missing events, sorted on disk, so memory does not grow with what an archive lacks: refunds first, then by time.
package final class MissingRows {
  private var rows: SortingSpill?
  private var fault: (any Error)?

  package init() {}

  func add(_ event: MissingEvent) {
    guard fault == nil else { return }
    do {
      let rows = self.rows ?? SortingSpill()
      self.rows = rows
      // A time from before 1970 would come before the refunds.
      let time = min(max(0, event.time ?? 0), Int64.max / 4)
      let key = SortingSpill.Key(
        partition: Self.partition(event.side), rank: time + (event.isRefund ? 0 : Int64.max / 2))
      try rows.add(key, MissingRow.json(event).span)
    } catch { fault = error }
  }

  private static func partition(_ side: MissingEvent.Side) -> Int64 { side == .legacy ? 0 : 1 }

  /// Passes on the missing events of one side, until the closure returns false.
  package func forEach(_ side: MissingEvent.Side, _ use: (MissingEvent) throws -> Bool) throws {
    if let fault { throw fault }
    guard let rows else { return }
    let reader = JSONReader(names: [])
    try rows.forEach(in: Self.partition(side)) { _, body in
      var goesOn = true
      try reader.parse(JSONBuffer(body)) { goesOn = try use(MissingRow.read($0, side)) }
      return goesOn
    }
  }

  /// The first ones of a side.
  func first(_ side: MissingEvent.Side) throws -> [MissingEvent] {
    var events: [MissingEvent] = []
    try forEach(side) {
      events.append($0)
      return events.count < MissingEvents.limit
    }
    return events
  }
}

private enum MissingRow {
  static func json(_ event: MissingEvent) -> [UInt8] {
    JSONWriter.object(capacity: 256) { writer in
      writer.member("type", event.type)
      writer.member("original", ifPresent: event.subject.originalTransactionId)
      writer.member("transaction", ifPresent: event.subject.transactionId)
      writer.member("product", ifPresent: event.subject.productId)
      writer.member("time", ifPresent: event.time)
      writer.member("source", event.place.source)
      writer.member("record", event.place.record)
      writer.member("id", ifPresent: event.place.id)
      if event.isRefund { writer.member("refund", true) }
      if event.isAccepted { writer.member("accepted", true) }
    }.bytes
  }

  static func read(_ row: JSONElement, _ side: MissingEvent.Side) -> MissingEvent {
    var subject = RecordSubject()
    subject.originalTransactionId = row["original"]?.string
    (subject.transactionId, subject.productId) = (row["transaction"]?.string, row["product"]?.string)
    let place = RecordPlace(
      source: row["source"]?.string ?? "", record: Int(row["record"]?.integer ?? 0), id: row["id"]?.string)
    var event = MissingEvent(
      side: side, type: row["type"]?.string ?? "", isRefund: row["refund"] != nil, subject: subject,
      time: row["time"]?.integer, place: place)
    event.isAccepted = row["accepted"] != nil
    return event
  }
}
