internal import SlipcastMapping
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// A notification whose id depends on earlier messages of the archive.
struct EventMark {
  var trace: EventTrace
  /// Counted from the block's start.
  var record: Int
  var start: Int
  var mark: Int?
  var isEncoded = false
  /// Where its payload is, for a line that was signed.
  var payload: Range<Int>?
  /// The id that was decided when the record was received; it does not depend on this archive.
  var decided: KnownIDs.ID?
}

// Workers give every notification the id of the first event with its key. In archive order, later events then get their
// own ids: a few bytes are replaced, and nothing else moves.
extension BlockConverter {
  /// Notes the notification that was just converted.
  func noteEvent(from start: Int, decided: KnownIDs.ID?) {
    let trace = converter.trace
    if let decided {
      guard decided.high != trace.high || decided.low != trace.low else { return }
    } else {
      guard trace.kind != .dated || trace.state != 0 else { return }
    }
    var mark = EventMark(trace: trace, record: book.counts.read + 1, start: start, decided: decided)
    if trace.kind != .dated || decided != nil, let signer {
      let from = payloads.count
      payloads.raw(signer.payload.buffer)
      mark.payload = from..<payloads.count
    }
    events.append(mark)
  }

  /// Decides about the block's notifications; blocks arrive in archive order.
  ///
  /// - Parameter log: called with each trace that counts, for a resumed run.
  func settleEvents(_ sequence: EventSequence, log: (EventTrace) -> Void = { _ in }) throws {
    // By index: an event is large, and most do not concern the sequence.
    for index in events.indices where events[index].decided != nil || sequence.concerns(events[index].trace) {
      let event = events[index]
      if let decided = event.decided {
        try rename(event, decided)
        continue
      }
      if let ordinal = options.settled?.ordinal(of: event.trace) {
        if ordinal > 0 { try rename(event, sequence.id(event.trace, ordinal: ordinal)) }
        continue
      }
      log(event.trace)
      let outcome = try sequence.settle(event.trace)
      if outcome.liesBetween { add(.repeatUndecided, toRecord: event.record) }
      if outcome.isOfEarlierRun, event.trace.kind != .dated, event.trace.receivedAt == nil {
        add(.repeatOfEarlierRun, toRecord: event.record)
      }
      guard outcome.ordinal > 0 else { continue }
      try rename(event, sequence.id(event.trace, ordinal: outcome.ordinal))
    }
  }

  /// Adds what only the order of the archive shows to the findings of a record.
  private func add(_ finding: RepeatFinding, toRecord record: Int) {
    book.counts.findings.add(finding.rawValue, 1)
    addToAccount(finding, record: record)
    encoder?.add(finding.repeated, toRecord: record)
  }

  private func rename(_ event: EventMark, _ id: KnownIDs.ID) throws {
    if let mark = event.mark { marks[mark].id = id }
    if event.isEncoded { encoder?.rename(record: event.record, to: id) }
    if options.isTable {
      // The first column.
      return Self.put(id, to: output, at: event.start)
    }
    guard let range = event.payload, let signer else {
      let end = Platform.find(0x0A, in: output.buffer.span, from: event.start) ?? output.count
      return Self.put(id, to: output, in: event.start..<end)
    }
    Self.put(id, to: payloads, in: range)
    let text = JSONWriter(capacity: range.count * 2)
    defer { withExtendedLifetime(text) {} }
    try signer.sign(notification: payloads.buffer.span.extracting(range), to: text)
    // A signature and an id are of one length, and so is the line.
    output.replace(at: event.start, with: text.buffer.span)
  }

  private static func put(_ id: KnownIDs.ID, to writer: JSONWriter, in line: Range<Int>) {
    guard let place = NotificationID.place(in: writer.buffer.span.extracting(line)) else { return }
    put(id, to: writer, at: line.lowerBound + place)
  }

  private static func put(_ id: KnownIDs.ID, to writer: JSONWriter, at place: Int) {
    writer.change(place..<place + 36) { UUIDText.write(id.high, id.low, to: &$0) }
  }
}

/// Finds the id in the line of a decoded notification.
package enum NotificationID {
  private static let key: StaticString = "\"notificationUUID\":\""

  /// The start of the id's 36 characters; `nil` for a line without one.
  ///
  /// Inside strings, quotes follow a backslash, so a match is the member itself.
  package static func place(in line: Span<UInt8>) -> Int? {
    let wanted = JSONText(key).buffer
    var at = 0
    while let quote = Platform.find(UInt8(ascii: "\""), in: line, from: at) {
      let end = quote + wanted.count
      guard end + 36 <= line.count else { return nil }
      if line.extracting(quote..<end).isSame(as: wanted.span) { return end }
      at = quote + 1
    }
    return nil
  }
}
