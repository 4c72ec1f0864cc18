import SlipcastBulk
import SlipcastMapping
import SlipcastPages
import SlipcastStores
import SlipcastSystem
import SlipcastTimeline
import SlipcastWire

/// `slipcast timeline`: each subscription's life as V2 events, with those that V1 never sent.
enum TimelineCommand: Command {
  static let description = CommandDescription("timeline", .convert, operands: .files)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let path = arguments.last("to").flatMap { $0 == "-" ? nil : $0 }
    var options = try options(arguments, path)
    let rules = try RuleOptions.rules(arguments)
    let progress = Progress(arguments, writesLines: false, console)
    let words = RejectWords(arguments, console, progress)
    Interruption.watch()
    let order = try await order(arguments, rules, console)
    options.transactions = order?.transactions ?? options.transactions
    let store = try await EventStore(
      order?.arguments ?? arguments, among: order?.legacy, keepsLines: false, words: words, console)
    progress.makeRoom()
    sayRejects(of: store, words, arguments, console)
    if store.end == .interrupted { return .failed }
    let output = try output(path, options.format)
    // Standard output is for the states alone, where they go there.
    let isQuiet = path == nil && arguments.last("states") == "-"
    func write(_ bytes: Span<UInt8>) throws { if !isQuiet { try output.write(bytes, part: .whole) } }
    let (id, page) = (arguments.last("original-transaction-id"), arguments.last("report"))
    let states = try arguments.last("states").map { try RowFile($0, option: "states", StatesTable.columns) }
    let side = try store.side(arguments, console)
    options.evidence = try store.evidence(of: side, originalTransactionId: id)
    // Once lines appear on the terminal, they show how far it is.
    let shown = path == nil && Platform.isTerminal(1) ? Progress(.none, console) : progress
    let totals: TimelineTotals
    if id == nil, order == nil, page == nil {
      totals = try writeAll(of: store, side, rules, options, progress: shown, states: states, to: write)
    } else {
      let writer = TimelineWriter(rules: rules, options: options, sink: write)
      if let states { writer.watchIntervals = { try states.write($0, of: $1) } }
      let lives = page.map { _ in LifeCollection() }
      lives?.watch(writer)
      for chosen in order?.ids ?? [id] {
        try feed(writer, subscription: chosen, of: store, side, isOfOrder: order != nil, shown)
      }
      if let order, order.isUnknown(console) { return .findings }
      if let id, writer.counts.read == 0 { return nothing(of: id, console) }
      try writer.finish()
      if let page, let lives { try Self.write(lives, rules, asOf: options.asOf, arguments, to: page) }
      totals = writer.totals
    }
    try output.finish()
    try states?.finish()
    if !arguments.has("quiet") {
      if id == nil, order == nil { try store.sayLeftOut(console) }
      try store.sayWhatItLacks(of: side, console)
    }
    let status = end(totals, of: store, arguments, console)
    return order?.hasUntrusted(console) == true && !arguments.has("exit-zero") ? .findings : status
  }

  /// The subscriptions of an order that the customer names.
  private static func order(
    _ arguments: Arguments, _ rules: RuleSet, _ console: Console
  ) async throws -> OrderSelection? {
    try OrderSelection.check(arguments)
    guard let id = arguments.last("order") else { return nil }
    return try await OrderSelection(id, arguments, rules, console)
  }

  private static func nothing(of id: String, _ console: Console) -> ExitCode {
    console.say("slipcast: no notification of the subscription \(Console.harmless(id)) found\n")
    return .findings
  }

  private static func sayRejects(
    of store: EventStore, _ words: RejectWords, _ arguments: Arguments, _ console: Console
  ) {
    if arguments.has("quiet") { return }
    words.sayRemaining()
    guard let advice = RejectAdvice.words(store.counts.flatMap(words.only), arguments, readsEvents: true) else {
      return
    }
    console.say("slipcast: \(advice)\n")
  }

  /// Writes the timelines of all subscriptions, with a worker for each job.
  private static func writeAll(
    of store: EventStore, _ side: StoreSide, _ rules: RuleSet, _ options: TimelineOptions, progress: Progress,
    states: RowFile<StatesTable.Row>?, to write: @escaping (Span<UInt8>) throws -> Void
  ) throws -> TimelineTotals {
    let workers = (0..<store.jobs).map {
      TimelinePieces(rules: rules, options: options, isFirst: $0 == 0, keepsIntervals: states != nil)
    }
    func take(_ piece: TimelinePiece) throws {
      if !piece.bytes.isEmpty { try write(piece.bytes.span) }
      for found in piece.intervals { try states?.write(found.intervals, of: found.id) }
    }
    try store.forEachEvent(
      "writing", of: side, progress, workers: workers,
      work: { try $0.timelines(of: $1.events, isWhole: $1.isWhole) }, take: take)
    if let first = workers.first { try take(first.finish()) }
    return workers.reduce(into: TimelineTotals()) { $0.add($1.totals) }
  }

  private static func options(_ arguments: Arguments, _ path: String?) throws -> TimelineOptions {
    var options = TimelineOptions()
    options.format = try format(arguments, path)
    if let page = arguments.last("report"), !page.lowercased().hasSuffix(".html") {
      throw UsageError("--report \(page): the page is HTML; name it FILE.html")
    }
    options.isColored = options.format == .text && path == nil && Console.colors(1, arguments)
    if options.format == .text, path == nil { options.columns = Screen.columns }
    options.asOf = try arguments.time("as-of")
    options.complete = try SettleOptions.ranges(arguments)
    return options
  }

  private static func output(_ path: String?, _ format: TimelineOptions.Format) throws -> any LineOutput {
    if let path { return try FileOutput(path) }
    return format == .text ? TextScreen() : StreamOutput(isJSON: format == .json)
  }

  /// Feeds the events of a subscription, or of all.
  private static func feed(
    _ writer: TimelineWriter, subscription id: String?, of store: EventStore, _ side: StoreSide, isOfOrder: Bool,
    _ progress: Progress
  ) throws {
    try store.forEachEvent("writing", of: side, originalTransactionId: id, progress, writer.feed)
    if isOfOrder, let id { try writer.show(StoredEvent.Subscription(originalTransactionId: id)) }
  }

  private static func write(
    _ collection: LifeCollection, _ rules: RuleSet, asOf: Int64?, _ arguments: Arguments, to path: String
  ) throws {
    guard collection.lives.count == 1, let life = collection.lives.first else {
      let isOneID = Set(collection.lives.map { $0.subscription?.originalTransactionId }).count == 1
      throw UsageError(
        "--report draws one subscription, and there are \(collection.lives.count)"
          + (isOneID
            ? " with this id, in several environments or apps: give only the records of one"
            : ": name one with --original-transaction-id ID"))
    }
    var page = LifePage(life, rules: rules, asOf: asOf, omitted: collection.omitted)
    page.made = (ReportClock.milliseconds, GivenOptions.list(arguments))
    try Files.write(page.html, to: path)
  }

  /// The form that is asked for: by name, or by the extension of the file.
  private static func format(_ arguments: Arguments, _ path: String?) throws -> TimelineOptions.Format {
    if let path, ConvertTarget.isTable(path) {
      guard arguments.last("format").map({ $0 == "csv" }) ?? true else {
        throw UsageError("--to \(path) is CSV, and --format asks for another form")
      }
      return .csv
    }
    if let path { try ConvertTarget.checkFile(path, endings: ConvertTarget.endings + ["txt"]) }
    if let name = arguments.last("format") { return TimelineOptions.Format(rawValue: name) ?? .text }
    return path == nil && Platform.isTerminal(1) || path?.hasSuffix(".txt") == true ? .text : .json
  }

  private static func end(
    _ totals: TimelineTotals, of store: EventStore, _ arguments: Arguments, _ console: Console
  ) -> ExitCode {
    let counts = totals.counts
    if !arguments.has("quiet") {
      func counted(_ value: Int, _ word: String, _ plural: String? = nil) -> String {
        "\(value.grouped) \(value == 1 ? word : plural ?? word)"
      }
      let differing = store.counts?.findings.count(of: .repeatDiffers) ?? 0
      let parts =
        [
          counted(totals.subscriptions, "subscription", "subscriptions"),
          counted(counts.read, "message", "messages"),
          counted(counts.leads, "event", "events"), counted(counts.absorbed, "absorbed"),
          counted(counts.duplicate + (store.counts?.duplicate ?? 0), "duplicate"),
          counted(counts.unreadable, "unreadable"), counted(totals.gaps, "never sent by V1"),
          counted(totals.unreported, "without a message"), counted(store.counts?.rejected ?? 0, "rejected"),
        ] + (differing > 0 ? [counted(differing, "duplicate with other content", "duplicates with other content")] : [])
      console.close(parts.joined(separator: ", ") + "\n")
    }
    let isFine = (store.counts?.rejected ?? 0) == 0 && counts.unreadable == 0
    return isFine || arguments.has("exit-zero") ? .fine : .findings
  }
}

/// The user has asked the program to end.
struct Interrupted: Error, CustomStringConvertible {
  var description: String { "interrupted" }
}
