@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

/// The work of one worker on blocks, one after another; one instance per worker.
protocol BlockTask: AnyObject, SendableMetatype {
  associatedtype Counts: RecordCounts
  /// Counts and rejects of the last block.
  var book: BlockBook<Counts> { get }
  /// The lines of the block.
  var output: JSONWriter { get }
  /// Works on all records of a block, the lines of the block before forgotten.
  func work(on block: Block, source: String)
  /// Records of the block are left; the lines so far must be taken first.
  var isPaused: Bool { get }
  /// Works on further records of the same block, the lines so far forgotten.
  func goOn(with block: Block)
}

extension BlockTask {
  var isPaused: Bool { false }
  func goOn(with block: Block) {}
}

/// The options of any run.
struct BulkOptions: Sendable {
  /// The number of parallel workers.
  var jobs = 1
  /// How many bytes one record may have.
  var recordBytes = 16 << 20
  /// The limit of rejects.
  var maxRejects: RejectLimit?
  /// A binary source is one record, whatever it is.
  var readsAnyBinary = false
  /// Blocks are cut at the same positions, however few bytes a read returns, so that the run can be resumed.
  var waits = false
  /// Collects the lengths and SHA-256 of the files; `nil` where they are not needed.
  var digests: SourceDigests?
}

/// The position of a run after a block.
struct RunStep<Counts: RecordCounts> {
  /// The position at which it can be resumed.
  var position: RunPosition
  /// The counts so far.
  var counts: Counts
  /// Bytes read from the files so far, compressed ones where they are compressed.
  var rawBytes: Int
}

/// Works through sources record by record: order of output = order of input, memory that does not grow with the archive.
struct BulkRun<Work: BlockTask>: Sendable {
  let options: BulkOptions
  /// Makes the task of one worker.
  let makeTask: @Sendable () -> Work

  /// Handles the result of a block; gets the number of earlier records of the source, and the counts.
  typealias Delivery<Sink> = (Work, Int, inout Sink) throws -> Work.Counts
  /// Called between two blocks; it may correct the counts, and false ends the run.
  typealias Pause<Sink> = (inout RunStep<Work.Counts>, inout Sink) throws -> Bool
  /// Called at the end of a text with its name and number of records; returns what it adds to the counts.
  typealias Closing<Sink> = (String, Int, inout Sink) throws -> Work.Counts?

  /// Processes all sources.
  ///
  /// - Parameters:
  ///   - start: the position to resume at, and the counts up to there.
  ///   - sink: receives lines and rejects.
  ///   - prepare: called with each worker's task before the run.
  ///   - deliver: passes the result of a block to the sink; by default its lines.
  ///   - afterSource: called with each text that ends.
  ///   - pause: called with the run's position after each block.
  /// - Returns: how the run ended, and the counts; they add up.
  /// - Throws: `BulkError` for sources that cannot be read, and the sink's errors.
  func run<Sink: LineSink>(
    _ sources: [RecordSource], from start: (position: RunPosition, counts: Work.Counts)? = nil, to sink: inout Sink,
    prepare: (Work) -> Void = { _ in },
    deliver: Delivery<Sink> = { task, _, sink in
      try sink.write(output: task.output.buffer.span)
      return task.book.counts
    },
    afterSource: Closing<Sink> = { _, _, _ in nil }, pause: Pause<Sink> = { _, _ in true }
  ) async throws -> (RunEnd, Work.Counts) {
    var (ledger, feed) = try begin(sources, from: start)
    var queue = WorkQueue<Work>()
    var free = (0..<(options.jobs > 1 ? 8 * options.jobs : 1)).map { _ in WorkItem(makeTask()) }
    for item in free { prepare(item.task) }
    func settleFirst(_ sink: inout Sink) async throws {
      let first = queue.removeFirst()
      await first.task?.value
      defer { if let item = first.item { free.append(queue.emptied(item)) } }
      guard !ledger.isOver else { return }
      repeat {
        try settle(first, in: &ledger, to: &sink, deliver, afterSource: afterSource)
      } while first.item?.goOn(unless: ledger.isOver) == true
      var step = ledger.step(first)
      ledger.isInterrupted = try !pause(&step, &sink)
      ledger.correct(step.counts)
    }
    do {
      var isFinished = false
      while !ledger.isOver, !isFinished {
        while free.isEmpty || queue.isFull(options.jobs) { try await settleFirst(&sink) }
        guard !ledger.isOver, let item = free.popLast() else { break }
        switch try feed.next(item.block) {
        case .block(let name):
          queue.append(Queued(item, name, feed, isAside: options.jobs > 1))
          if options.jobs == 1 { try await settleFirst(&sink) }
        case .end(let name, let bytes):
          free.append(item)
          queue.append(Queued(endOf: name, bytes: bytes, feed))
        case .finished: isFinished = true
        }
      }
      while !queue.isEmpty { try await settleFirst(&sink) }
    } catch {
      for waiting in queue.items { await waiting.task?.value }
      throw error
    }
    guard ledger.counts.isBalanced else {
      fatalError("a record was lost: the counts of the run do not add up")
    }
    return (ledger.end(), ledger.counts)
  }

