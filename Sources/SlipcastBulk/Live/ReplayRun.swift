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
    var bulk = BulkOptions(jobs: 1, recordBytes: options.recordBytes)
    bulk.pointers = options.pointers
    run = BulkRun(options: bulk) {
      BlockReplayer(prepared: prepared, rules: rules, options: options, isRaw: isRaw)
    }
  }

  /// Reads all sources.
  ///
  /// - Parameter watch: called with the records and the raw bytes read.
  package func read(
    _ sources: [RecordSource], into spool: ReplaySpool, onReject: @escaping (Reject) throws -> Void,
    watch: @escaping (_ records: Int, _ rawBytes: Int) -> Void = { _, _ in }
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
      },
      pause: { step, _ in
        watch(step.counts.read, step.rawBytes)
        return true
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
  /// Reads records that were given Apple's shape.
  private lazy var shapeReader = NestedReader(rows.limits, names: [])
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
    take(range, block) { try rows.token(in: tape).map(send) ?? send(try rows.resolve(tape)) }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    take(range, block) { text.form == .token ? send(text.bytes) : try send(try rows.resolve(text)) }
  }

  private func take(_ range: Range<Int>, _ block: Block, _ send: () throws -> Void) {
    rows.begin()
    let (start, before) = (output.count, bodies.count)
    do {
      try send()
      book.counts.read += 1
      book.counts.converted += 1
    } catch {
      output.truncate(to: start)
      bodies.removeLast(bodies.count - before)
      reject(RecordFault(error, in: rows), range, block)
    }
  }

  /// Sends what Apple posts around a token.
  private func send(_ token: JSONText) { body { output.object { output.member("signedPayload", token.string) } } }

  private func send(_ row: RowReader.Row) throws {
    guard let plain = PlainRecord.json(row.tape, row.root) else {
      return try send(JSONElement(tape: row.tape, index: row.root), row.delivery.receivedAt)
    }
    try send(JSONElement(tape: try shapeReader.read(plain.span)), row.delivery.receivedAt)
  }

  private func body(_ write: () throws -> Void) rethrows {
    let start = output.count
    try write()
    bodies.append(Body(record: book.counts.read + 1, range: start..<output.count))
  }

  private func send(_ record: JSONElement, _ receivedAt: Int64?) throws {
    switch V2Form(record) {
    case .notificationHistory:
      for item in record["notificationHistory"]?.children ?? [] { try send(item, receivedAt) }
    case .signedPayload:
      guard let token = record["signedPayload"]?.string else { throw unknown(record) }
      body { output.object { output.member("signedPayload", token) } }
    case .legacy where record["notification_type"] != nil:
      try body { if isRaw { output.raw(record.json) } else { try convert(record, receivedAt) } }
    case .notification where !isRaw:
      guard let signer else { throw Self.notSigned }
      try body { try signer.sign(record, fallback: nil, to: output) }
    default: throw unknown(record)
    }
  }

  /// Apple posts no verifyReceipt responses, and no other records.
  private func unknown(_ record: JSONElement) -> RecordFault {
    let found = V2Form(record)?.words ?? ForeignEnvelope(record.tape, record.index)?.words
    return RecordFault(
      stage: .legacy, code: "unknownRecord",
      message: "expected a notification (notification_type, notificationType or signedPayload), found "
        + (found ?? "\(record.kind.description) without one of these"))
  }

  private func convert(_ record: JSONElement, _ receivedAt: Int64?) throws {
    guard signer != nil else { throw Self.notSigned }
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
}
