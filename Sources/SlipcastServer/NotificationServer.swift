package import SlipcastBulk
package import SlipcastHTTP
internal import SlipcastMapping
package import SlipcastOutlets
package import SlipcastStores
import SlipcastSystem

/// What a `NotificationServer` does.
package struct ServerOptions: Sendable {
  package var http = HTTPOptions()
  package var endpoint: EndpointOptions
  /// The folder of the journal.
  package var journal: String
  /// A file, files or a database to convert to.
  package var target: RunTarget?
  package var forwards: [Forward] = []
  /// Where V1 bodies go that cannot be converted.
  package var rejects: String?
  /// How V1 is converted for the target.
  package var convert = ConvertOptions()
  /// V1 lines get the arrival time as `signedDate`.
  package var datesByArrival = false
  /// V1 readings are settled with the earlier events of the journal.
  package var settles = false
  /// A new target receives only events that arrive from now on.
  package var fromNow = false
  /// Days after which events are removed that every target has; `nil`: none is removed.
  package var keepDays: Int?
  /// Answers requests of `verifyReceipt`, from the journal too; `nil`: there are no such addresses.
  package var verifyReceipt: VerifyReceiptService.Options?
  /// Fills the table `states` of a database, for as long as the closure allows; false where it ended early.
  package var fillStates: FillStates?
  /// The version of the program.
  package var version: String
  /// Settles readings with earlier events; `nil`: each record is read alone.
  var history: EventHistory?

  package typealias FillStates = @Sendable (StoreStates, _ goesOn: () -> Bool) throws -> Bool

  package init(endpoint: EndpointOptions, journal: String, version: String) {
    (self.endpoint, self.journal, self.version) = (endpoint, journal, version)
  }
}

/// The endpoint with its journal and its deliveries.
package final class NotificationServer {
  private let options: ServerOptions
  private let journal: Journal
  private let intake: Intake
  private let deliveries: [any Delivery]
  private let endpoint: Endpoint
  private let http: HTTPServer
  private let log: ServerLog
  private var lastRemoval = 0.0

  /// The address and port that it listens on.
  package var address: String { http.address }

  /// Reads the journal, starts deliveries, and listens.
  ///
  /// - Throws: `FileError` for a damaged journal, one that another server uses, or an address that is in use.
  package init(_ options: ServerOptions, log: ServerLog) throws {
    var options = options
    let (counters, clock) = (Shared(Counters()), SteadyClock())
    let memory = Intake.Memory(RepeatWindows(options.endpoint.rules))
    let maxBody = options.endpoint.maxBody
    let reader = NotificationReader(prepared: options.endpoint.prepared, recordBytes: maxBody)
    journal = try Journal(options.journal, recordBytes: maxBody) { (record) throws(FileError) in
      try memory.recall(record, try? reader.read(record.body, receivedAt: record.receivedAt))
    }
    if let mend = journal.mend {
      log.note(
        "mended",
        [
          ("file", mend.file), ("offset", mend.offset), ("bytes", mend.bytes),
          ("message", mend.message),
        ])
    }
    intake = Intake(journal, memory, counters: counters, log: log)
    if options.settles {
      let history = EventHistory(journal, options)
      options.history = history
      if try history.check() {
        log.note("mended", [("file", journal.folder.history), ("message", "it was damaged, and is made again")])
      }
    }
    (self.options, self.log) = (options, log)
    var deliveries: [any Delivery] = []
    if let target = options.target {
      deliveries.append(TargetDelivery(target, journal, options, counters: counters, log: log))
    }
    for forward in options.forwards {
      deliveries.append(ForwardDelivery(forward, journal, options, log: log, counters: counters, clock: clock))
    }
    self.deliveries = deliveries
    for delivery in deliveries { try delivery.check() }
    let reports = Reports(
      journal: journal, counters: counters, targets: deliveries.map(\.thread.state), settles: options.settles)
    let receipts = try Self.receipts(options, journal, log)
    endpoint = Endpoint(
      options.endpoint, intake: intake, counters: counters, log: log, clock: clock, receipts: receipts
    ) {
      reports.answer($0)
    }
    http = try HTTPServer(options.http, endpoint)
    for delivery in deliveries { delivery.start() }
  }

  private static func receipts(_ options: ServerOptions, _ journal: Journal, _ log: ServerLog) throws
    -> ReceiptRoutes?
  {
    guard var settings = options.verifyReceipt else { return nil }
    settings.onError = { log.note("failed", [("message", $0)], isLimited: true) }
    settings.sources.append(
      try JournalCustomers(
        journal, prepared: options.endpoint.prepared, recordBytes: options.endpoint.maxBody))
    return ReceiptRoutes(service: VerifyReceiptService(settings))
  }

  /// Regular work: removes old events, at most once a minute.
  package func tidy() {
    guard let days = options.keepDays, Platform.seconds() - lastRemoval > 60 else { return }
    lastRemoval = Platform.seconds()
    let positions = deliveries.map { $0.thread.state.now.complete ?? $0.thread.state.now.position ?? 0 }
    do {
      try journal.remove(
        through: positions.min() ?? journal.last, before: Platform.milliseconds() - Int64(days) * 86_400_000,
        recordBytes: options.endpoint.maxBody)
      try options.history?.forgetRemoved()
    } catch {
      log.note("failed", [("message", "\(error)")])
    }
  }

  /// Accepts no new connections, answers the requests that have begun, and returns when all of it is on disk.
  package func stop() {
    http.stop(within: Double(options.http.bodySeconds))
    intake.finish()
    for delivery in deliveries { delivery.thread.stop() }
  }
}
