internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastNetwork
import SlipcastSystem

/// Sends events to another service.
///
/// An event that the service does not accept waits for its next attempt. Later events of the same subscription wait
/// too; those of others are sent.
final class ForwardDelivery: Delivery {
  private let forward: Forward
  private let journal: Journal
  private let options: ServerOptions
  private let log: ServerLog
  /// Counts conversions where this delivery is the one that does.
  private let counters: Shared<Counters>?
  let thread: DeliveryThread
  private let clock: SteadyClock
  /// When so many events wait, the service may not be available: after a failure, the next new event is tried later.
  private static let manyWaiting = 1000
  private static let pauseWhenMany = 0.5
  /// When so many events wait, no new ones are tried.
  private static let mostWaiting = 100_000

  init(
    _ forward: Forward, _ journal: Journal, _ options: ServerOptions, log: ServerLog, counters: Shared<Counters>,
    clock: SteadyClock
  ) {
    (self.forward, self.journal, self.options, self.log, self.clock) = (forward, journal, options, log, clock)
    // One place counts what is converted: the target, else the first service that gets V2.
    let first = options.forwards.first { $0.form == .v2 }
    self.counters = options.target == nil && first?.name == forward.name ? counters : nil
    thread = DeliveryThread(forward.name, journal, log)
  }

  func start() { thread.start(pauses: [2], isCounted: false, deliver) }

  func check() throws { _ = try events() }

  private func events() throws -> ForwardLog {
    let events = try ForwardLog(
      try forward.stateFile(in: journal.folder), of: forward.identity(in: journal.id),
      start: options.fromNow ? journal.lastAtStart : journal.first - 1)
    try journal.checkHolds(eventsAfter: events.position, of: thread.state.now)
    return events
  }

  @Sendable private func deliver() throws {
    var events = try self.events()
    if forward.redelivers {
      for number in events.undelivered.sorted() {
        try events.noteWaiting(ForwardLog.Waiting(number: number, attempts: 0, time: 0))
      }
    }
    // The file may be from a time when the system's clock was ahead.
    events.limitTimes { clock.milliseconds + delay(after: $0) }
    let sender = Sender(forward, options)
    let earlier = JournalReader(journal.folder, from: events.position + 1, recordBytes: options.endpoint.maxBody)
    for number in events.waiting.keys.sorted() {
      try earlier.move(to: number)
      let record = try earlier.read(through: number, records: 1).first
      events.note(subscription: try record.flatMap { try sender.subscription(of: $0) }, of: number)
    }
    let reader = JournalReader(journal.folder, from: events.position + 1, recordBytes: options.endpoint.maxBody)
    report(events)
    var resume = 0.0
    while thread.goesOn {
      try retry(&events, sender, earlier)
      var isIdle = true
      let isMany = events.waiting.count >= Self.manyWaiting
      if events.waiting.count < Self.mostWaiting, !isMany || Platform.seconds() >= resume {
        let records = try reader.read(through: journal.last, atMost: 1 << 18, records: isMany ? 1 : 50)
        if forward.form == .v2, let last = records.last {
          guard try options.history?.read(through: last.number, while: { thread.goesOn }) ?? true else { break }
        }
        for record in records where thread.goesOn {
          isIdle = false
          let failures = thread.state.now.failures
          try send(record, &events, sender)
          if thread.state.now.failures > failures { resume = Platform.seconds() + Self.pauseWhenMany }
        }
      }
      report(events)
      if isIdle { thread.wait(min(1, untilNext(events))) }
    }
  }

  /// Milliseconds from a failed attempt to the next one; attempts count from 1.
  private func delay(after attempts: Int) -> Int64 {
    let schedule = forward.retrySeconds
    return attempts < 1 || schedule.isEmpty ? 0 : 1000 * Int64(schedule[min(attempts, schedule.count) - 1])
  }

  private func untilNext(_ events: borrowing ForwardLog) -> Double {
    let next = events.waiting.values.map(\.time).min() ?? .max
    return next == .max ? 1 : max(0.01, Double(next - clock.milliseconds) / 1000)
  }

  private func report(_ events: borrowing ForwardLog) {
    let (position, waiting, undelivered) = (events.position, events.waiting.count, events.undelivered.count)
    let oldest = min(events.waiting.keys.min() ?? .max, events.undelivered.min() ?? .max)
    thread.state.change { values in
      (values.position, values.waiting, values.undelivered) = (position, waiting, undelivered)
      values.complete = min(position, oldest - 1)
      values.trouble = waiting > 0 ? values.trouble ?? "waits" : nil
    }
  }

