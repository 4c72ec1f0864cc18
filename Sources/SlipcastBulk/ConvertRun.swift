public import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Converts sources record by record: order of output = order of input, memory that does not grow with the archive.
public struct ConvertRun: Sendable {
  private let run: BulkRun<BlockConverter>
  /// How far apart deliveries of one message may be, in milliseconds.
  private let windows: RepeatWindows
  private let isResumable: Bool

  /// Prepares a run; rules are compiled here, once.
  public init(rules: RuleSet, options: ConvertOptions) {
    self.init(rules: rules, prepared: Converter.PreparedRules(rules: rules), options: options)
  }

  package init(rules: RuleSet, prepared: Converter.PreparedRules, options: ConvertOptions) {
    var bulk = BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes, maxRejects: options.maxRejects)
    bulk.waits = options.isResumable
    (bulk.inlines, bulk.pointers) = (true, options.pointers)
    windows = RepeatWindows(rules)
    isResumable = options.isResumable
    run = BulkRun(options: bulk) {
      BlockConverter(prepared: prepared, rules: rules, options: options)
    }
  }

  /// Converts all files.
  ///
  /// - Returns: how the run ended, and the counts; read = converted + duplicate + rejected.
  /// - Throws: `FileError` for sources that cannot be read, and the sink's errors.
  public func convert(_ files: [InputFile], to sink: inout some LineSink) async throws -> (RunEnd, RunCounts) {
    let events = EventSequence(windows)
    return try await run.run(
      files.map { .file($0) }, to: &sink,
      deliver: { converter, before, sink in
        try converter.settleEvents(events)
        try sink.write(output: converter.output.buffer.span)
        try converter.writeAccounts(before: before, without: []) { try sink.write(provenance: $0) }
        return converter.book.counts
      })
  }

  /// The progress of a run.
  public struct Progress: Sendable {
    /// The counts so far.
    public var counts: RunCounts
    /// Bytes read from the files, compressed ones where they are compressed.
    public var rawBytes: Int
  }

  /// Converts all sources into a destination.
  ///
  /// - Parameters:
  ///   - start: the checkpoint to resume from.
  ///   - watch: called with the progress after each block; false ends the run.
  /// - Returns: how the run ended, and the counts; read = converted + duplicate + rejected.
  package func convert(
    _ sources: [RecordSource], from start: Checkpoint? = nil, to destination: RunDestination,
    watch: (Progress) -> Bool = { _ in true }
  ) async throws -> (RunEnd, RunCounts) {
    var sink = RejectSink { try destination.write(reject: $0) }
    let events = EventSequence(windows)
    destination.keepsEvents = isResumable
    var last = RunStep()
    if let start {
      (last.position, last.counts) = (start.position, start.counts)
      destination.goOn(after: start.counts)
    }
    try destination.recall(start, into: events)
    let (end, _) = try await run.run(
      sources, from: start.map { ($0.position, $0.counts) }, to: &sink,
      prepare: { converter in
        converter.marking = destination.marking
        converter.comparesContent = destination.known != nil
        converter.encoder = destination.store?.makeEncoder()
      },
      deliver: { converter, before, _ in
        try converter.settleEvents(events) { destination.note($0) }
        return try destination.deliver(converter, before: before)
      },
      pause: { step, _ in
        let goesOn = watch(Progress(counts: step.counts, rawBytes: step.rawBytes))
        try destination.pause(&step, isEnding: !goesOn)
        last = step
        return goesOn
      })
    return (end, try destination.finish(end, last))
  }
}
