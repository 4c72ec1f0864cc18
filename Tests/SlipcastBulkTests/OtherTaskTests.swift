import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// Says of every record where it stands and what it is; refuses arrays.
private final class ListingTask: BlockTask, RecordHandler {
  struct Counts: RecordCounts, Equatable {
    var read = 0
    var listed = 0
    var rejected = 0
    var bytes = 0
    var isBalanced: Bool { read == listed + rejected }

    mutating func add(_ other: Counts) {
      read += other.read
      listed += other.listed
      rejected += other.rejected
      bytes += other.bytes
    }
  }

  private(set) var book: BlockBook<Counts>
  let output = JSONWriter()
  private let reader: JSONReader

  init(_ policy: RejectPolicy, recordBytes: Int) {
    book = BlockBook(policy)
    reader = JSONReader(names: [], limits: JSONLimits(recordBytes: recordBytes))
  }

  func work(on block: Block, source: String) {
    book.begin(block, source: source)
    output.clear()
    var walker = RecordWalker(block, reader: reader, handler: self)
    walker.walk()
  }

  var isStopped: Bool { book.isStopped }
  var hasRejectedLast: Bool { book.hasRejectedLast }

  func take(_ tape: JSONTape, at range: Range<Int>, in block: Block) {
    guard tape[0].kind != .array else {
      return refuse(RecordFault(stage: .row, code: "list", message: "a list"), at: range, in: block)
    }
    list("\(tape[0].kind) of \(tape.count)", range, block)
  }

  func refuse(_ fault: RecordFault, at range: Range<Int>, in block: Block) {
    book.reject(fault, at: range, in: block)
  }

  private func list(_ what: String, _ range: Range<Int>, _ block: Block) {
    book.counts.read += 1
    book.counts.listed += 1
    let (offset, line) = book.position(range.lowerBound, in: block)
    output.raw("\(book.sourceName)@\(offset):\(line) \(what)\n")
  }
}

/// Whatever is done with records is done in their order, by any number of workers.
@Suite struct OtherTaskTests {
  private struct Listing {
    var lines: [String]
    var rejects: [Reject]
    var end: RunEnd
    var counts: ListingTask.Counts
  }

  private func list(_ files: [String], jobs: Int = 1, stops: Bool = false) async throws -> Listing {
    let options = BulkOptions(jobs: jobs)
    let run = BulkRun(options: options) {
      ListingTask(RejectPolicy(stops: stops, keepsInput: true), recordBytes: options.recordBytes)
    }
    var sink = MemorySink()
    let (end, counts) = try await run.run(files.map(InputFile.init(path:)), to: &sink)
    let text = String(decoding: sink.output, as: UTF8.self)
    return Listing(
      lines: text.split(separator: "\n").map(String.init), rejects: sink.rejects, end: end, counts: counts)
  }

  private static let records = (1...3000).map { number in
    number % 100 == 7 ? "[\(number)]" : "{\"n\":\"\(String(repeating: "x", count: number % 700))\"}"
  }

  /// Where the records stand that are no lists.
  private func places(_ name: String) -> [String] {
    var (offset, places) = (0, [String]())
    for (index, record) in Self.records.enumerated() {
      if record.hasPrefix("{") { places.append("\(name)@\(offset):\(index + 1) object of 2") }
      offset += record.utf8.count + 1
    }
    return places
  }

  @Test(arguments: [1, 2, 3, 4])
  func everyRecordIsListedWithItsPlaceInOrder(_ jobs: Int) async throws {
    try await TemporaryFolder.with { folder in
      let text = Self.records.joined(separator: "\n")
      try folder.write("a.json", text)
      try folder.write("b.json", text)
      let names = [folder.path("a.json"), folder.path("b.json")]
      #expect(text.utf8.count > 3 * Block.size)
      let listing = try await list(names, jobs: jobs)
      #expect(listing.lines == names.flatMap(places))
      #expect(listing.rejects.map(\.record) == [0, 1].flatMap { _ in stride(from: 7, to: 3000, by: 100) })
      #expect(listing.rejects.map(\.line) == listing.rejects.map(\.record))
      #expect(Set(listing.rejects.map(\.source)) == Set(names))
      let expected = ListingTask.Counts(read: 6000, listed: 5940, rejected: 60, bytes: 2 * text.utf8.count)
      #expect(listing.counts == expected)
      #expect(listing.end == .finished)
    }
  }

  @Test(arguments: [1, 2, 3, 4])
  func theFirstRejectStopsARunThatIsToStop(_ jobs: Int) async throws {
    try await Temporary.file(Self.records.joined(separator: "\n")) { file in
      let listing = try await list([file], jobs: jobs, stops: true)
      #expect(listing.end == .stopped)
      #expect(listing.lines.count == 6)
      #expect(listing.rejects.map { String(decoding: $0.input, as: UTF8.self) } == ["[7]"])
    }
  }
}
