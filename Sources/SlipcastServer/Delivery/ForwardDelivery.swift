internal import Dispatch
internal import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastNetwork
internal import Synchronization

/// Sends events to another service, on a thread of its own, until it is asked to stop.
///
/// An event that the service does not accept waits for its next attempt. Later events of the same subscription wait
/// too; those of others are sent.
final class ForwardDelivery: Delivery {
  let state: DeliveryState
  private let forward: Forward
  private let journal: Journal
  private let options: LiveOptions
  private let counters: Counters
  private let log: ServerLog
  private let wakeUp = DispatchSemaphore(value: 0)
  private let isStopped = Atomic(false)
  private let ended = DispatchGroup()
  /// While so many events wait, no further ones are tried: the service is not available.
  private static let mostWaiting = 1000

  init(_ forward: Forward, _ journal: Journal, _ options: LiveOptions, counters: Counters, log: ServerLog) {
    (self.forward, self.journal, self.options) = (forward, journal, options)
    (self.counters, self.log) = (counters, log)
    state = DeliveryState("\(forward.form.rawValue)=\(HTTPClient.shown(forward.address))")
    journal.wake(wakeUp)
  }

  func start() {
    DispatchQueue(label: "slipcast.forward").async(group: ended) { self.run() }
  }

  func stop() {
    isStopped.store(true, ordering: .relaxed)
    wakeUp.signal()
    ended.wait()
  }

  private var goesOn: Bool { !isStopped.load(ordering: .relaxed) }

  private func run() {
    while goesOn {
      do {
        try deliver()
      } catch {
        let message = "\(error)"
        if state.now.trouble != message { log.note("failed", [("target", state.name), ("message", message)]) }
        state.change { $0.trouble = message }
        _ = wakeUp.wait(timeout: .now() + 2)
      }
    }
  }

  private static func now() -> Int64 { Platform.milliseconds() / 1000 }

  private func deliver() throws {
    let file =
      journal.folder.checkpoint(of: JournalFolder.name(of: "\(forward.form.rawValue)=\(forward.address)")) + ".log"
    var events = try ForwardLog(file, start: options.fromNow ? journal.last : journal.first - 1)
    guard events.position >= journal.first - 1 else {
      throw BulkError(
        path: journal.folder.path, doing: "deliver",
        reason: "the target lacks event \(events.position + 1), which the journal no longer contains")
    }
    if forward.redelivers {
      for number in events.undelivered.sorted() {
        try events.noteWaiting(ForwardLog.Waiting(number: number, attempts: 0, time: 0))
      }
    }
    for number in events.waiting.keys.sorted() {
      let reader = JournalReader(journal.folder, from: number, recordBytes: options.maxBody)
      let record = try reader.read(through: number, records: 1).first
      events.note(subscription: record.flatMap { SubscriptionName.find(in: $0.body, $0.version) }, of: number)
    }
    var options = options.convert
    options.identity = forward.identity
    let sender = Sender(
      forward: forward, client: HTTPClient(timeout: forward.timeout),
      converter: LiveConverter(prepared: self.options.prepared, rules: self.options.rules, options: options),
      datesByArrival: self.options.datesByArrival)
    let reader = JournalReader(journal.folder, from: events.position + 1, recordBytes: self.options.maxBody)
    report(events)
    while goesOn {
      try retry(&events, sender)
      var isIdle = true
      if events.waiting.count < Self.mostWaiting {
        for record in try reader.read(through: journal.last, atMost: 1 << 18, records: 50) where goesOn {
          isIdle = false
          try send(record, &events, sender)
        }
      }
      report(events)
      if isIdle { _ = wakeUp.wait(timeout: .now() + min(1, untilNext(events))) }
    }
  }

  private func untilNext(_ events: borrowing ForwardLog) -> Double {
    let next = events.waiting.values.map(\.time).min() ?? .max
    return next == .max ? 1 : max(0.05, Double(next - Self.now()))
  }

  private func report(_ events: borrowing ForwardLog) {
    let (position, waiting, undelivered) = (events.position, events.waiting.count, events.undelivered.count)
    let oldest = min(events.waiting.keys.min() ?? .max, events.undelivered.min() ?? .max)
    state.change { values in
      (values.position, values.waiting, values.undelivered) = (position, waiting, undelivered)
      values.complete = min(position, oldest - 1)
      values.trouble = waiting > 0 ? values.trouble ?? "waits" : nil
    }
  }

  private func send(
    _ record: JournalRecord, _ events: inout ForwardLog, _ sender: borrowing Sender
  ) throws {
    if !events.waiting.isEmpty {
      let subscription = SubscriptionName.find(in: record.body, record.version)
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
    guard let trouble = try sender.send(record) else {
      state.change { $0.trouble = nil }
      return try events.noteDelivered(record.number)
    }
    counters.change { $0.failures[state.name, default: 0] += 1 }
    if state.now.trouble != trouble {
      log.note("failed", [("target", state.name), ("message", trouble)], isLimited: true)
    }
    state.change { values in
      values.failures += 1
      values.trouble = trouble
    }
    guard attempts < forward.retrySeconds.count else {
      log.note("undelivered", [("target", state.name), ("number", Int(record.number))], isLimited: true)
      return try events.noteUndelivered(record.number)
    }
    var waiting = ForwardLog.Waiting(
      number: record.number, attempts: attempts + 1, time: Self.now() + Int64(forward.retrySeconds[attempts]))
    waiting.subscription = SubscriptionName.find(in: record.body, record.version)
    try events.noteWaiting(waiting)
  }

  /// Tries the events whose time has come, in order; a subscription's later events wait for its first one.
  private func retry(_ events: inout ForwardLog, _ sender: borrowing Sender) throws {
    let now = Self.now()
    guard events.waiting.values.contains(where: { $0.time <= now }) else { return }
    var blocked: Set<String> = []
    for number in events.waiting.keys.sorted() where goesOn {
      guard let event = events.waiting[number] else { continue }
      let reader = JournalReader(journal.folder, from: number, recordBytes: options.maxBody)
      if let subscription = event.subscription, blocked.contains(subscription) { continue }
      guard event.time <= now || event.attempts == 0 else {
        if let subscription = event.subscription { blocked.insert(subscription) }
        continue
      }
      guard let record = try reader.read(through: number, records: 1).first else { continue }
      try attempt(record, attempts: event.attempts, &events, sender)
      if let subscription = event.subscription, events.waiting[number] != nil { blocked.insert(subscription) }
    }
  }
}

/// Sends one event in the form that the service wants.
private struct Sender: ~Copyable {
  let forward: Forward
  let client: HTTPClient
  let converter: LiveConverter
  let datesByArrival: Bool

  /// - Returns: `nil` when the service accepted it, or there is nothing to send; else why not.
  func send(_ record: JournalRecord) throws -> String? {
    var body = record.body
    if forward.form == .v2, record.version == .v1 {
      // What cannot be converted is a reject of `--to`; this service gets nothing for it.
      guard
        let converted = try converter.convert(
          record.body, id: record.id, receivedAt: datesByArrival ? record.receivedAt : nil)
      else { return nil }
      body = converted
    }
    do throws(HTTPFailure) {
      let reply = try client.post(body, to: forward.address)
      return reply.isSuccess ? nil : "the response was \(reply.status)"
    } catch {
      return error.message
    }
  }
}
