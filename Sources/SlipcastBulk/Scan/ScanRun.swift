package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Reads an archive record by record without writing anything, with scanners in parallel.
package struct ScanRun<Scanner: RecordScanner>: Sendable {
  private let run: BulkRun<BlockScanner<Scanner>>

  /// Prepares a scan and compiles the rules once.
  ///
  /// - Parameter digests: collects the lengths and SHA-256 of the files.
  package init(
    _ expected: ArchiveKind, rules: RuleSet, options: ConvertOptions, digests: SourceDigests? = nil,
    makeScanner: @escaping @Sendable () -> Scanner
  ) {
    let prepared = Converter.PreparedRules(rules: rules)
    var bulk = BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes, maxRejects: options.maxRejects)
    // A second reading must find the same blocks.
    bulk.waits = true
    bulk.pointers = options.pointers
    bulk.digests = digests
    run = BulkRun(options: bulk) {
      BlockScanner(makeScanner(), expected, prepared: prepared, rules: rules, options: options)
    }
  }

  /// Reads all sources.
  ///
  /// - Parameters:
  ///   - onReject: called with records that could not be read.
  ///   - deliver: called with the scanner of each block in archive order, the number of earlier records of the archive,
  ///     and the block's position in its source.
  ///   - watch: called with the progress after each block, and the raw bytes read; false ends the scan.
  /// - Returns: how the scan ended, the counts, and the number of records of each block.
  package func scan(
    _ sources: [RecordSource], onReject: @escaping (Reject) throws -> Void,
    deliver: (Scanner, Int, BlockLocation) throws -> Void, watch: (RunCounts, Int) -> Bool
  ) async throws -> (RunEnd, RunCounts, blocks: [Int32]) {
    var sink = RejectSink(onReject: onReject)
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

/// Where a block of an archive is.
package struct BlockLocation: Sendable {
  /// The index of its source among the sources of the run.
  package let source: Int
  package let name: String
  /// Records of the source before it.
  package let before: Int
  package let records: Int
}
