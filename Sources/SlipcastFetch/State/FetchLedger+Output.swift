internal import SlipcastBulk
internal import SlipcastNetwork
import SlipcastSystem
internal import SlipcastV2
internal import SlipcastWire

// Writing in the order of the customers, and commits.
extension FetchLedger {
  private static let commitBytes = 16 << 20

  /// Writes what has come of the next customers.
  func advance() {
    do {
      let before = head
      while head < list.count, try settleHead() {}
      if head != before { wake() }
    } catch {
      fail(error)
    }
  }

  /// Writes the events of the head; true when it is done and the next customer follows.
  private func settleHead() throws -> Bool {
    if let cover = checkpoint.covered[head] {
      try settle(cover)
      return true
    }
    while let chain = chains[head], let (event, place) = chain.pending.first {
      chains[head]?.pending.removeFirst()
      try write(event, place, chain)
      written = event.sequence
      if case .end(let outcome, let code, let message) = event.kind {
        try settle(outcome, code: code, message: message, of: chain)
        try release()
        return true
      }
      if uncommitted >= Self.commitBytes { try commit() }
    }
    return false
  }

  private func release() throws {
    (chains[head], claims[head], digests) = (nil, nil, [:])
    for number in followers.removeValue(forKey: head) ?? [] where checkpoint.covered[number] == nil {
      ready.append(number)
    }
    head += 1
    written = 0
    if uncommitted >= Self.commitBytes { try commit() }
  }

  private func settle(_ cover: FetchCheckpoint.Cover) throws {
    checkpoint.covered[head] = nil
    // Its own responses, if it was asked about at the same time, are not needed.
    for (event, _) in chains[head]?.pending ?? [] { checkpoint.counts.add(event) }
    checkpoint.counts.ids += 1
    checkpoint.counts.found += 1
    checkpoint.counts.covered += 1
    if cover.environment == .sandbox { checkpoint.counts.sandbox += 1 }
    let (id, by) = (list.customers[Int(head)].id ?? "", list.customers[Int(cover.by)].id ?? "")
    try put(RevisionTable.line(id, .init(environment: cover.environment, coveredBy: by)), to: outputs.table)
    try release()
  }

  private func write(_ event: FetchEvent, _ place: FetchLog.Place, _ chain: Chain) throws {
    checkpoint.counts.add(event)
    switch event.kind {
    case .page(let state):
      for other in state.covers where other > head && checkpoint.covered[other] == nil {
        checkpoint.covered[other] = .init(by: head, environment: event.environment)
      }
      // A continued run adds only what is new.
      if let earlier = chain.earlier {
        if earlier.digest.map({ $0 == state.digest }) ?? state.isEmpty { return }
      }
      if options.endpoint == .notifications { return try write(try log.read(place), of: state.events) }
      // A chain that began again repeats pages.
      if chain.restarts > 0, digests[state.page] == state.digest { return }
      digests[state.page] = state.digest
      let lines = try log.read(place)
      try put(lines, to: outputs.lines)
      checkpoint.counts.lines += 1
      uncommitted += lines.count
    case .reject:
      try put(try log.read(place), to: outputs.rejects)
      checkpoint.counts.rejected += 1
    case .restart, .move, .end: break
    }
  }

  /// Writes the notifications that did not come before.
  private func write(_ lines: [UInt8], of events: [KnownIDs.ID]) throws {
    var start = 0
    for event in events {
      guard let feed = lines[start...].firstIndex(of: 0x0A) else { return }
      defer { start = feed + 1 }
      guard case .new = try known.insert(event) else {
        checkpoint.counts.duplicate += 1
        continue
      }
      let line = Array(lines[start...feed])
      try put(line, to: outputs.lines)
      try put(RevisionTable.line(event), to: outputs.table)
      checkpoint.counts.lines += 1
      uncommitted += line.count
    }
  }

  private func settle(_ outcome: FetchEvent.Outcome, code: Int64?, message: String, of chain: Chain) throws {
    let customer = list.customers[Int(head)]
    if customer.id != nil {
      checkpoint.counts.ids += 1
      switch outcome {
      case .found: checkpoint.counts.found += 1
      case .notFound: checkpoint.counts.notFound += 1
      case .failed: checkpoint.counts.failed += 1
      }
      if outcome == .found, chain.answered ?? chain.environment == .sandbox { checkpoint.counts.sandbox += 1 }
    } else if outcome != .found {
      checkpoint.counts.failedWindows += 1
    }
    try keep(outcome, of: chain, about: customer)
    if outcome == .failed || outcome == .notFound && customer.id == nil {
      options.onFailure(customer.id, chain.environment, message)
    }
    guard outcome != .found, let id = customer.id else { return }
    let line = FetchOutputs.missingLine(
      id: id, environment: customer.isAskable ? chain.environment.rawValue : nil, code: code, message: message)
    try put(line, to: outputs.missing)
  }

