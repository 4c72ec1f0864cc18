public import SlipcastMapping
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// The counts of an inspection.
public struct InspectCounts: Sendable {
  /// Records found.
  public var read = 0
  /// Records that could be shown.
  public var shown = 0
  /// Records that are unknown, or cannot be decoded.
  public var refused = 0
  /// Bytes of the sources.
  public var bytes = 0

  /// All counts are 0.
  public init() {}
}

extension InspectCounts: RecordCounts {
  // Every record has a line, so none is rejected as in a conversion.
  var rejected: Int {
    get { 0 }
    set { refused += newValue }
  }
  var isBalanced: Bool { read == shown + refused }

  mutating func add(_ other: InspectCounts) {
    read += other.read
    shown += other.shown
    refused += other.refused
    bytes += other.bytes
  }
}

/// Decodes records of any kind: one JSON object per line, in input order.
public struct InspectRun: Sendable {
  private let run: BulkRun<BlockInspector>

  /// Prepares a run.
  public init(rules: RuleSet, options: VerifyOptions) {
    run = BulkRun(options: BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes, readsAnyBinary: true)) {
      BlockInspector(rules: rules, options: options)
    }
  }

  /// Inspects all records of all sources.
  ///
  /// - Throws: `BulkError` for sources that cannot be read, and the sink's errors.
  public func inspect(_ files: [InputFile], to sink: inout some LineSink) async throws -> InspectCounts {
    try await run.run(
      files.map { .file($0) }, to: &sink,
      afterSource: { name, records, sink in
        guard records == 0 else { return nil }
        let writer = JSONWriter(capacity: 256)
        InspectionLine(input: name, line: 1, offset: 0).writeRefusal(Refusal(.empty), to: writer)
        try sink.write(output: writer.buffer.span)
        var counts = InspectCounts()
        (counts.read, counts.refused) = (1, 1)
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
    InspectionLine(input: input, line: 1, offset: 0).begin(writer)
    writer.member("kind", "certificate")
    CertificateText.write(certificates, to: writer)
    writer.raw("}\n")
    return writer.bytes
  }
}

/// The start of a line: the position of the record.
private struct InspectionLine {
  var input: String
  var line: Int
  var offset: Int

  func begin(_ writer: JSONWriter) {
    writer.byte(UInt8(ascii: "{"))
    writer.member("input", input)
    writer.member("line", line)
    writer.member("offset", offset)
  }

  func writeRefusal(_ refusal: Refusal, of kind: SignedKind? = nil, to writer: JSONWriter) {
    begin(writer)
    writer.member("kind", kind?.rawValue ?? "unknown")
    writer.member("reason", refusal.reason.rawValue)
    writer.member("message", refusal.description)
    writer.raw("}\n")
  }
}

/// Inspects the records of one block after another, for one worker.
final class BlockInspector: PausingTask {
  let reader: JSONReader
  private let inspector: RecordInspector
  private let body: JSONPointer?
  let output = JSONWriter(capacity: Block.size)
  var book = BlockBook<InspectCounts>(RejectPolicy())

  init(rules: RuleSet, options: VerifyOptions) {
    reader = JSONReader(names: [], limits: JSONLimits(recordBytes: options.recordBytes))
    inspector = RecordInspector(policy: options.policy, rules: rules)
    body = options.body
  }

  private(set) var hasRejectedLast = false
  var paused: WalkerPlace?
  var takesLinesApart: Bool { true }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    show(range, block) { () throws(Refusal) in
      guard let body else {
        if let plain = TypedRow.plain(tape, 0) { return try inspector.inspect(any: plain, to: output) }
        return try inspector.inspect(json: block.text(range).buffer.span, to: output)
      }
      try inspector.inspect(any: try WrappedBody(at: body, in: tape).text, to: output)
    }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    show(range, block) { () throws(Refusal) in
      if let refusal = body.flatMap(WrappedBody.refusal) { throw refusal }
      try inspector.inspect(text: Array(text.bytes.buffer), to: output)
    }
  }

  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    show(range, block) { () throws(Refusal) in
      if fault.code == "recordTooLarge" { throw Refusal(.tooLarge) }
      do throws(Refusal) {
        try inspector.inspect(text: Array(block.text(range).buffer), to: output)
      } catch {
        throw error.reason == .unrecognized ? Refusal(.unrecognized, fault.message) : error
      }
    }
  }

  private func show(_ range: Range<Int>, _ block: Block, _ inspect: () throws(Refusal) -> Void) {
    book.counts.read += 1
    let place = book.position(range.lowerBound, in: block)
    let line = InspectionLine(input: book.sourceName, line: place.line, offset: place.offset)
    let start = output.count
    line.begin(output)
    inspector.begin()
    do throws(Refusal) {
      try inspect()
      output.byte(UInt8(ascii: "}"))
      SafeLine.end(output, from: start)
      book.counts.shown += 1
      hasRejectedLast = false
    } catch {
      output.truncate(to: start)
      line.writeRefusal(error, of: inspector.kind, to: output)
      book.counts.refused += 1
      hasRejectedLast = true
    }
  }
}