  private func send(
    _ record: JournalRecord, _ events: inout ForwardLog, _ sender: borrowing Sender
  ) throws {
    if record.differs { return try events.noteDelivered(record.number) }
    if !events.waiting.isEmpty {
      let subscription = try sender.subscription(of: record)
      if let subscription, let first = events.waiting.values.first(where: { $0.subscription == subscription }) {
        // It is tried when the event before it is settled.
        return try events.noteWaiting(
          ForwardLog.Waiting(number: record.number, attempts: 0, time: first.time, subscription: subscription))
      }
    }
    try attempt(record, attempts: 0, &events, sender)
  }

  private func attempt(
    _ record: JournalRecord, attempts: Int, _ events: inout ForwardLog, _ sender: borrowing Sender
  ) throws {
    let trouble: String
    switch try sender.send(record) {
    case .refused(let reason): trouble = reason
    case .sent(let isConverted):
      if isConverted { counters?.change { $0.converted += 1 } }
      thread.state.change { $0.trouble = nil }
      return try events.noteDelivered(record.number)
    case .rejected:
      // A target writes it to --rejects; without one, only the journal has it.
      if let counters {
        counters.change { $0.rejected += 1 }
        log.note("rejected", [("target", thread.state.now.name), ("number", Int(record.number))], isLimited: true)
      }
      return try events.noteDelivered(record.number)
    }
    thread.note(trouble: trouble, isLimited: true)
    guard attempts < forward.retrySeconds.count else {
      log.note("undelivered", [("target", thread.state.now.name), ("number", Int(record.number))], isLimited: true)
      return try events.noteUndelivered(record.number)
    }
    var waiting = ForwardLog.Waiting(
      number: record.number, attempts: attempts + 1, time: clock.milliseconds + delay(after: attempts + 1))
    waiting.subscription = try sender.subscription(of: record)
    try events.noteWaiting(waiting)
  }

  /// Tries the events whose time has come, in order; a subscription's later events wait for its first one.
  private func retry(
    _ events: inout ForwardLog, _ sender: borrowing Sender, _ reader: JournalReader
  ) throws {
    let now = clock.milliseconds
    guard events.waiting.values.contains(where: { $0.time <= now }) else { return }
    // When the first event of each subscription is tried again.
    var blocked: [String: Int64] = [:]
    for number in events.waiting.keys.sorted() where thread.goesOn {
      guard let event = events.waiting[number] else { continue }
      if let time = event.subscription.flatMap({ blocked[$0] }) {
        events.postpone(number, to: time)
        continue
      }
      guard event.time <= now || event.attempts == 0 else {
        if let subscription = event.subscription { blocked[subscription] = event.time }
        continue
      }
      try reader.move(to: number)
      guard let record = try reader.read(through: number, records: 1).first else { continue }
      try attempt(record, attempts: event.attempts, &events, sender)
      if let subscription = event.subscription, let left = events.waiting[number] { blocked[subscription] = left.time }
    }
  }
}

/// What became of an attempt.
private enum Attempt {
  case sent(isConverted: Bool)
  /// It cannot be converted, so there is nothing to send.
  case rejected
  case refused(String)
}

/// Sends one event in the form that the service wants.
private struct Sender: ~Copyable {
  private let forward: Forward
  private let client: HTTPClient
  /// Makes what the service receives for V1, and the same without a signature.
  private let (converter, decoder): (LiveConverter, LiveConverter)
  private let datesByArrival: Bool
  private let history: EventHistory?

  init(_ forward: Forward, _ options: ServerOptions) {
    self.forward = forward
    client = HTTPClient(timeout: forward.timeout)
    var signed = options.convert
    signed.identity = forward.identity
    let endpoint = options.endpoint
    converter = LiveConverter(prepared: endpoint.prepared, rules: endpoint.rules, options: signed)
    decoder = LiveConverter(prepared: endpoint.prepared, rules: endpoint.rules, options: options.convert)
    (datesByArrival, history) = (options.datesByArrival, options.history)
  }

  /// The subscription that an event is about; `nil` where it names none, or cannot be converted.
  func subscription(of record: JournalRecord) throws -> String? {
    let line =
      switch record.version {
      case .v1: try decoder.convert(record.body, id: record.id, receivedAt: nil)
      case .v2: DecodedNotification.line(of: record.body)
      }
    return line.flatMap { DecodedNotification.subscription(in: $0) }
  }

  func send(_ record: JournalRecord) throws -> Attempt {
    var body = record.body
    let isConverted = forward.form == .v2 && record.version == .v1
    if isConverted {
      guard
        let converted = try converter.convert(
          record.body, id: record.id, receivedAt: datesByArrival ? record.receivedAt : nil,
          settled: try history?.settlement(of: record.number))
      else { return .rejected }
      body = converted
    }
    do throws(HTTPFailure) {
      let reply = try client.post(body, to: forward.address)
      return reply.isSuccess ? .sent(isConverted: isConverted) : .refused("the response was \(reply.status)")
    } catch {
      return .refused(error.message)
    }
  }
}
