public import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Where a run's lines go.
public protocol RunSink {
  /// Converted records, whole lines.
  mutating func write(output: UnsafeBufferPointer<UInt8>) throws
  /// Whole lines of the provenance file.
  mutating func write(provenance: UnsafeBufferPointer<UInt8>) throws
  /// A record that could not be converted.
  mutating func write(reject: Reject) throws
}

/// How a run ended.
public enum RunEnd: Hashable, Sendable {
  /// All sources were read.
  case finished
  /// The policy for broken records is `stop`, and one came.
  case stopped
  /// More records were rejected than `maxRejects` allows.
  case tooManyRejects
}

/// Converts sources record by record: order of output = order of input, memory that does not grow with the archive.
public struct ConvertRun: Sendable {
  private let mould: Caster.Mould
  private let options: ConvertOptions

  /// Prepares a run; rules are compiled here, once.
  public init(rules: RuleSet, options: ConvertOptions) {
    mould = Caster.Mould(rules)
    self.options = options
  }

  /// Converts all sources.
  ///
  /// - Returns: how it ended, and the counts; read = converted + duplicate + rejected.
  /// - Throws: `BulkError` for sources that cannot be read, and whatever the sink throws.
  public func convert(_ files: [InputFile], to sink: inout some RunSink) async throws -> (RunEnd, RunCounts) {
    var ledger = Ledger(options: options)
    let items = (0..<(options.jobs > 1 ? options.jobs + 1 : 1)).map { _ in WorkItem(mould: mould, options: options) }
    for (number, file) in files.enumerated() {
      ledger.begin(file)
      let reader = try BlockReader(file: file, source: number, limit: options.recordBytes)
      if options.jobs > 1 {
        try await convertAside(reader, file, items, &ledger, to: &sink)
      } else {
        while !ledger.isOver, try reader.fill(items[0].block) {
          items[0].convert(file.path)
          try ledger.settle(items[0].converter, to: &sink)
        }
      }
      if ledger.isOver { break }
      ledger.took(bytes: reader.remainder)
    }
    let end = ledger.end()
    guard ledger.counts.read == ledger.counts.converted + ledger.counts.duplicate + ledger.counts.rejected else {
      fatalError("a record was lost: the counts of the run do not add up")
    }
    return (end, ledger.counts)
  }

  /// Up to `jobs` blocks are converted side by side; results are taken in the order of the blocks.
  private func convertAside(
    _ reader: BlockReader, _ file: InputFile, _ items: [WorkItem], _ ledger: inout Ledger,
    to sink: inout some RunSink
  ) async throws {
    var queue: [(item: WorkItem, task: Task<Void, Never>)] = []
    var free = items
    func settleFirst(_ ledger: inout Ledger, to sink: inout some RunSink) async throws {
      let first = queue.removeFirst()
      await first.task.value
      if !ledger.isOver { try ledger.settle(first.item.converter, to: &sink) }
      free.append(first.item)
    }
    do {
      while !ledger.isOver {
        if free.isEmpty { try await settleFirst(&ledger, to: &sink) }
        guard !ledger.isOver, let item = free.popLast() else { break }
        guard try reader.fill(item.block) else { break }
        queue.append((item, Task.detached { item.convert(file.path) }))
      }
      while !queue.isEmpty { try await settleFirst(&ledger, to: &sink) }
    } catch {
      for waiting in queue { await waiting.task.value }
      throw error
    }
  }
}

/// A block and the converter that works on it.
private final class WorkItem: @unchecked Sendable {
  // Safe to send: it has one owner at a time, the run or the task that it handed the item to and awaits.
  let block = Block()
  let converter: BlockConverter

  init(mould: Caster.Mould, options: ConvertOptions) { converter = BlockConverter(mould: mould, options: options) }

  func convert(_ source: String) { converter.convert(block, source: source) }
}

/// Takes results in order: gives records their numbers, writes, counts, and knows when it is enough.
private struct Ledger {
  private let options: ConvertOptions
  private(set) var counts = RunCounts()
  private var readInSource = 0
  private var sourceName = ""
  private var isStopped = false

  init(options: ConvertOptions) { self.options = options }

  mutating func begin(_ file: InputFile) {
    readInSource = 0
    sourceName = file.path
  }

  mutating func took(bytes: Int) { counts.bytes += bytes }

  var isOver: Bool { isStopped || isOverLimit(isFinal: false) }

  private func isOverLimit(isFinal: Bool) -> Bool {
    options.maxRejects?.isExceeded(rejected: counts.rejected, read: counts.read, isFinal: isFinal) ?? false
  }

  func end() -> RunEnd { isOverLimit(isFinal: true) ? .tooManyRejects : isStopped ? .stopped : .finished }

  mutating func settle(_ converter: BlockConverter, to sink: inout some RunSink) throws {
    let result = converter.result
    try sink.write(output: converter.output.buffer)
    if !result.provenanceLines.isEmpty { try writeProvenance(converter, to: &sink) }
    let before = readInSource
    try result.rejects.forEach(source: converter.sourceName) { reject in
      var reject = reject
      reject.record += before
      try sink.write(reject: reject)
    }
    counts.add(result.counts)
    readInSource += result.counts.read
    isStopped = isStopped || result.isStopped
  }

  private func writeProvenance(_ converter: BlockConverter, to sink: inout some RunSink) throws {
    let writer = JSONWriter(capacity: converter.provenance.count + 4096)
    for line in converter.result.provenanceLines {
      writer.byte(UInt8(ascii: "{"))
      writer.member("source", sourceName)
      writer.member("record", readInSource + line.record)
      writer.raw(UnsafeBufferPointer(rebasing: converter.provenance.buffer[line.bytes]))
    }
    try sink.write(provenance: writer.buffer)
  }
}