  private func begin(
    _ sources: [RecordSource], from start: (position: RunPosition, counts: Work.Counts)?
  ) throws -> (Ledger<Work>, BlockFeed) {
    var ledger = Ledger<Work>(limit: options.maxRejects, counts: start?.counts ?? Work.Counts())
    var feed = BlockFeed(sources, options)
    if let start {
      try feed.resume(at: start.position)
      // After a source that broke between two of its texts, the counted records do not belong to the next source.
      let isInside = start.position.place != nil && !start.position.isBehindMember
      ledger.begin(after: isInside ? start.position.records : 0)
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
      ledger.took(bytes: queued.bytes)
      if let more = try afterSource(queued.name, ledger.readInSource, &sink) { ledger.add(more) }
      ledger.begin()
    }
  }
}

/// A block that is being processed or waits for its turn, or the end of a text.
private struct Queued<Work: BlockTask> {
  var item: WorkItem<Work>?
  var task: Task<Void, Never>?
  var name: String
  /// Bytes after the last record of a text that has ended.
  var bytes = 0
  /// The run's position after it.
  var position: RunPosition
  var rawBytes: Int

  init(_ item: WorkItem<Work>, _ name: String, _ feed: BlockFeed, isAside: Bool) {
    (self.item, self.name, position, rawBytes) = (item, name, feed.here, feed.rawBytes)
    if isAside { task = Task.detached { item.work(name) } } else { item.work(name) }
  }

  init(endOf name: String, bytes: Int, _ feed: BlockFeed) {
    (self.name, self.bytes, position, rawBytes) = (name, bytes, feed.here, feed.rawBytes)
  }
}

/// The blocks that are being processed or wait for their turn, in order.
private struct WorkQueue<Work: BlockTask> {
  private(set) var items: [Queued<Work>] = []
  /// The estimated output bytes per input byte, from the previous block; assumed for the first one.
  private var growth = 32

  var isEmpty: Bool { items.isEmpty }

  mutating func append(_ item: Queued<Work>) { items.append(item) }

  mutating func removeFirst() -> Queued<Work> { items.removeFirst() }

  /// While the sink waits for a disk, workers may run ahead only by this number of bytes and ends of texts.
  func isFull(_ jobs: Int) -> Bool {
    items.count > jobs
      && (items.count > 32 * jobs || items.reduce(0) { $0 + ($1.item?.weight(growth) ?? 0) } > 8 << 20)
  }

  /// A finished item, ready for the next block.
  mutating func emptied(_ item: WorkItem<Work>) -> WorkItem<Work> {
    growth = item.growth
    return item.emptied()
  }
}

/// A block and the task that works on it.
private final class WorkItem<Work: BlockTask>: @unchecked Sendable {
  // Safe to send: it has one owner at a time, the run or the task that the run passed the item to and awaits.
  let block = Block()
  let task: Work
  private let made = Atomic(0)

  init(_ task: Work) { self.task = task }

  func work(_ source: String) {
    task.work(on: block, source: source)
    made.store(task.output.count + task.book.rejects.weight, ordering: .relaxed)
  }

  /// Makes the next part of the block's result; false after the last one.
  func goOn(unless isOver: Bool) -> Bool {
    guard task.isPaused, !isOver else { return false }
    task.goOn(with: block)
    return true
  }

  /// Bytes of the block, or of its (expected) result: broken text makes far longer rejects.
  func weight(_ growth: Int) -> Int {
    let made = made.load(ordering: .relaxed)
    return max(block.count, made > 0 ? made : block.count * growth)
  }

  /// The number of result bytes per byte of the block, at least 1.
  var growth: Int { max(1, made.load(ordering: .relaxed) / max(1, block.count)) }

  /// Ready for the next block.
  func emptied() -> Self {
    made.store(0, ordering: .relaxed)
    if task.output.capacity > 16 * Block.size { task.output.shrink(to: Block.size) }
    return self
  }
}

/// Takes results in order: numbers records, writes, counts, and decides when the run must end.
private struct Ledger<Work: BlockTask> {
  private let limit: RejectLimit?
  private(set) var counts: Work.Counts
  private(set) var readInSource = 0
  private var isStopped = false
  var isInterrupted = false

  init(limit: RejectLimit?, counts: Work.Counts) { (self.limit, self.counts) = (limit, counts) }

  mutating func begin(after records: Int = 0) { readInSource = records }

  mutating func correct(_ counts: Work.Counts) { self.counts = counts }

  mutating func took(bytes: Int) { counts.bytes += bytes }

  mutating func add(_ more: Work.Counts) { counts.add(more) }

  var isOver: Bool { isInterrupted || isStopped || isOverLimit(isFinal: false) }

  private func isOverLimit(isFinal: Bool) -> Bool {
    limit?.isExceeded(rejected: counts.rejected, read: counts.read, isFinal: isFinal) ?? false
  }

  func end() -> RunEnd {
    if isOverLimit(isFinal: !isInterrupted) { return .tooManyRejects }
    return isStopped ? .stopped : isInterrupted ? .interrupted : .finished
  }

  func step(_ queued: Queued<Work>) -> RunStep<Work.Counts> {
    var position = queued.position
    position.records = readInSource
    return RunStep(position: position, counts: counts, rawBytes: queued.rawBytes)
  }

  mutating func settle<Sink: LineSink>(
    _ task: Work, _ sink: inout Sink, _ deliver: BulkRun<Work>.Delivery<Sink>
  ) throws {
    let book = task.book
    let made = try deliver(task, readInSource, &sink)
    let before = readInSource
    try book.rejects.forEach(source: book.sourceName) { reject in
      var reject = reject
      reject.record += before
      try sink.write(reject: reject)
    }
    counts.add(made)
    readInSource += book.counts.read
    isStopped = isStopped || book.isStopped
  }
}