  /// Keeps what a later run continues from.
  private func keep(_ outcome: FetchEvent.Outcome, of chain: Chain, about customer: Customer) throws {
    // The pages that came before a failure are in the output.
    let hasPages = outcome == .failed && chain.cursor != nil && options.endpoint != .notifications
    guard outcome == .found || hasPages || chain.earlier != nil else { return }
    var entry = chain.earlier ?? RevisionTable.Entry()
    if outcome == .found || hasPages {
      entry.environment = chain.answered ?? chain.environment
      switch options.endpoint {
      // A paginationToken belongs to one request.
      case .notifications: entry.until = options.until?.milliseconds ?? checkpoint.begin
      case .statuses, .orders: (entry.revision, entry.digest) = (chain.cursor ?? entry.revision, chain.digest)
      default: entry.revision = chain.cursor ?? entry.revision
      }
    }
    try put(RevisionTable.line(list.name(of: customer), entry), to: outputs.table)
  }

  private func put(_ line: [UInt8], to file: (any LineOutput)?) throws {
    guard let file else { return }
    try file.write(line.span, part: .whole)
  }

  // MARK: commits

  /// Writes the first checkpoint, so that a run can be resumed from its first response on; or what a run before had
  /// received.
  func begin() throws {
    if outputs.checkpoint != nil, checkpoint.outputs.isEmpty { try commit() }
    advance()
  }

  /// Makes what is written final, and forgets the events of it.
  func commit() throws {
    uncommitted = 0
    let states = try outputs.commit()
    guard let path = outputs.checkpoint else { return try keepPending() }
    checkpoint.done = Int(head)
    checkpoint.sequence = written
    checkpoint.outputs = states
    try Platform.replace(path, with: checkpoint.json)
    try keepPending()
  }

  private func keepPending() throws {
    var kept: [(event: FetchEvent, place: FetchLog.Place?)] = []
    for (number, chain) in chains.sorted(by: { $0.key < $1.key }) {
      if number == head, written > 0 {
        // The lines are written; where the chain is must not be forgotten.
        kept.append((chain.state(number, written), nil))
      }
      kept += chain.pending.map { ($0.event, $0.place) }
    }
    let places = try log.keep(kept)
    for (index, item) in kept.enumerated() where item.place != nil {
      let place = chains[item.event.customer]?.pending.firstIndex { $0.event.sequence == item.event.sequence }
      if let place { chains[item.event.customer]?.pending[place].place = places[index] }
    }
  }

  /// Ends the run.
  ///
  /// - Parameter isInterrupted: not everything was requested.
  func finish(isInterrupted: Bool) throws -> FetchCounts {
    if isInterrupted {
      // A commit at another place would compress the same lines to other bytes; the log holds what is not committed.
      if outputs.checkpoint == nil { outputs.discard() }
      return checkpoint.counts
    }
    for event in earlier.events { try put(RevisionTable.line(event), to: outputs.table) }
    let states = try outputs.commit()
    try outputs.finish()
    guard let path = outputs.checkpoint else { return checkpoint.counts }
    (checkpoint.isFinished, checkpoint.outputs) = (true, states)
    (checkpoint.done, checkpoint.sequence) = (Int(head), 0)
    try Platform.replace(path, with: checkpoint.json)
    try outputs.finishTable()
    if let log = log.path { Platform.remove(log) }
    return checkpoint.counts
  }

  /// Removes everything of a run that has received nothing.
  func discard() {
    outputs.discard()
    if let path = outputs.checkpoint { Platform.remove(path) }
    if let path = log.path { Platform.remove(path) }
  }
}

extension FetchLedger.Chain {
  /// One event that stands for all that were written.
  fileprivate func state(_ number: Int32, _ sequence: Int) -> FetchEvent {
    FetchEvent(
      customer: number, sequence: sequence, environment: environment,
      kind: .page(
        FetchEvent.PageState(page: page, cursor: cursor, start: start, isEmpty: false, digest: digest ?? "")))
  }
}
