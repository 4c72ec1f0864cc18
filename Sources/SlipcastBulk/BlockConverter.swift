@_spi(Slipcast) internal import SlipcastLegacy
internal import SlipcastMapping
internal import SlipcastSignatures
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Converts one block after another, for one worker.
final class BlockConverter: RowTask {
  /// A line of output, for those who sort or drop lines one by one.
  struct LineMark {
    /// Counted from the block's start.
    var record: Int
    /// The end of the line in the output.
    var end: Int
    /// The event's id; that of the line for an answer.
    var id: KnownIDs.ID
    /// Milliseconds since 1970 UTC.
    var signedDate: Int64?
    /// Only on request.
    var bundleId: String?
    /// A digest of the content; of a line that was copied, of the line.
    var content: UInt32 = 0
  }

  let options: ConvertOptions
  let reader: JSONReader
  let rows: RowReader
  let legacy: LegacyReader
  let converter: Converter
  let signer: OutputSigner?
  let checker: ReceiptChecker?
  let answers = AnswerIdentity()
  /// The decoded content of an answer whose line has another form.
  let answer = JSONWriter(capacity: 64)
  /// The legacy record of a line, for a store that keeps it.
  let body = JSONWriter(capacity: 64)
  /// Reads V2 records that were decoded.
  private(set) lazy var decoded = NestedReader(options.limits)
  /// Reads V2 records that were given Apple's shape.
  private(set) lazy var shapes = NestedReader(options.limits)
  /// The objects of the line of a store that is copied.
  let copied = EventRecord()
  let output = JSONWriter(capacity: Block.size)
  let provenance = JSONWriter(capacity: 4096)
  var provenanceLines: [ProvenanceLine] = []
  /// The same lines, whole.
  let provenanceText = JSONWriter(capacity: 4096)
  var marks: [LineMark] = []
  /// Notifications whose ids depend on earlier messages.
  var events: [EventMark] = []
  /// The payloads of those among them that were signed.
  let payloads = JSONWriter(capacity: 64)
  var encoder: (any RecordEncoder)?
  /// What lists show, for a store that keeps it record by record.
  var lists: LiveLists?
  var marking = Marking.none
  /// Whether marks also contain a digest of the content.
  var comparesContent = false
  /// The converter settles the reading of the current row.
  private var isSettlementDecided = false
  var book: BlockBook

  init(prepared: Converter.PreparedRules, rules: RuleSet, options: ConvertOptions) {
    self.options = options
    reader = JSONReader(names: LegacyKey.names, limits: options.limits)
    rows = RowReader(options, rules)
    legacy = LegacyReader()
    converter = Converter(prepared: prepared, options: options.conversion, record: legacy.record)
    converter.use(options.settled)
    signer = options.identity.map(OutputSigner.init)
    checker = options.verification.map {
      ReceiptChecker(policy: $0, rules: rules, isRequired: options.requiresVerified)
    }
    book = BlockBook(stops: options.onError == .stop, keeping: options.rejectKeeping, limits: options.limits)
  }

  func begin() -> Bool {
    provenance.clear()
    provenanceLines.removeAll(keepingCapacity: true)
    marks.removeAll(keepingCapacity: true)
    events.removeAll(keepingCapacity: true)
    payloads.clear()
    encoder?.begin()
    lists?.begin()
    rows.row = nil
    return true
  }

  // MARK: records

  func turn(to row: RowPage.Row) {
    rows.row = row
    guard row.settled != nil || isSettlementDecided else { return }
    converter.settle(row.settled.map { ($0.settlement, $0.rule) })
    isSettlementDecided = row.settled != nil
  }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    if let note = rows.row?.note { return copy(tape, at: range, in: block, with: note) }
    if copyJournal(tape, at: range, in: block) { return }
    take(range, block) { try rows.resolve(tape) }
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    take(range, block) { try rows.resolve(text) }
  }

  func attempt(_ tape: JSONTape, at range: Range<Int>, in block: Block) -> Bool {
    guard rows.row?.note == nil else { return false }
    rows.begin()
    let start = output.count
    do {
      var row = try rows.resolve(tape)
      guard !options.takesServer || !isServer(row) else { return false }
      try convert(&row, from: start)
      return true
    } catch {
      takeBack(to: start)
      return false
    }
  }

  /// Forgets what was written of the current record.
  private func takeBack(to start: Int) {
    output.truncate(to: start)
    if events.last?.record == book.counts.read + 1 { events.removeLast() }
  }

  @inline(__always)
  private func take(_ range: Range<Int>, _ block: Block, _ resolve: () throws -> RowReader.Row) {
    rows.begin()
    let start = output.count
    do {
      var row = try resolve()
      if options.takesServer, isServer(row) { return try takeServer(row, at: range, in: block) }
      try convert(&row, from: start)
    } catch {
      takeBack(to: start)
      reject(RecordFault(error, in: rows), range, block)
    }
  }

  private func convert(_ row: inout RowReader.Row, from start: Int) throws {
    try read(&row)
    row.delivery.isReceipt = rows.receipt != nil
    if let checker { row.delivery.remarks = try checker.remarks(on: legacy.record, in: rows) }
    converter.prepare(row.delivery)
    try converter.convert(into: options.emission)
    if let signer {
      try signer.sign(converter.tree, asOf: converter.asOf, to: output)
    } else if options.isTable {
      EventTable.write(converter.tree, options.isPlain ? nil : converter.migrationReading, to: output)
    } else {
      converter.write(to: output, plain: options.isPlain, only: options.members)
    }
    if isEvent { noteEvent(from: start, decided: row.event) }
    let line = start..<output.count
    if let encoder { try encode(line, row, encoder) }
    lists?.take(converter, record: book.counts.read + 1)
    if options.keepsProvenance { noteAccount(id: row.id) }
    if !options.isTable || !line.isEmpty { output.byte(0x0A) }
    book.counts.read += 1
    book.counts.converted += 1
    if marking != .none { mark(line) }
    // The line of an ambiguous event leaves open whether it is absorbed.
    if converter.isAmbiguous {
      book.counts.ambiguous += 1
    } else if converter.isAbsorbed {
      book.counts.absorbed += 1
    }
    converter.count(into: &book.counts.findings)
  }

  /// The current record becomes a notification.
  var isEvent: Bool {
    legacy.record.form == .notification && (options.emission == .auto || options.emission == .notification)
  }

  /// Reads the legacy record, or the receipt in an envelope that is not a record itself.
  private func read(_ row: inout RowReader.Row) throws {
    do throws(LegacyError) {
      try legacy.read(row.tape, root: row.root)
    } catch {
      guard error.reason == .unknownRecord else { throw error }
      guard try rows.openEnvelope(&row) else { throw LegacyError(error, orOf: row) }
      try legacy.read(row.tape, root: row.root)
    }
  }
}

extension LegacyError {
  /// The same error, which names a V2 record as what it is.
  init(_ error: LegacyError, orOf row: RowReader.Row) {
    self = error
    let shaped = V2Envelope.plain(row.tape, row.root).map { JSONBuffer($0) }
    let form =
      shaped.flatMap { text in JSONReader(names: []).parse(text) { V2Form($0) } } ?? V2Form(row.tape, row.root)
    if let form, form != .legacy { reason = .otherFormat(found: form.words) }
  }
}
