import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastSystem
import SlipcastTimeline
import SlipcastWire

/// Where whole subscriptions are read from: the store that was named, or the events that the inputs are converted into.
///
/// Subscriptions lie scattered over an archive; both sort them without holding them in memory.
final class EventStore {
  private enum Place {
    case store(StoreLocation)
    case converted(EventSpill)
  }

  private let place: Place
  /// What converting the inputs gave; `nil` for a store that was there.
  private var converted: RunCounts?
  private(set) var end = RunEnd.finished
  /// The readings that the messages settle among each other; `nil` for a store that was there.
  private(set) var settled: SettledReadings?
  /// With more than one, a thread reads and sorts, and others use what comes.
  let jobs: Int
  /// V2 records may be in the store: it was there, or a journal was read.
  private let mayHoldBothSides: Bool

  /// Takes a store as it is, and converts everything else.
  ///
  /// - Parameters:
  ///   - among: the sources to read; `nil`: all that the command line names.
  ///   - isReported: the same inputs were searched before, and skipped files reported.
  ///   - settles: whether other messages of the archive settle readings.
  ///   - keepsLines: whether the lines of the store are needed whole, not only what timelines show of them.
  init(
    _ arguments: Arguments, among sources: [RecordSource]? = nil, isReported: Bool = false, settles: Bool = true,
    keepsLines: Bool = true,
    words: RejectWords,
    _ console: Console
  ) async throws {
    try InputUse.check(arguments.operands, arguments, readsStores: true)
    try SideOption.check(arguments, readsEvents: true)
    var options = try ConvertCommand.options(arguments)
    jobs = options.jobs
    if arguments.operands.count == 1, StoreLocation.isLocation(arguments.operands[0]) {
      try ForeignLocation.check(arguments.operands[0])
      let location = try StoreLocation(arguments.operands[0])
      if location.isStore {
        try Store.check(location)
        (place, mayHoldBothSides) = (.store(location), true)
        return
      }
    }
    let spill = EventSpill(in: SortedSpill(isAside: jobs > 1))
    place = .converted(spill)
    let sources = try sources ?? ConvertInputs(arguments, isReported ? nil : console).sources
    mayHoldBothSides = sources.contains { source in
      if case .file(let file, _) = source { file.isJournal } else { true }
    }
    try await InputNames.check(sources, arguments)
    options.emission = .notification
    let rules = try RuleOptions.rules(arguments)
    // Without readings there is still the order in which messages were received, where the archive states it.
    if settles || Self.statesReceipt(sources, options) {
      options.settled = try await SettleOptions.settle(
        sources, rules, options, with: arguments,
        finding: !settles ? [] : keepsLines ? .readings : [.readings, .periods], progress: words.progress)
    }
    if settles { settled = options.settled }
    if !keepsLines { options.members = EventFacts.members }
    var kept = RunPlan.Settings()
    kept.rejects = try RejectFile.path(arguments)
    kept.rawRejects = try RejectFile.raw(arguments, of: sources, options)
    let plan = try RunPlan(
      sources, to: .events(spill), rules: rules, options: options, settings: kept)
    let watch = words.progress.converting(sources, name: "converting")
    let outcome = try await plan.run(watch: watch, onReject: { words.say($0) })
    (end, converted) = (outcome.end, outcome.counts)
  }

  /// What converting the inputs gave, with duplicates once all events were read; `nil` for a store that was there.
  var counts: RunCounts? {
    guard var counts = converted, case .converted(let spill) = place, let repeated = spill.repeated else {
      return converted
    }
    counts.converted -= repeated.duplicate
    counts.duplicate += repeated.duplicate
    counts.findings.add(RepeatFinding.repeatDiffers.rawValue, repeated.differing)
    return counts
  }

