@_spi(Slipcast) internal import SlipcastWire

/// What a worker does with blocks, one after another; made once for each worker.
protocol BlockTask: AnyObject, SendableMetatype {
  associatedtype Counts: RecordCounts
  /// Counts and rejects of the block that it worked on last.
  var book: BlockBook<Counts> { get }
  /// The lines that the block gave.
  var output: JSONWriter { get }
  /// Works on all records of a block, the lines of the block before forgotten.
  func work(on block: Block, source: String)
}

/// What a run must know, whatever it does with the records.
struct BulkOptions: Sendable {
  /// How many workers work side by side.
  var jobs = 1
  /// How many bytes one record may have.
  var recordBytes = 16 << 20
  /// When to give up.
  var maxRejects: RejectLimit?
  /// A source that is no text at all is one record, whatever it is.
  var readsAnyBinary = false
}

/// Works through sources record by record: order of output = order of input, memory that does not grow with the archive.
struct BulkRun<Work: BlockTask>: Sendable {
  let options: BulkOptions
  /// Makes the task of one worker.
  let makeTask: @Sendable () -> Work

  /// Works through all sources.
  ///
  /// - Parameters:
  ///   - sink: takes lines and rejects.
  ///   - beside: writes what a task has made beside its lines; it is told how many records of the source came before.
  ///   - afterSource: is told how many records a source had; may write more, and gives what that adds to the counts.
  /// - Returns: how it ended, and the counts; they add up.
  /// - Throws: `BulkError` for sources that cannot be read, and whatever the sink throws.
  func run<Sink: LineSink>(
    _ files: [InputFile], to sink: inout Sink, beside: (Work, Int, inout Sink) throws -> Void = { _, _, _ in },
    afterSource: (InputFile, Int, inout Sink) throws -> Work.Counts? = { _, _, _ in nil }
  ) async throws -> (RunEnd, Work.Counts) {
    var ledger = Ledger<Work>(limit: options.maxRejects)
    let items = (0..<(options.jobs > 1 ? options.jobs + 1 : 1)).map { _ in WorkItem(makeTask()) }
    for (number, file) in files.enumerated() {
      ledger.begin()
      let reader = try BlockReader(
        file: file, source: number, limit: options.recordBytes, readsAnyBinary: options.readsAnyBinary)
      if options.jobs > 1 {
        try await runAside(reader, file, items, &ledger, &sink, beside)
      } else {
        while !ledger.isOver, try reader.fill(items[0].block) {
          items[0].work(file.path)
          try ledger.settle(items[0].task, &sink, beside)
        }
      }
      if ledger.isOver { break }
      ledger.took(bytes: reader.remainder)
      if let more = try afterSource(file, ledger.readInSource, &sink) { ledger.add(more) }
    }
    let end = ledger.end()
    guard ledger.counts.isBalanced else {
      fatalError("a record was lost: the counts of the run do not add up")
    }
    return (end, ledger.counts)
  }

  /// Up to `jobs` blocks are worked on side by side; results are taken in the order of the blocks.
  private func runAside<Sink: LineSink>(
    _ reader: BlockReader, _ file: InputFile, _ items: [WorkItem<Work>], _ ledger: inout Ledger<Work>,
    _ sink: inout Sink, _ beside: (Work, Int, inout Sink) throws -> Void
  ) async throws {
    var queue: [(item: WorkItem<Work>, task: Task<Void, Never>)] = []
    var free = items
    func settleFirst(_ ledger: inout Ledger<Work>, _ sink: inout Sink) async throws {
      let first = queue.removeFirst()
      await first.task.value
      if !ledger.isOver { try ledger.settle(first.item.task, &sink, beside) }
      free.append(first.item)
    }
    do {
      while !ledger.isOver {
        if free.isEmpty { try await settleFirst(&ledger, &sink) }
        guard !ledger.isOver, let item = free.popLast() else { break }
        guard try reader.fill(item.block) else { break }
        queue.append((item, Task.detached { item.work(file.path) }))
      }
      while !queue.isEmpty { try await settleFirst(&ledger, &sink) }
    } catch {
      for waiting in queue { await waiting.task.value }
      throw error
    }
  }
}

/// A block and the task that works on it.
private final class WorkItem<Work: BlockTask>: @unchecked Sendable {
  // Safe to send: it has one owner at a time, the run or the task that it handed the item to and awaits.
  let block = Block()
  let task: Work

  init(_ task: Work) { self.task = task }

  func work(_ source: String) { task.work(on: block, source: source) }
}

/// Takes results in order: gives records their numbers, writes, counts, and knows when it is enough.
private struct Ledger<Work: BlockTask> {
  private let limit: RejectLimit?
  private(set) var counts = Work.Counts()
  private(set) var readInSource = 0
  private var isStopped = false

  init(limit: RejectLimit?) { self.limit = limit }

  mutating func begin() { readInSource = 0 }

  mutating func took(bytes: Int) { counts.bytes += bytes }

  mutating func add(_ more: Work.Counts) { counts.add(more) }

  var isOver: Bool { isStopped || isOverLimit(isFinal: false) }

  private func isOverLimit(isFinal: Bool) -> Bool {
    limit?.isExceeded(rejected: counts.rejected, read: counts.read, isFinal: isFinal) ?? false
  }

  func end() -> RunEnd { isOverLimit(isFinal: true) ? .tooManyRejects : isStopped ? .stopped : .finished }

  mutating func settle<Sink: LineSink>(
    _ task: Work, _ sink: inout Sink, _ beside: (Work, Int, inout Sink) throws -> Void
  ) throws {
    let book = task.book
    try sink.write(output: task.output.buffer)
    try beside(task, readInSource, &sink)
    let before = readInSource
    try book.rejects.forEach(source: book.sourceName) { reject in
      var reject = reject
      reject.record += before
      try sink.write(reject: reject)
    }
    counts.add(book.counts)
    readInSource += book.counts.read
    isStopped = isStopped || book.isStopped
  }
}
