@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The kind of records that an archive is expected to contain; the other kind is read too, a little slower.
package enum ArchiveKind: Sendable {
  case legacy, server
}

/// Passes the records of one block after another to a scanner, for one worker.
final class BlockScanner<Scanner: RecordScanner>: RowTask {
  let scanner: Scanner
  let output = JSONWriter(capacity: 64)
  let reader: JSONReader
  private let expected: ArchiveKind
  let rows: RowReader
  private let legacy: LegacyReader
  private let converter: Converter
  /// Reads a record again with the names of the other kind.
  private let legacyReader: NestedReader
  private let serverReader: NestedReader
  /// Reads V2 records that were given Apple's shape.
  private lazy var shapeReader = NestedReader(rows.limits, names: Scanner.keys)
  var book: BlockBook

  init(
    _ scanner: Scanner, _ expected: ArchiveKind, prepared: Converter.PreparedRules, rules: RuleSet,
    options: ConvertOptions
  ) {
    (self.scanner, self.expected) = (scanner, expected)
    let limits = options.limits
    reader = JSONReader(names: expected == .server ? Scanner.keys : LegacyKey.names, limits: limits)
    rows = RowReader(options, rules)
    legacy = LegacyReader()
    converter = Converter(prepared: prepared, options: options.conversion, record: legacy.record)
    converter.use(options.settled)
    legacyReader = NestedReader(limits)
    serverReader = NestedReader(limits, names: Scanner.keys)
    book = BlockBook(keeping: options.rejectKeeping, limits: options.limits)
  }

  func begin() -> Bool {
    rows.row = nil
    guard let passed = scanner.begin() else { return true }
    (book.counts.read, book.counts.converted) = (passed, passed)
    return false
  }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    take(range, block) {
      // A journal is both archives: each side takes the notifications of its version.
      if let version = RowReader.journalVersion(tape), (version == .v2) != (expected == .server) { return }
      if let token = rows.token(in: tape) { return try take(token) }
      let row = try rows.resolve(tape)
      // Texts inside strings are read with the names of legacy keys.
      try take(row, hasServerKeys: expected == .server && row.tape.bytes == tape.bytes)
    }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    take(range, block) {
      if text.form == .token { return try take(text.bytes) }
      var row = try rows.resolve(text)
      try takeLegacy(&row)
    }
  }

  private func take(_ range: Range<Int>, _ block: Block, _ body: () throws -> Void) {
    rows.begin()
    if Scanner.wantsSigned { scanner.note(signed: nil) }
    do {
      try body()
      book.counts.read += 1
      book.counts.converted += 1
    } catch {
      reject(RecordFault(error, in: rows), range, block)
    }
  }

  // MARK: the two kinds

  private func take(_ row: RowReader.Row, hasServerKeys: Bool) throws {
    var row = row
    if hasServerKeys {
      if try takeServer(row.tape, row.root, receivedAt: row.received) { return }
      row.tape = try legacyReader.read(row.text.buffer.span)
      row.root = 0
      return try takeLegacy(&row)
    }
    if expected == .server {
      // A V2 body in a string.
      let tape = try serverReader.read(row.text.buffer.span)
      if try takeServer(tape, 0, receivedAt: row.received) { return }
    }
    try takeLegacy(&row)
  }

  /// Reads the content of a signed payload, decoded without verifying it.
  private func take(_ token: JSONText) throws {
    guard let parts = CompactJWS(token.buffer.span) else {
      throw ScanFault(code: "notSigned", message: "expected a signed payload, found another text")
    }
    if Scanner.wantsSigned { scanner.note(signed: Array(token.buffer)) }
    try scan(try serverReader.read(parts.payload.span), 0, receivedAt: nil)
  }

  /// Scans a V2 record in any of its shapes; false for anything else.
  private func takeServer(_ tape: JSONTape, _ root: Int, receivedAt: Int64?) throws -> Bool {
    if let plain = V2Envelope.plain(tape, root) {
      let tape = try shapeReader.read(plain.span)
      guard scanner.isServer(tape, 0) else { return false }
      try scan(tape, 0, receivedAt: receivedAt)
    } else {
      guard scanner.isServer(tape, root) else { return false }
      try scan(tape, root, receivedAt: receivedAt)
    }
    return true
  }

  private func scan(_ tape: JSONTape, _ root: Int, receivedAt: Int64?) throws {
    scanner.note(id: rows.id)
    try scanner.take(server: tape, root, record: book.counts.read + 1, receivedAt: receivedAt)
  }

  private func takeLegacy(_ row: inout RowReader.Row) throws {
    do throws(LegacyError) {
      try legacy.read(row.tape, root: row.root)
    } catch {
      let tape = try serverReader.read(row.text.buffer.span)
      if try takeServer(tape, 0, receivedAt: row.received) { return }
      guard error.reason == .unknownRecord else { throw error }
      guard try rows.openEnvelope(&row) else { throw unknown(error, row, tape) }
      try legacy.read(row.tape, root: row.root)
    }
    converter.prepare(row.delivery)
    scanner.note(id: rows.id)
    if Scanner.wantsSigned, let receipt = rows.receipt { scanner.note(signed: Array(receipt.bytes.buffer)) }
    try scanner.take(legacy: converter, record: book.counts.read + 1)
  }
}

extension BlockScanner {
  /// Nobody expects a V1 record in the archive of the server.
  private func unknown(_ error: LegacyError, _ row: RowReader.Row, _ tape: JSONTape) -> any Error {
    guard expected == .server else { return LegacyError(error, orOf: row) }
    return ScanFault(
      code: "unknownRecord",
      message: "expected a version 2 notification, history, status answer or transaction, found "
        + (V2Form(tape, 0)?.words ?? "another object"))
  }
}

extension RowReader.Row {
  fileprivate var received: Int64? { delivery.receivedAt }

  fileprivate var text: JSONText { tape.json(root) }
}
