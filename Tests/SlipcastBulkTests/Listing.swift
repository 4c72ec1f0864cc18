import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

@testable import SlipcastBulk

/// Says of every record where it stands and what it is; refuses arrays.
final class ListingTask: RecordTask {
  var book: BlockBook
  let output = JSONWriter()
  let reader: JSONReader

  init(stops: Bool = false, recordBytes: Int) {
    book = BlockBook(stops: stops, keeping: RejectKeeping(text: RejectText(limits: JSONLimits()), keepsRaw: true))
    reader = JSONReader(names: [], limits: JSONLimits(recordBytes: recordBytes))
  }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    guard tape[0].kind != .array else {
      return refuse(RecordFault(stage: .row, code: "list", message: "a list"), at: range, in: block)
    }
    list("\(tape[0].kind) of \(tape.count)", range, block)
  }

  func take(_ text: TextRecord, at range: Range<Int>, in block: Block) {
    list("\(text.form) of \(text.bytes.count)", range, block)
  }

  private func list(_ what: String, _ range: Range<Int>, _ block: Block) {
    book.counts.read += 1
    book.counts.converted += 1
    let (offset, line) = book.position(range.lowerBound, in: block)
    output.raw("\(book.sourceName)@\(offset):\(line) \(what)\n")
  }
}

/// What came of a run of listing tasks.
struct Listing {
  /// `name@offset:line kind of size`.
  var lines: [String]
  var rejects: [Reject]
  var end: RunEnd
  var counts: RunCounts

  /// The lines without the source's name.
  var records: [String] { lines.map { String($0.drop { $0 != "@" }.dropFirst()) } }
  /// The kinds alone.
  var kinds: [String] { records.map { String($0.drop { $0 != " " }.dropFirst()) } }

  static func of(
    files: [String], jobs: Int = 1, stops: Bool = false, recordBytes: Int = 16 << 20
  ) async throws -> Listing {
    let run = BulkRun(options: BulkOptions(jobs: jobs, recordBytes: recordBytes)) {
      ListingTask(stops: stops, recordBytes: recordBytes)
    }
    var sink = MemorySink()
    let (end, counts) = try await run.run(files.map { .file(InputFile(path: $0)) }, to: &sink)
    let text = String(decoding: sink.output, as: UTF8.self)
    return Listing(
      lines: text.split(separator: "\n").map(String.init), rejects: sink.rejects, end: end, counts: counts)
  }

  static func of(_ bytes: [UInt8], jobs: Int = 1, recordBytes: Int = 16 << 20) async throws -> Listing {
    var listing = Listing(lines: [], rejects: [], end: .finished, counts: RunCounts())
    try await Temporary.file(bytes) { listing = try await of(files: [$0], jobs: jobs, recordBytes: recordBytes) }
    return listing
  }

  static func of(_ text: String, jobs: Int = 1, recordBytes: Int = 16 << 20) async throws -> Listing {
    try await of(Array(text.utf8), jobs: jobs, recordBytes: recordBytes)
  }
}
