internal import SlipcastBulk
internal import SlipcastNetwork
import SlipcastSystem
internal import SlipcastV2
internal import SlipcastWire

/// Hands out customers, keeps what their chains found, and writes it in the order of the customers.
actor FetchLedger {
  struct Chain: Sendable {
    /// Where the last request went.
    var environment: Environment
    /// The environments to ask when this one does not know the id.
    var others: [Environment]
    var sequence = 0
    var page = 0
    var cursor: String?
    /// The start of the notifications that its pages are about, in milliseconds since 1970 UTC.
    var start: Int64?
    var restarts = 0
    /// Its last revision in an earlier run.
    var earlier: RevisionTable.Entry?
    var digest: String?
    /// The environment of its first response that was not empty.
    var answered: Environment?
    /// Events whose lines are not in the output yet.
    var pending: [(event: FetchEvent, place: FetchLog.Place)] = []
    var isEnded = false
    var isRunning = false
  }

  /// What a worker does next, and what it has not noted yet.
  struct Job: Sendable {
    let number: Int32
    let customer: Customer
    let bundleId: String
    var chain: Chain
    var requests = 0
    var retries = 0
    /// Empty pages in a row, after which the server announced more.
    var empties = 0
    /// Cursors that the server refused.
    var refusals = 0
    /// Another environment has answered already.
    var hasAnswer = false
    /// The events of the last response.
    var events: [FetchEvent.Noted] = []
  }

  let list: CustomerList
  let options: FetchOptions
  var outputs: FetchOutputs
  var log: FetchLog
  var checkpoint: FetchCheckpoint
  /// What an earlier, finished run left.
  let earlier: RevisionTable
  let known = KnownIDs(memory: 64 << 20)

  var chains: [Int32: Chain] = [:]
  /// The customer whose lines are written next.
  var head: Int32 = 0
  /// Events of the head's chain whose lines are written.
  var written = 0
  /// The digests of the head's pages that are written, by their numbers.
  var digests: [Int: String] = [:]
  var uncommitted = 0
  private var next: Int32 = 0
  /// Customers that wait for the response of another one.
  var followers: [Int32: [Int32]] = [:]
  var ready: [Int32] = []
  /// The first customer whose response lists another one, as long as neither is done.
  var claims: [Int32: Int32] = [:]
  /// A response listed the id that follows: the ids of one customer stand side by side, and the next one waits.
  private var isDense = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private(set) var failure: (any Error)?
  private var isEnding = false

  /// How far chains may be ahead of the output, in customers.
  private static let lookahead: Int32 = 10_000

  init(
    _ list: CustomerList, _ options: FetchOptions, _ outputs: FetchOutputs, _ checkpoint: FetchCheckpoint
  ) throws(FileError) {
    (self.list, self.options, self.outputs, self.checkpoint) = (list, options, outputs, checkpoint)
    let path = outputs.checkpoint.map { FetchOutputs.logPath($0) }
    let table = outputs.checkpoint.map { FetchOutputs.tablePath($0) }
    var earlier = RevisionTable()
    if let table, let state = checkpoint.earlierTable { earlier = try RevisionTable(table, state, isFinished: true) }
    self.earlier = earlier
    for event in earlier.events { _ = try known.insert(event) }
    (head, written) = (Int32(checkpoint.done), checkpoint.sequence)
    next = head
    if let path, Platform.kind(path) == .file, !checkpoint.outputs.isEmpty {
      if let table, let state = checkpoint.outputs.first(where: { $0.path == table }) {
        for event in try RevisionTable(FileOutput.partName(table), state).events {
          _ = try known.insert(event)
        }
      }
      var events: [(FetchEvent, FetchLog.Place)] = []
      log = try FetchLog(path, of: checkpoint.identity, resuming: { events.append(($0, $1)) })
      chains = Self.chains(events, from: head, written: written)
      for number in chains.keys {
        chains[number]?.earlier = earlier.entries[list.name(of: list.customers[Int(number)])]
      }
      try Self.check(chains[head], checkpoint, path)
    } else {
      if let path, !checkpoint.outputs.isEmpty { try Self.check(nil, checkpoint, path) }
      log = try FetchLog(path, of: checkpoint.identity)
    }
  }

  /// Checks that the log knows what of a customer is in the output: without it, those lines would be written again.
  private static func check(_ chain: Chain?, _ checkpoint: FetchCheckpoint, _ log: String) throws(FileError) {
    guard checkpoint.sequence > 0, (chain?.sequence ?? 0) < checkpoint.sequence else { return }
    throw FileError(
      path: log, doing: "continue from",
      reason: "it lacks events that the checkpoint counts; restore it from a copy, or delete the checkpoint to "
        + "start over")
  }

  /// The chains of an interrupted run.
  private static func chains(
    _ events: [(FetchEvent, FetchLog.Place)], from head: Int32, written: Int
  ) -> [Int32: Chain] {
    var chains: [Int32: Chain] = [:]
    for (event, place) in events where event.customer >= head {
      var chain = chains[event.customer] ?? Chain(environment: event.environment, others: [])
      chain.note(event)
      if event.customer > head || event.sequence > written { chain.pending.append((event, place)) }
      chains[event.customer] = chain
    }
    return chains
  }

  // MARK: workers

  /// The next chain to work on; `nil` after the last one.
  func job() async -> Job? {
    while !isEnding {
      if let job = take() { return job }
      guard head < list.count else { return nil }
      if isEnding { return nil }
      await withCheckedContinuation { waiting.append($0) }
    }
    return nil
  }

  private func take() -> Job? {
    while let number = ready.popLast() { if let job = start(number) { return job } }
    while next < list.count, next - head < Self.lookahead, !isEnding {
      let number = next
      if isDense, claims[number] == nil, number > head, isUnderWay(claims[number - 1] ?? number - 1) { return nil }
      next += 1
      if let leader = list.customers[Int(number)].leader, leader >= head, chains[number] == nil, leader != number {
        followers[leader, default: []].append(number)
        continue
      }
      if let job = start(number) { return job }
    }
    return nil
  }

  private func isUnderWay(_ number: Int32) -> Bool {
    number >= head && checkpoint.covered[number] == nil && chains[number]?.isEnded == false
  }

  /// Whether a chain sends its next request: one whose customer is listed in the response for an earlier customer waits
  /// until that one is done, and then needs none.
  func goesOn(with number: Int32) -> Bool {
    guard number >= head, checkpoint.covered[number] == nil else { return false }
    guard let owner = claims[number], owner >= head else { return true }
    chains[number]?.isRunning = false
    chains[number]?.others = []
    followers[owner, default: []].append(number)
    return false
  }

  /// Starts a chain, unless the customer needs none.
  private func start(_ number: Int32) -> Job? {
    guard chains[number]?.isRunning != true, goesOn(with: number) else { return nil }
    let customer = list.customers[Int(number)]
    var chain = chains[number] ?? begin(customer)
    guard !chain.isEnded else { return nil }
    if let entry = customer.id.flatMap({ earlier.entries[$0] }), let leader = entry.coveredBy.flatMap(list.index),
      leader != number
    {
      checkpoint.covered[number] = .init(by: leader, environment: entry.environment ?? .production)
      advance()
      return nil
    }
    chain.isRunning = true
    if chain.others.isEmpty, chain.sequence > 0 {
      // A resumed chain asks the other environment too, if it was on its way there.
      chain.others = environments(customer).drop { $0 != chain.environment }.dropFirst().map { $0 }
    }
    chains[number] = chain
    if let (outcome, message) = result(of: customer) {
      end(number, outcome, code: nil, message: message)
      return nil
    }
    let bundleId = customer.bundle.map { list.bundles[Int($0)] } ?? ""
    return Job(number: number, customer: customer, bundleId: bundleId, chain: chain)
  }

  /// The result of a customer that needs no request, and the reason.
  private func result(of customer: Customer) -> (FetchEvent.Outcome, String)? {
    if let fault = customer.fault { return (.failed, fault) }
    if statedEnvironments(customer).isEmpty {
      return (.failed, "data of Xcode and LocalTesting is not on Apple's servers; it was not sent")
    }
    guard environments(customer).isEmpty else { return nil }
    return (customer.id == nil ? .found : .notFound, "Apple keeps no notifications of this time; it was not sent")
  }

  private func environments(_ customer: Customer) -> [Environment] {
    statedEnvironments(customer).filter { options.mayHold($0, now: Timestamp(milliseconds: checkpoint.begin)) }
  }

  private func statedEnvironments(_ customer: Customer) -> [Environment] {
    if let fixed = options.environment { return [fixed] }
    switch customer.environment {
    case .production, .sandbox: return customer.environment.map { [$0] } ?? []
    case nil: return [.production, .sandbox]
    default: return []
    }
  }

  private func begin(_ customer: Customer) -> Chain {
    let entry = earlier.entries[list.name(of: customer)]
    var all = environments(customer)
    // Notifications about an id may come in another environment later.
    if options.endpoint != .notifications, let known = entry?.environment { all = [known] }
    let first = all.first ?? statedEnvironments(customer).first ?? .production
    var chain = Chain(environment: first, others: Array(all.dropFirst()))
    (chain.earlier, chain.cursor) = (entry, entry?.revision)
    return chain
  }

  // MARK: events

  /// Keeps the events of one response; everything that is known of a chain follows from its events.
  func note(_ events: [FetchEvent.Noted]) {
    guard let number = events.first?.event.customer else { return }
    guard number >= head, failure == nil else {
      for noted in events { checkpoint.counts.add(noted.event) }
      return
    }
    do {
      let places = try log.append(events)
      for (noted, place) in zip(events, places) {
        var chain = chains[number] ?? Chain(environment: noted.event.environment, others: [])
        chain.note(noted.event)
        chain.pending.append((noted.event, place))
        chains[number] = chain
        claim(noted.event)
      }
      advance()
    } catch {
      fail(error)
    }
  }

  /// Notes which customers a response lists, so that they are not asked about at the same time.
  private func claim(_ event: FetchEvent) {
    let following = event.customer + 1
    switch event.kind {
    case .page(let state):
      for other in state.covers where other > event.customer && other >= head && chains[other]?.isEnded != true {
        claims[other] = min(claims[other] ?? event.customer, event.customer)
      }
      isDense = isDense || state.covers.contains(following)
    case .end:
      if following < list.count, claims[following] == nil { isDense = false }
      wake()
    case .reject, .restart, .move: break
    }
  }

  /// Ends a chain that sends nothing.
  private func end(_ number: Int32, _ outcome: FetchEvent.Outcome, code: Int64?, message: String) {
    guard let chain = chains[number] else { return }
    let event = FetchEvent(
      customer: number, sequence: chain.sequence + 1, environment: chain.environment,
      kind: .end(outcome: outcome, code: code, message: message))
    note([(event, [])])
  }

  /// True when nothing more must be requested.
  var hasEnded: Bool { isEnding }

  /// No response has come, in this run or before.
  var isUntouched: Bool { head == 0 && written == 0 && chains.values.allSatisfy { $0.sequence == 0 } }

  /// Ends the run: no further request is sent.
  func stop() {
    isEnding = true
    wake()
  }

  func fail(_ error: any Error) {
    failure = failure ?? error
    stop()
  }

  func wake() {
    let waiters = waiting
    waiting = []
    for waiter in waiters { waiter.resume() }
  }
}

extension FetchLedger.Chain {
  /// Follows an event.
  mutating func note(_ event: FetchEvent) {
    sequence = event.sequence
    environment = event.environment
    switch event.kind {
    case .page(let state):
      (page, cursor, digest) = (state.page, state.cursor ?? cursor, state.digest)
      start = state.start
      if !state.isEmpty { answered = answered ?? event.environment }
    case .restart:
      (page, cursor, start) = (0, nil, nil)
      restarts += 1
    case .move: start = nil
    case .reject: break
    case .end: isEnded = true
    }
  }
}
