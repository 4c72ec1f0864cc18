public import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Converts sources record by record: order of output = order of input, memory that does not grow with the archive.
public struct ConvertRun: Sendable {
  private let run: BulkRun<BlockConverter>

  /// Prepares a run; rules are compiled here, once.
  public init(rules: RuleSet, options: ConvertOptions) {
    let mould = Caster.Mould(rules)
    let bulk = BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes, maxRejects: options.maxRejects)
    run = BulkRun(options: bulk) {
      BlockConverter(mould: mould, rules: rules, options: options)
    }
  }

  /// Converts all sources.
  ///
  /// - Returns: how it ended, and the counts; read = converted + duplicate + rejected.
  /// - Throws: `BulkError` for sources that cannot be read, and whatever the sink throws.
  public func convert(_ files: [InputFile], to sink: inout some RunSink) async throws -> (RunEnd, RunCounts) {
    try await run.run(files, to: &sink) { converter, before, sink in
      if !converter.provenanceLines.isEmpty { try Self.writeProvenance(converter, before, to: &sink) }
    }
  }

  private static func writeProvenance(
    _ converter: BlockConverter, _ before: Int, to sink: inout some RunSink
  ) throws {
    let writer = JSONWriter(capacity: converter.provenance.count + 4096)
    for line in converter.provenanceLines {
      writer.byte(UInt8(ascii: "{"))
      writer.member("source", converter.book.sourceName)
      writer.member("record", before + line.record)
      writer.raw(UnsafeBufferPointer(rebasing: converter.provenance.buffer[line.bytes]))
    }
    try sink.write(provenance: writer.buffer)
  }
}
