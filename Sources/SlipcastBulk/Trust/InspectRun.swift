public import SlipcastMapping
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// Decodes records of any kind: one JSON object per line, in input order.
public struct InspectRun: Sendable {
  private let run: BulkRun<BlockInspector>

  /// Prepares a run.
  public init(rules: RuleSet, options: VerifyOptions) {
    var bulk = BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes, readsAnyBinary: true)
    bulk.pointers = RowPointers(body: options.body)
    run = BulkRun(options: bulk) {
      BlockInspector(rules: rules, options: options)
    }
  }

  /// Inspects all records of all sources.
  ///
  /// - Returns: the counts; a record that is unknown, or cannot be decoded, is rejected.
  /// - Throws: `FileError` for sources that cannot be read, and the sink's errors.
  public func inspect(_ files: [InputFile], to sink: inout some LineSink) async throws -> RunCounts {
    try await inspect(files.map { .file($0) }, to: &sink)
  }

  /// The same of sources of any kind.
  package func inspect(_ sources: [RecordSource], to sink: inout some LineSink) async throws -> RunCounts {
    try await run.run(
      sources, to: &sink,
      afterSource: { name, records, sink in
        guard records == 0 else { return nil }
        let writer = JSONWriter(capacity: 256)
        RecordPlace(input: name).writeRefusal(Refusal(.empty), to: writer)
        try sink.write(output: writer.buffer.span)
        var counts = RunCounts()
        (counts.read, counts.rejected) = (1, 1)
        return counts
      }
    ).1
  }

  /// Inspects the certificates of a file that contains nothing else, as one line.
  ///
  /// - Returns: `nil` when the bytes are not certificates in DER or PEM.
  public static func inspect(certificatesIn bytes: [UInt8], of input: String) -> [UInt8]? {
    guard let certificates = try? TrustAnchors.certificates(in: bytes) else { return nil }
    let writer = JSONWriter(capacity: 1024)
    RecordPlace(input: input).begin(writer)
    writer.member("kind", "certificate")
    writer.write(certificates)
    writer.raw("}\n")
    return writer.bytes
  }
}

extension RecordPlace {
  fileprivate func writeRefusal(_ refusal: Refusal, of kind: SignedKind? = nil, to writer: JSONWriter) {
    begin(writer)
    writer.member("kind", kind?.rawValue ?? "unknown")
    writer.member("reason", refusal.reason.rawValue)
    writer.member("message", refusal.description)
    writer.raw("}\n")
  }
}

final class BlockInspector: RecordTask {
  let reader: JSONReader
  private let inspector: RecordInspector
  private var body: JSONPointer?
  private let recordBytes: Int
  let output = JSONWriter(capacity: Block.size)
  var book = BlockBook()

  init(rules: RuleSet, options: VerifyOptions) {
    reader = JSONReader(names: [], limits: JSONLimits(recordBytes: options.recordBytes))
    inspector = RecordInspector(policy: options.policy, rules: rules)
    recordBytes = options.recordBytes
  }

  func turn(to pointers: RowPointers) { body = pointers.body }

  private(set) var hasRejectedLast = false
  var takesLinesApart: Bool { true }
  var isFull: Bool { output.count >= Self.partBytes }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    show(range, block) { () throws(Refusal) in
      guard let body else {
        let text = RowReader.journalBody(tape) ?? block.text(range)
        return try inspector.inspect(any: text.buffer.span, to: output)
      }
      let text = try WrappedBody(at: body, in: tape, limit: recordBytes).text
      try inspector.inspect(any: text.span, to: output)
    }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    show(range, block) { () throws(Refusal) in
      if let refusal = body.flatMap(WrappedBody.refusal) { throw refusal }
      try inspector.inspect(any: WrappedBody.unwrapped(text.bytes.buffer.span, recordBytes).span, to: output)
    }
  }

  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    show(range, block) { () throws(Refusal) in
      if fault.code == "recordTooLarge" { throw Refusal(.tooLarge) }
      do throws(Refusal) {
        try inspector.inspect(text: Array(block.text(range).buffer), to: output)
      } catch {
        throw error.reason == .unrecognized && error.detail == nil ? Refusal(.unrecognized, fault.message) : error
      }
    }
  }

  private func show(_ range: Range<Int>, _ block: Block, _ inspect: () throws(Refusal) -> Void) {
    book.counts.read += 1
    let line = RecordPlace(range, in: block, &book)
    let start = output.count
    line.begin(output)
    inspector.begin()
    do throws(Refusal) {
      try inspect()
      output.byte(UInt8(ascii: "}"))
      output.endSafely(from: start)
      book.counts.converted += 1
      hasRejectedLast = false
    } catch {
      output.truncate(to: start)
      line.writeRefusal(error, of: inspector.kind, to: output)
      book.counts.rejected += 1
      hasRejectedLast = true
    }
  }
}
