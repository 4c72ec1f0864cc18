public import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// How `sign` works on its records.
public struct SignOptions: Sendable {
  /// How many bytes one record may have.
  public var recordBytes = 16 << 20
  /// The maximum nesting of arrays and objects.
  public var depth = 128
  /// The number of parallel workers.
  public var jobs = 1
  /// Collects what rejects keep of their records.
  public var keepsRejects = false
  /// Collects rejected records as their sources have them, secrets included.
  public var keepsRawRejects = false

  /// Everything as by default.
  public init() {}

  fileprivate var limits: JSONLimits { JSONLimits(depth: depth, recordBytes: recordBytes) }

  fileprivate var rejectKeeping: RejectKeeping? {
    guard keepsRejects || keepsRawRejects else { return nil }
    return RejectKeeping(text: keepsRejects ? RejectText(limits: limits) : nil, keepsRaw: keepsRawRejects)
  }
}

/// Signs decoded V2 records, one after another; memory does not grow with the archive.
public struct SignRun: Sendable {
  private let run: BulkRun<BlockSigner>

  /// Prepares a run.
  public init(identity: TestIdentity, options: SignOptions = SignOptions()) {
    run = BulkRun(options: BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes)) {
      BlockSigner(identity: identity, options: options)
    }
  }

  /// Signs all records of the sources, in their order.
  ///
  /// - Returns: the counts; a record is converted or rejected.
  /// - Throws: `FileError` for sources that cannot be read, and the sink's errors.
  public func sign(_ files: [InputFile], to sink: inout some LineSink) async throws -> RunCounts {
    try await sign(files.map { .file($0) }, to: &sink)
  }

  /// The same of sources of any kind.
  package func sign(_ sources: [RecordSource], to sink: inout some LineSink) async throws -> RunCounts {
    try await run.run(sources, to: &sink).1
  }
}

private final class BlockSigner: RecordTask {
  private let signer: PayloadSigner
  let reader: JSONReader
  private let nested: NestedReader
  let output = JSONWriter(capacity: Block.size)
  var book: BlockBook

  init(identity: TestIdentity, options: SignOptions) {
    signer = PayloadSigner(identity: identity)
    reader = JSONReader(names: [], limits: options.limits)
    nested = NestedReader(options.limits, names: [])
    book = BlockBook(keeping: options.rejectKeeping)
  }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    guard let plain = PlainRecord.json(tape) else { return sign(tape, at: range, in: block) }
    take(plain, at: range, in: block)
  }

  private func take(_ json: [UInt8], at range: Range<Int>, in block: Block) {
    do throws(JSONError) {
      sign(try nested.read(json.span), at: range, in: block)
    } catch {
      book.reject(RecordFault(error), at: range, in: block)
    }
  }

  private func sign(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    do throws(SigningError) {
      try signer.sign(JSONElement(tape: tape), fallback: nil, to: output)
      output.byte(0x0A)
      book.counts.read += 1
      book.counts.converted += 1
    } catch {
      book.reject(RecordFault(error, at: error.offset), at: range, in: block)
    }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    if let json = LayeredBody.unwrap(text.bytes.buffer.span, limit: reader.limits.recordBytes) {
      return take(json, at: range, in: block)
    }
    let message = "expected a decoded version 2 record in JSON, found a token or receipt"
    book.reject(RecordFault(stage: .sign, code: "notDecoded", message: message), at: range, in: block)
  }
}
