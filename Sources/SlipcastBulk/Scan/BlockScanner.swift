@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// The kind of records that an archive is expected to contain; the other kind is read too, a little slower.
package enum ArchiveKind: Sendable {
  case legacy, server
}

/// Passes the records of one block after another to a scanner, for one worker.
final class BlockScanner<Scanner: RecordScanner>: RecordTask {
  let scanner: Scanner
  let output = JSONWriter(capacity: 64)
  let reader: JSONReader
  private let expected: ArchiveKind
  private let rows: RowReader
  private let legacy: LegacyReader
  private let converter: Converter
  /// Reads a record again with the names of the other kind.
  private let legacyReader: NestedReader
  private let serverReader: NestedReader
  private var row: RowPage.Row?
  var book: BlockBook<ScanCounts>

  init(
    _ scanner: Scanner, _ expected: ArchiveKind, prepared: Converter.PreparedRules, rules: RuleSet,
    options: ConvertOptions
  ) {
    (self.scanner, self.expected) = (scanner, expected)
    let limits = JSONLimits(depth: options.depth, recordBytes: options.recordBytes)
    reader = JSONReader(names: expected == .server ? Scanner.keys : LegacyKey.names, limits: limits)
    rows = RowReader(options: options, receipts: options.receipts ?? ReceiptSource(rules: rules), limits: limits)
    legacy = LegacyReader()
    converter = Converter(prepared: prepared, options: options.conversion, record: legacy.record)
    converter.use(options.settled)
    legacyReader = NestedReader(limits)
    serverReader = NestedReader(limits, names: Scanner.keys)
    book = BlockBook(RejectPolicy(keepsInput: options.keepsRejects))
  }

  func work(on block: Block, source: String) {
    book.begin(block, source: source)
    scanner.begin()
    row = nil
    var walker = RecordWalker(block, reader: reader, handler: self)
    walker.walk()
  }

  func turn(to row: RowPage.Row) { self.row = row }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    take(range, block) {
      // A journal is both archives: each side takes the notifications of its version.
      if let version = RowReader.journalVersion(tape), (version == .v2) != (expected == .server) { return }
      if let token = rows.token(in: tape) { return try take(token) }
      var row = try rows.resolve(tape)
      self.row?.tell(&row)
      // Texts inside strings are read with the names of legacy keys.
      try take(row, hasServerKeys: expected == .server && row.tape.bytes == tape.bytes)
    }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    take(range, block) {
      if text.form == .token { return try take(text.bytes) }
      var row = try rows.resolve(text)
      self.row?.tell(&row)
      try takeLegacy(&row)
    }
  }

  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    rows.begin()
    reject(fault, range, block)
  }

  private func take(_ range: Range<Int>, _ block: Block, _ body: () throws -> Void) {
    rows.begin()
    do {
      try body()
      book.counts.read += 1
      book.counts.taken += 1
    } catch {
      reject(RecordFault(scanning: error, in: rows), range, block)
    }
  }

  private func reject(_ fault: RecordFault, _ range: Range<Int>, _ block: Block) {
    book.reject(fault, at: range, in: block, id: rows.id ?? row?.id, text: rows.input)
  }

  // MARK: the two kinds

  private func take(_ row: RowReader.Row, hasServerKeys: Bool) throws {
    var row = row
    if hasServerKeys {
      if scanner.isServer(row.tape, row.root) { return try takeServer(row.tape, row.root, receivedAt: row.received) }
      row.tape = try legacyReader.read(row.text)
      row.root = 0
      return try takeLegacy(&row)
    }
    if row.root != 0 || expected == .server {
      // A V2 body under a pointer, or in a string.
      let tape = try serverReader.read(row.text)
      if scanner.isServer(tape, 0) { return try takeServer(tape, 0, receivedAt: row.received) }
    }
    try takeLegacy(&row)
  }

  /// Reads the content of a signed payload, decoded without verifying it.
  private func take(_ token: JSONText) throws {
    guard let parts = CompactJWS(token.string) else {
      throw ScanFault(code: "notSigned", message: "expected a signed payload, found another text")
    }
    try takeServer(try serverReader.read(held: parts.payload), 0, receivedAt: nil)
  }

  private func takeServer(_ tape: JSONTape, _ root: Int, receivedAt: Int64?) throws {
    try scanner.take(server: tape, root, record: book.counts.read + 1, receivedAt: receivedAt)
  }

  private func takeLegacy(_ row: inout RowReader.Row) throws {
    do throws(LegacyError) {
      try legacy.read(row.tape, root: row.root)
    } catch {
      let tape = try serverReader.read(row.text)
      if scanner.isServer(tape, 0) { return try takeServer(tape, 0, receivedAt: row.received) }
      guard error.reason == .unknownRecord, try rows.openEnvelope(&row) else { throw error }
      try legacy.read(row.tape, root: row.root)
    }
    converter.prepare(row.delivery)
    try scanner.take(legacy: converter, record: book.counts.read + 1)
  }
}

extension RowReader.Row {
  fileprivate var received: Int64? { delivery.receivedAt }

  /// The record's own text.
  fileprivate var text: JSONText { tape.json(root) }
}

extension RecordFault {
  /// The scan's form of an error.
  init(scanning error: any Error, in rows: RowReader) {
    switch error {
    case let error as LegacyError:
      self.init(
        stage: .legacy, code: error.code, path: rows.prefix + error.path.description,
        offset: rows.outerOffset ?? error.offset, message: error.description)
    case let error as RowError:
      self.init(stage: .row, code: error.code, path: error.path, offset: error.offset, message: error.description)
    case let error as ConversionError:
      self.init(
        stage: .cast, code: error.code, path: error.path.description, offset: rows.outerOffset ?? error.offset,
        message: error.description)
    case let error as ScanFault:
      self.init(
        stage: .cast, code: error.code, path: rows.prefix + error.path, offset: rows.outerOffset ?? error.offset,
        message: error.message)
    case let error as JSONError: self.init(error)
    default: self.init(stage: .cast, code: "unexpected", message: "\(error)")
    }
  }
}
