@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

struct BulkOptions: Sendable {
  var jobs = 1
  var recordBytes = 16 << 20
  var maxRejects: RejectLimit?
  /// A binary source is one record, whatever it is.
  var readsAnyBinary = false
  /// Blocks are cut at the same positions, however few bytes a read returns, so that the run can be resumed.
  var waits = false
  /// The task can take records in a column of a table as they are (`RecordTask.attempt`).
  var inlines = false
  /// Where rows have what, in sources that do not say it themselves.
  var pointers = RowPointers()
  /// Collects the lengths and SHA-256 of the files; `nil` where they are not needed.
  var digests: SourceDigests?
}

/// The position of a run after a block.
struct RunStep {
  var position = RunPosition()
  var counts = RunCounts()
  /// Bytes read from the files so far, compressed ones where they are compressed.
  var rawBytes = 0
}

/// Works through sources record by record: order of output = order of input, memory that does not grow with the archive.
struct BulkRun<Work: RecordTask>: Sendable {
  let options: BulkOptions
  let makeTask: @Sendable () -> Work

  /// Handles the result of a block; gets the number of earlier records of the source, and the counts.
  typealias Delivery<Sink> = (Work, Int, inout Sink) throws -> RunCounts
  /// Called between two blocks; it may correct the counts, and false ends the run.
  typealias Pause<Sink> = (inout RunStep, inout Sink) throws -> Bool
  /// Called at the end of a text with its name and number of records; returns what it adds to the counts.
  typealias Closing<Sink> = (String, Int, inout Sink) throws -> RunCounts?

  /// Processes all sources.
  ///
  /// - Parameters:
  ///   - start: the position to resume at, and the counts up to there.
  ///   - prepare: called with each worker's task before the run.
  ///   - deliver: passes the result of a block to the sink; by default its lines.
  ///   - pause: called with the run's position after each block.
  /// - Returns: how the run ended, and the counts; they add up.
  func run<Sink: LineSink>(
    _ sources: [RecordSource], from start: (position: RunPosition, counts: RunCounts)? = nil, to sink: inout Sink,
    prepare: @escaping (Work) -> Void = { _ in },
    deliver: Delivery<Sink> = { task, _, sink in
      try sink.write(output: task.output.buffer.span)
      return task.book.counts
    },
    afterSource: Closing<Sink> = { _, _, _ in nil }, pause: Pause<Sink> = { _, _ in true }
  ) async throws -> (RunEnd, RunCounts) {
    var (ledger, feed) = try begin(sources, from: start)
    var queue = WorkQueue<Work>()
    var pool = pool(prepare)
    func settleFirst(_ sink: inout Sink) async throws {
      let first = queue.items.removeFirst()
      await first.task?.value
      defer { if let item = first.item { pool.free.append(queue.emptied(item)) } }
      guard !ledger.isOver else { return }
      repeat {
        try settle(first, in: &ledger, to: &sink, deliver, afterSource: afterSource)
      } while first.item?.goOn(unless: ledger.isOver) == true
      var step = ledger.step(first)
      ledger.isInterrupted = try !pause(&step, &sink) || Task.isCancelled
      ledger.counts = step.counts
    }
    // Only the first block may have been taken in part.
    var part = start?.position.part.flatMap { WalkerPlace($0) }
    do {
      filling: while !ledger.isOver {
        while pool.isEmpty || queue.isFull(options.jobs) { try await settleFirst(&sink) }
        guard !ledger.isOver, let item = pool.take() else { break }
        let before = feed.here
        switch try feed.next(item.block) {
        case .block(let name):
          item.place = part.take()
          queue.items.append(Queued(name, feed, before, item: item, isAside: options.jobs > 1))
          if options.jobs == 1 { try await settleFirst(&sink) }
        case .end(let name, let bytes):
          pool.free.append(item)
          queue.items.append(Queued(name, feed, before, bytes: bytes))
        case .finished: break filling
        }
      }
      while !queue.items.isEmpty { try await settleFirst(&sink) }
    } catch {
      for waiting in queue.items { await waiting.task?.value }
      throw error
    }
    return (ledger.end(), ledger.counts)
  }

  private func pool(_ prepare: @escaping (Work) -> Void) -> WorkPool<Work> {
    WorkPool(size: options.jobs > 1 ? 8 * options.jobs : 1) {
      let task = makeTask()
      prepare(task)
      return WorkItem(task)
    }
  }

  private func begin(
    _ sources: [RecordSource], from start: (position: RunPosition, counts: RunCounts)?
  ) throws -> (Ledger<Work>, BlockFeed) {
    var ledger = Ledger<Work>(limit: options.maxRejects, counts: start?.counts ?? RunCounts())
    var feed = BlockFeed(sources, options)
    if let start {
      try feed.resume(at: start.position)
      // After a source that broke between two of its texts, the counted records do not belong to the next source.
      let isInside = start.position.place != nil && !start.position.isBehindMember
      ledger.readInSource = isInside || start.position.part != nil ? start.position.records : 0
    }
    return (ledger, feed)
  }

  private func settle<Sink: LineSink>(
    _ queued: Queued<Work>, in ledger: inout Ledger<Work>, to sink: inout Sink, _ deliver: Delivery<Sink>,
    afterSource: Closing<Sink>
  ) throws {
    if let item = queued.item {
      try ledger.settle(item.task, &sink, deliver)
    } else {
      ledger.counts.bytes += queued.bytes
      if let more = try afterSource(queued.name, ledger.readInSource, &sink) { ledger.counts.add(more) }
      ledger.readInSource = 0
    }
  }
}

