package import SlipcastMapping
internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Makes the bodies that Apple would send, or has sent, of the records of an archive.
package struct ReplayRun: Sendable {
  private let run: BulkRun<BlockReplayer>

  /// - Parameters:
  ///   - options: how records are found and converted; with an identity, decoded V2 and V1 are signed.
  ///   - isRaw: V1 stays as it is.
  package init(rules: RuleSet, options: ConvertOptions, isRaw: Bool) {
    let prepared = Converter.PreparedRules(rules: rules)
    let bulk = BulkOptions(jobs: 1, recordBytes: options.recordBytes)
    run = BulkRun(options: bulk) {
      BlockReplayer(prepared: prepared, rules: rules, options: options, isRaw: isRaw)
    }
  }

  package func read(
    _ sources: [RecordSource], into spool: ReplaySpool, onReject: @escaping (Reject) throws -> Void
  ) async throws -> RunCounts {
    var sink = RejectSink(onReject: onReject)
    return try await run.run(
      sources, to: &sink,
      deliver: { task, before, _ in
        for body in task.bodies {
          try spool.append(
            task.output.buffer.span.extracting(body.range), source: task.book.sourceName,
            record: before + body.record)
        }
        return task.book.counts
      }
    ).1
  }
}

private final class BlockReplayer: RowTask {
  struct Body {
    /// Counted from the block's start.
    var record: Int
    var range: Range<Int>
  }

  let rows: RowReader
  private let converter: LiveConverter
  private let signer: PayloadSigner?
  private let isRaw: Bool
  let reader: JSONReader
  let output = JSONWriter(capacity: Block.size)
  var book = BlockBook()
  private(set) var bodies: [Body] = []

  init(prepared: Converter.PreparedRules, rules: RuleSet, options: ConvertOptions, isRaw: Bool) {
    reader = JSONReader(names: [], limits: options.limits)
    rows = RowReader(options, rules)
    converter = LiveConverter(prepared: prepared, rules: rules, options: options)
    signer = options.identity.map { PayloadSigner(identity: $0) }
    self.isRaw = isRaw
  }

  func begin() -> Bool {
    bodies.removeAll(keepingCapacity: true)
    rows.row = nil
    return true
  }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    rows.begin()
    let start = output.count
    do {
      let found = try rows.resolve(tape)
      try write(JSONElement(tape: found.tape, index: found.root), found.delivery.receivedAt)
      book.counts.read += 1
      book.counts.converted += 1
      bodies.append(Body(record: book.counts.read, range: start..<output.count))
    } catch {
      output.truncate(to: start)
      reject(RecordFault(error, in: rows), range, block)
    }
  }

  private func write(_ record: JSONElement, _ receivedAt: Int64?) throws {
    let isDecoded = !isRaw && record.kind == .object && record["notificationType"] != nil
    // Apple posts no verifyReceipt responses, and no other records.
    guard record.kind == .object, isDecoded || record["signedPayload"] ?? record["notification_type"] != nil else {
      throw RecordFault(
        stage: .legacy, code: "unknownRecord",
        message:
          "expected a notification, found \(record.kind.description) without notification_type or signedPayload")
    }
    if isRaw || record["signedPayload"] != nil { return output.raw(record.json) }
    guard let signer else { throw Self.notSigned }
    if isDecoded { return try signer.sign(record, fallback: nil, to: output) }
    guard let body = try converter.convert(Array(record.json.utf8), id: nil, receivedAt: receivedAt) else {
      let reject = converter.reject
      throw RecordFault(
        stage: .cast, code: reject?.code ?? "notConverted", path: reject?.path ?? "",
        message: reject?.message ?? "the record cannot be converted")
    }
    output.raw(body)
  }

  private static let notSigned = RecordFault(
    stage: .sign, code: "notSigned",
    message: "expected {\"signedPayload\":…}; --sign signs decoded and converted records, --raw sends V1 as it is")

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    let message = "expected a notification in JSON, found a token or receipt"
    refuse(RecordFault(stage: .legacy, code: "unknownRecord", message: message), at: range, in: block)
  }
}