  /// The side that is read, so that no event comes twice; says what is left out.
  func side(_ arguments: Arguments, _ console: Console) throws -> StoreSide {
    guard mayHoldBothSides else { return .both }
    let rule = SideOption.rule(arguments)
    let (chosen, name): (ChosenSide, String)
    switch place {
    case .converted(let spill): (chosen, name) = (spill.choose(rule), "the input")
    case .store(let location):
      guard let reader = try Store.reader(location) else { return .both }
      (chosen, name) = (try reader.choose(rule, readsAnswers: false), location.description)
    }
    SideOption.sayLeftOut(chosen, of: name, arguments, console)
    return chosen.side
  }

  /// Whether rows may state when they were received.
  private static func statesReceipt(_ sources: [RecordSource], _ options: ConvertOptions) -> Bool {
    options.receivedAt != nil
      || sources.contains { if case .file = $0 { $0.pointers?.receivedAt != nil } else { true } }
  }

  /// Hands over the events of a subscription, or of all, in their order.
  func forEachEvent(
    _ name: String, of side: StoreSide, originalTransactionId id: String? = nil, _ progress: Progress,
    _ use: (StoredEvent) throws -> Void
  ) throws {
    // Those of one subscription are few.
    let all = id == nil ? try count() : nil
    var count = 0
    try ReadAhead.forEach(isAside: jobs > 1 && id == nil, size: \.body.count) { [place] take in
      switch place {
      case .store(let location): try Store.forEachEvent(location, of: side, originalTransactionId: id, take)
      case .converted(let spill): try spill.forEachEvent(of: side, originalTransactionId: id, take)
      }
    } use: { (event: StoredEvent) in
      if Interruption.isAsked { throw Interrupted() }
      count += 1
      progress.update(
        Stage(name: name, share: all.map { (Double(count), Double($0)) }, count: count, unit: "messages"))
      try use(event)
    }
    progress.makeRoom()
  }

  /// Hands over the events of all subscriptions to workers, and takes what they make of them in the order of the events.
  ///
  /// - Parameter work: makes something of a piece, on one of several threads.
  func forEachEvent<Worker, Outcome: Sendable>(
    _ name: String, of side: StoreSide, _ progress: Progress, workers: [Worker],
    work: @escaping (Worker, EventPiece) throws -> Outcome, take: @escaping (Outcome) throws -> Void
  ) throws {
    let lanes = OrderedLanes(workers, work: work, take: take)
    var pieces = EventPieces { try lanes.add($0, after: $1) }
    try forEachEvent(name, of: side, progress) { try pieces.add($0) }
    try pieces.finish()
    try lanes.finish()
  }

  private func count() throws -> Int? {
    switch place {
    case .store(let location): try Store.reader(location)?.counts().notifications
    case .converted(let spill): spill.count
    }
  }

  private func answers() throws -> Int {
    switch place {
    case .store(let location): try Store.reader(location)?.counts().answers ?? 0
    case .converted(let spill): spill.others
    }
  }

  /// Reports the records that are not events and therefore missing from the output.
  func sayLeftOut(_ console: Console) throws {
    let answers = try answers()
    guard answers > 0 else { return }
    let noun = answers == 1 ? "receipt answer is not an event and was" : "receipt answers are not events and were"
    console.say("slipcast: \(answers.grouped) \(noun) left out\n")
  }

  /// What lists show in addition to the messages; a store that was there has kept it, or not.
  ///
  /// - Parameter id: the only subscription that is read; `nil`: all.
  func evidence(of side: StoreSide, originalTransactionId id: String? = nil) throws -> SettledReadings? {
    guard case .store(let location) = place else { return settled }
    return side == .v2 ? nil : try Store.reader(location)?.listedPeriods(id)
  }

  /// A store that was there may have the events of V1's messages, and nothing of their lists.
  func sayWhatItLacks(of side: StoreSide, _ console: Console) throws {
    if case .store(let location) = place, side != .v2 { try Self.sayWhatItLacks(location, console) }
  }

  static func sayWhatItLacks(_ location: StoreLocation, _ console: Console) throws {
    guard try Store.reader(location)?.lacksLists() == true else { return }
    console.say(
      "slipcast: this store has what V1's messages report; convert --settle also keeps what only their lists of purchases "
        + "show (renewals, ends and refunds without a message)\n")
  }
}
