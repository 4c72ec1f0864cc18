package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Reads an archive record by record without writing anything: scanners take the records, side by side.
package struct ScanRun<Scanner: RecordScanner>: Sendable {
  private let run: BulkRun<BlockScanner<Scanner>>

  /// Prepares a scan; rules are compiled here, once.
  ///
  /// - Parameter digests: takes the lengths and SHA-256 of the files.
  package init(
    _ expected: ArchiveKind, rules: RuleSet, options: ConvertOptions, digests: SourceDigests? = nil,
    makeScanner: @escaping @Sendable () -> Scanner
  ) {
    let mould = Caster.Mould(rules)
    var bulk = BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes, maxRejects: options.maxRejects)
    // A second reading must find the same blocks.
    bulk.waits = true
    bulk.digests = digests
    run = BulkRun(options: bulk) {
      BlockScanner(makeScanner(), expected, mould: mould, rules: rules, options: options)
    }
  }

  /// Reads all sources.
  ///
  /// - Parameters:
  ///   - onReject: is told of records that could not be read.
  ///   - deliver: is handed the scanner of each block in the order of the archive, how many records of the archive came
  ///     before, and where the block is in its source.
  ///   - watch: is told of the progress after each block, with the raw bytes read; false ends the scan there.
  /// - Returns: how it ended, the counts, and how many records each block had.
  /// - Throws: `BulkError` for sources that cannot be read, and whatever `deliver` throws.
  package func scan(
    _ sources: [RecordSource], onReject: @escaping (Reject) throws -> Void,
    deliver: (Scanner, Int, BlockLocation) throws -> Void, watch: (ScanCounts, Int) -> Bool
  ) async throws -> (RunEnd, ScanCounts, blocks: [Int32]) {
    var sink = ScanSink(onReject: onReject)
    var before = 0
    var blocks: [Int32] = []
    let (end, counts) = try await run.run(
      sources, to: &sink,
      deliver: { task, beforeInSource, _ in
        let location = BlockLocation(
          source: task.book.sourcePlace, name: task.book.sourceName, before: beforeInSource,
          records: task.book.counts.read)
        try deliver(task.scanner, before, location)
        before += task.book.counts.read
        blocks.append(Int32(truncatingIfNeeded: task.book.counts.read))
        return task.book.counts
      },
      pause: { step, _ in watch(step.counts, step.rawBytes) })
    return (end, counts, blocks)
  }
}

/// Takes the rejects of a scan, which has no lines.
struct ScanSink: LineSink {
  let onReject: (Reject) throws -> Void

  mutating func write(output: UnsafeBufferPointer<UInt8>) throws {}
  mutating func write(reject: Reject) throws { try onReject(reject) }
}

/// Where a block of an archive is.
package struct BlockLocation: Sendable {
  /// The place of its source among the sources of the run.
  package let source: Int
  /// The name of its source.
  package let name: String
  /// Records of the source before it.
  package let before: Int
  /// Its own records.
  package let records: Int
}
