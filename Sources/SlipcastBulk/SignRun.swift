// Unsafe on purpose: texts are handed to simdjson in place. Each text lies inside a block, with its padding behind it.
public import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// How `sign` works on its records.
public struct SignOptions: Sendable {
  /// How many bytes one record may have.
  public var recordBytes = 16 << 20
  /// How many arrays and objects may stand inside each other.
  public var depth = 128
  /// Collects the text of broken records.
  public var keepsRejects = false

  /// Everything as by default.
  public init() {}
}

/// Signs decoded V2 records, one after another; memory does not grow with the archive.
public struct SignRun: Sendable {
  private let identity: TestIdentity
  private let options: SignOptions

  /// Prepares a run.
  public init(identity: TestIdentity, options: SignOptions = SignOptions()) {
    (self.identity, self.options) = (identity, options)
  }

  /// Signs all records of the sources, in their order.
  ///
  /// - Returns: the counts; a record is converted or rejected.
  /// - Throws: `BulkError` for sources that cannot be read, and whatever the sink throws.
  public func sign(_ files: [InputFile], to sink: inout some RunSink) throws -> RunCounts {
    var counts = RunCounts()
    let signer = BlockSigner(identity: identity, options: options)
    let block = Block()
    for (number, file) in files.enumerated() {
      let reader = try BlockReader(file: file, source: number, limit: options.recordBytes)
      var before = 0
      while try reader.fill(block) {
        signer.sign(block, source: file.path)
        try sink.write(output: signer.output.buffer)
        try signer.result.rejects.forEach(source: file.path) { reject in
          var reject = reject
          reject.record += before
          try sink.write(reject: reject)
        }
        before += signer.result.counts.read
        counts.add(signer.result.counts)
      }
      counts.bytes += reader.remainder
    }
    return counts
  }
}

/// Signs the records of one block after another.
private final class BlockSigner {
  private let options: SignOptions
  private let signer: PayloadSigner
  private let reader: JSONReader
  let output = JSONWriter(capacity: Block.size)
  private(set) var result = BlockResult()
  private var source = ""
  private var counted = (place: 0, feeds: 0)

  init(identity: TestIdentity, options: SignOptions) {
    self.options = options
    signer = PayloadSigner(identity: identity)
    reader = JSONReader(names: [], limits: JSONLimits(depth: options.depth, recordBytes: options.recordBytes))
  }

  func sign(_ block: Block, source: String) {
    self.source = source
    counted = (0, 0)
    result.clear()
    result.counts.bytes = block.consumed
    output.clear()
    switch block.form {
    case .lines: signLines(block)
    case .items(let items):
      for item in items { sign(block, item) }
      if block.isUnclosed, result.rejects.lastRecord != result.counts.read || items.isEmpty {
        let message = "the array has no closing bracket; the file may have been cut off"
        reject(block, block.count..<block.count, .json, "incomplete", "", message)
      }
    case .compressed(let name):
      let message = "expected JSON text, found \(name) data; decompress it on the way in, for example with a pipe"
      reject(block, 0..<0, .json, "compressed", "", message)
    case .oversized:
      let message = "expected a record of at most \(options.recordBytes) bytes, found a longer one"
      reject(block, 0..<0, .json, "recordTooLarge", "", message)
    }
  }

  // To be joined with the walk of `convert`, which also finds the end of broken records over several lines.
  private func signLines(_ block: Block) {
    var (at, searched) = (0, 0)
    while at < block.count {
      let end = block.endOfLine(at)
      let line = block.trimmed(at..<end)
      at = end + 1
      guard !line.isEmpty, let error = attempt(block, line) else { continue }
      guard case .json = error.reason, line.lowerBound >= searched else {
        reject(block, line, error)
        continue
      }
      // A line that is no JSON text may begin one over several lines; what one search has passed is not searched again.
      let extent = RecordExtent(block, from: line.lowerBound, .byGrammar)
      searched = extent.end
      guard extent.isWhole, extent.end > at else {
        reject(block, line, error)
        continue
      }
      at = extent.end
      sign(block, block.trimmed(line.lowerBound..<extent.end))
    }
  }

  private func sign(_ block: Block, _ range: Range<Int>) {
    if let error = attempt(block, range) { reject(block, range, error) }
  }

  /// Signs a record; gives the reason when it cannot be signed.
  private func attempt(_ block: Block, _ range: Range<Int>) -> SigningError? {
    do throws(SigningError) {
      let text = UnsafeBufferPointer(start: block.memory + range.lowerBound, count: range.count)
      try signer.sign(text, with: reader, fallback: nil, to: output)
      output.byte(0x0A)
      result.counts.read += 1
      result.counts.converted += 1
      return nil
    } catch {
      return error
    }
  }

  // MARK: rejects

  /// Line feeds before a place; counted on from the last reject, because a ruined block has many.
  private func feeds(_ block: Block, before place: Int) -> Int {
    if place < counted.place { counted = (0, 0) }
    let text = UnsafeBufferPointer(start: block.memory + counted.place, count: place - counted.place)
    counted = (place, counted.feeds + text.count { $0 == 0x0A })
    return counted.feeds
  }

  private func reject(_ block: Block, _ range: Range<Int>, _ error: SigningError) {
    let isText = if case .json = error.reason { true } else { false }
    reject(
      block, range, isText ? .json : .sign, error.code, error.path.description, error.description, at: error.offset)
  }

  private func reject(
    _ block: Block, _ range: Range<Int>, _ stage: Reject.Stage, _ code: String, _ path: String, _ message: String,
    at offset: Int = 0
  ) {
    result.counts.read += 1
    result.counts.rejected += 1
    let place = max(0, min(range.lowerBound + offset, block.count))
    let text = UnsafeBufferPointer(start: block.memory + range.lowerBound, count: range.count)
    result.rejects.append(
      Reject(
        source: source, record: result.counts.read, offset: block.offset + place,
        line: block.line + 1 + feeds(block, before: place),
        stage: stage, code: code, path: path, message: message, id: nil,
        input: options.keepsRejects ? Redaction.redact(text) : []))
  }
}