/// The tasks of a run, each with its memory; they are made when they are needed, because a small source needs one.
private struct WorkPool<Work: RecordTask> {
  var free: [WorkItem<Work>] = []
  private var unmade: Int
  private let make: () -> WorkItem<Work>

  init(size: Int, _ make: @escaping () -> WorkItem<Work>) { (unmade, self.make) = (size, make) }

  var isEmpty: Bool { free.isEmpty && unmade == 0 }

  /// A free one, or a new one; `nil` when all are in use.
  mutating func take() -> WorkItem<Work>? {
    if let item = free.popLast() { return item }
    guard unmade > 0 else { return nil }
    unmade -= 1
    return make()
  }
}

/// A block that is being processed or waits for its turn, or the end of a text.
private struct Queued<Work: RecordTask> {
  var item: WorkItem<Work>?
  var task: Task<Void, Never>?
  var name: String
  /// Bytes after the last record of a text that has ended.
  var bytes: Int
  private let before: RunPosition
  private let after: RunPosition
  var rawBytes: Int

  init(
    _ name: String, _ feed: BlockFeed, _ before: RunPosition, item: WorkItem<Work>? = nil, bytes: Int = 0,
    isAside: Bool = false
  ) {
    (self.name, self.item, self.bytes, self.before) = (name, item, bytes, before)
    (after, rawBytes) = (feed.here, feed.rawBytes)
    guard let item else { return }
    if isAside { task = Task.detached { item.work(name) } } else { item.work(name) }
  }

  /// Where the run continues: behind it, or inside its block if the run ends there.
  var position: RunPosition {
    guard let item, let place = item.place, after.place != BlockFeed.nowhere else { return after }
    if case .rows(let rows) = item.block.form, let last = rows[..<place.next].last?.position {
      var position = after
      position.place = last
      return position
    }
    var position = before
    position.part = place.description
    return position
  }
}

/// The blocks that are being processed or wait for their turn, in order.
private struct WorkQueue<Work: RecordTask> {
  var items: [Queued<Work>] = []
  /// The estimated output bytes per input byte, from the previous block; assumed for the first one.
  private var growth = 32

  /// While the sink waits for a disk, workers may run ahead only by this number of bytes and ends of texts.
  func isFull(_ jobs: Int) -> Bool {
    items.count > jobs
      && (items.count > 32 * jobs || items.reduce(0) { $0 + ($1.item?.weight(growth) ?? 0) } > 8 << 20)
  }

  mutating func emptied(_ item: WorkItem<Work>) -> WorkItem<Work> {
    growth = item.growth
    return item.emptied()
  }
}

private final class WorkItem<Work: RecordTask>: @unchecked Sendable {
  // Safe to send: it has one owner at a time, the run or the task that the run passed the item to and awaits.
  let block = Block()
  let task: Work
  /// Where the block continues after the records so far, or begins before them; `nil` at its end.
  var place: WalkerPlace?
  private let made = Atomic(0)

  init(_ task: Work) { self.task = task }

  func work(_ source: String) {
    place = task.work(on: block, source: source, from: place)
    made.store(task.output.count + task.book.rejects.weight, ordering: .relaxed)
  }

  /// Makes the next part of the block's result; false after the last one.
  func goOn(unless isOver: Bool) -> Bool {
    guard let place, !isOver else { return false }
    self.place = task.goOn(with: block, from: place)
    return true
  }

  /// Bytes of the block, or of its (expected) result: broken text makes far longer rejects.
  func weight(_ growth: Int) -> Int {
    let made = made.load(ordering: .relaxed)
    return max(block.count, made > 0 ? made : block.count * growth)
  }

  /// The number of result bytes per byte of the block, at least 1.
  var growth: Int { max(1, made.load(ordering: .relaxed) / max(1, block.count)) }

  func emptied() -> Self {
    made.store(0, ordering: .relaxed)
    if task.output.capacity > 16 * Block.size { task.output.shrink(to: Block.size) }
    return self
  }
}

/// Takes results in order: numbers records, writes, counts, and decides when the run must end.
private struct Ledger<Work: RecordTask> {
  private let limit: RejectLimit?
  var counts: RunCounts
  var readInSource = 0
  private var isStopped = false
  var isInterrupted = false

  init(limit: RejectLimit?, counts: RunCounts) { (self.limit, self.counts) = (limit, counts) }

  var isOver: Bool { isInterrupted || isStopped || isOverLimit(isFinal: false) }

  private func isOverLimit(isFinal: Bool) -> Bool {
    limit?.isExceeded(rejected: counts.rejected, read: counts.read, isFinal: isFinal) ?? false
  }

  func end() -> RunEnd {
    guard counts.isBalanced else { fatalError("a record was lost: the counts of the run do not add up") }
    if isOverLimit(isFinal: !isInterrupted) { return .tooManyRejects }
    return isStopped ? .stopped : isInterrupted ? .interrupted : .finished
  }

  func step(_ queued: Queued<Work>) -> RunStep {
    var position = queued.position
    position.records = readInSource
    return RunStep(position: position, counts: counts, rawBytes: queued.rawBytes)
  }

  mutating func settle<Sink: LineSink>(
    _ task: Work, _ sink: inout Sink, _ deliver: BulkRun<Work>.Delivery<Sink>
  ) throws {
    let book = task.book
    var made = try deliver(task, readInSource, &sink)
    if book.counts.read > 0 {
      let own = RunCounts.OfSource(read: book.counts.read, rejected: book.counts.rejected)
      made.bySource[book.sourceName, default: RunCounts.OfSource()].add(own)
    }
    try book.rejects.forEach(source: book.sourceName, after: readInSource) { try sink.write(reject: $0) }
    counts.add(made)
    readInSource += book.counts.read
    isStopped = isStopped || book.isStopped
  }
}
