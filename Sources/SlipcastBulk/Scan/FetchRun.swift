@_spi(Slipcast) internal import SlipcastLegacy
package import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// Reads an archive again for a few of its records.
package struct FetchRun: Sendable {
  /// One record, extracted from its row.
  package struct Record: Sendable {
    /// Its JSON; for a receipt the verifyReceipt response.
    package var json: [UInt8]
    /// When it was received, milliseconds since 1970 UTC.
    package var receivedAt: Int64?
    /// The source of the record.
    package var source: String
    /// Its number there, from 1.
    package var number: Int
  }

  private let run: BulkRun<BlockFetcher>

  /// Prepares a run with the options with which the archive was read before.
  package init(rules: RuleSet, options: ConvertOptions) {
    var options = options
    options.keepsRejects = false
    // One worker: most records are skipped.
    var bulk = BulkOptions(jobs: 1, recordBytes: options.recordBytes)
    bulk.waits = true
    run = BulkRun(options: bulk) { [options] in
      BlockFetcher(rules: rules, options: options)
    }
  }

  /// Finds records by their numbers in the archive, counted from 1 through all sources; missing records are omitted.
  ///
  /// - Parameter blocks: the number of records in each block of the first reading; other blocks are skipped.
  /// - Throws: `BulkError` for sources that cannot be read, and database errors.
  package func fetch(
    _ numbers: Set<Int>, from sources: [RecordSource], blocks: [Int32]
  ) async throws -> [Int: Record] {
    var found: [Int: Record] = [:]
    guard let last = numbers.max() else { return found }
    for case .rows(let feed) in sources { try feed.rewind() }
    var sink = RejectSink { _ in }
    var total = 0
    let wanted = numbers.sorted()
    _ = try await run.run(
      sources, to: &sink, prepare: { $0.plan(blocks, wanted) },
      deliver: { task, before, _ in
        if task.extents.isEmpty {
          total += task.book.counts.read
          return task.book.counts
        }
        for place in task.extents.indices where numbers.contains(total + place + 1) {
          found[total + place + 1] = task.record(place, before: before)
        }
        total += task.book.counts.read
        return task.book.counts
      },
      pause: { _, _ in total < last })
    return found
  }
}

/// Notes the positions of a block's records, and extracts some of them afterwards.
final class BlockFetcher: RecordTask {
  let output = JSONWriter(capacity: 64)
  let reader: JSONReader
  private let rows: RowReader
  private let again: NestedReader
  private var block: Block?
  private var row: RowPage.Row?
  /// Each record's position in the block and the content of its row; `nil` for a rejected record.
  private(set) var extents: [(range: Range<Int>, form: TextRecord.Form?, row: RowPage.Row?)?] = []
  var book: BlockBook<ScanCounts>

  init(rules: RuleSet, options: ConvertOptions) {
    let limits = JSONLimits(depth: options.depth, recordBytes: options.recordBytes)
    reader = JSONReader(names: LegacyKey.names, limits: limits)
    again = NestedReader(limits)
    rows = RowReader(options: options, receipts: options.receipts ?? ReceiptSource(rules: rules), limits: limits)
    book = BlockBook(RejectPolicy())
  }

  /// For every block whether it contains a wanted record, and its number of records.
  private var plan: [(isWanted: Bool, count: Int)] = []
  private var next = 0

  /// Notes the blocks with wanted records, by their ascending numbers.
  func plan(_ blocks: [Int32], _ wanted: [Int]) {
    var (total, place) = (0, 0)
    plan = blocks.map { count in
      total += Int(count)
      let start = place
      while place < wanted.count, wanted[place] <= total { place += 1 }
      return (place > start, Int(count))
    }
    next = 0
  }

  func work(on block: Block, source: String) {
    book.begin(block, source: source)
    extents.removeAll(keepingCapacity: true)
    (self.block, row) = (block, nil)
    defer { next += 1 }
    if next < plan.count, !plan[next].isWanted {
      (book.counts.read, book.counts.taken) = (plan[next].count, plan[next].count)
      return
    }
    var walker = RecordWalker(block, reader: reader, handler: self)
    walker.walk()
  }

  func turn(to row: RowPage.Row) { self.row = row }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) { note((range, nil, row)) }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) { note((range, text.form, row)) }

  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    extents.append(nil)
    book.reject(fault, at: range, in: block)
  }

  private func note(_ extent: (range: Range<Int>, form: TextRecord.Form?, row: RowPage.Row?)) {
    extents.append(extent)
    book.counts.read += 1
    book.counts.taken += 1
  }

  /// Extracts a record from its row; `nil` for a rejected one.
  func record(_ place: Int, before: Int) -> FetchRun.Record? {
    guard let extent = extents[place], let block else { return nil }
    let text = block.text(extent.range)
    rows.begin()
    var json = Array(text.buffer)
    var receivedAt: Int64?
    if extent.form == .token {
      json = CompactJWS(text.string.unquoted)?.payload ?? json
    } else if let payload = payload(text) {
      json = payload
    } else if var row = resolve(text, extent.form) {
      extent.row?.tell(&row)
      json = Array(row.tape.json(row.root).buffer)
      receivedAt = row.delivery.receivedAt
    }
    return FetchRun.Record(
      json: json, receivedAt: receivedAt, source: book.sourceName, number: before + place + 1)
  }

  /// The content of the token in place of a row's body.
  private func payload(_ text: JSONText) -> [UInt8]? {
    guard let tape = try? again.read(text), let token = rows.token(in: tape) else { return nil }
    return CompactJWS(token.string)?.payload
  }

  private func resolve(_ text: JSONText, _ form: TextRecord.Form?) -> RowReader.Row? {
    if let form {
      let content = form == .binary ? text : text.trimmingQuotes
      guard let row = try? rows.resolve(TextRecord(form: form, bytes: content)) else { return nil }
      return row
    }
    guard let tape = try? again.read(text), var row = try? rows.resolve(tape) else { return nil }
    // A verifyReceipt request, or Unity's receipt; anything else stays unchanged.
    _ = try? rows.openEnvelope(&row)
    return row
  }
}

extension JSONText {
  fileprivate var trimmingQuotes: JSONText {
    let quote = UInt8(ascii: "\"")
    return count > 1 && self[0] == quote && self[count - 1] == quote ? part(1..<count - 1) : self
  }
}

extension String {
  fileprivate var unquoted: String { hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self }
}
