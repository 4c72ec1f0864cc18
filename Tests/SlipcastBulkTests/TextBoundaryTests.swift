import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Text records in sources of many blocks: none is cut, and blocks stay small.
@Suite struct TextBoundaryTests {
  /// The end of the block goes through every byte of the records and of the line feeds behind them.
  @Test(arguments: 0..<6)
  func theEndOfABlockMayCutATextRecordAnywhere(_ part: Int) async throws {
    let records = [
      TextSample.token(1, length: 90),
      TextSample.wrapped(TextSample.base64(#"{"a":"\#(String(repeating: "b", count: 150))"}"#), 64),
      #"{"a":1}"#, TextSample.base64(#"{"a":"\#(String(repeating: "c", count: 60))"}"#),
      TextSample.wrapped(TextSample.old("{\n  \"a\": \"\(String(repeating: "d", count: 150))\"}"), 76),
    ]
    let tail = records.joined(separator: "\n")
    let kinds = ["token", "encoded", "object", "encoded", "encoded"]
    let step = tail.utf8.count / 6 + 1
    for shift in part * step..<min((part + 1) * step, tail.utf8.count) {
      let first = TextSample.token(0, length: 100 << 10)
      let second = TextSample.token(0, length: Block.size - shift - first.utf8.count - 8)
      let listing = try await Listing.of("\(first)\n\(second)\n\(tail)", jobs: 1 + shift % 4)
      #expect(
        listing.kinds.map { String($0.prefix { $0 != " " }) } == ["token", "token"] + kinds, "shifted by \(shift)")
      #expect(listing.rejects == [], "shifted by \(shift)")
    }
  }

  static let seeds = (0..<24).map(UInt64.init)

  /// Streams of all kinds of records, with everything that may stand between them.
  @Test(arguments: seeds)
  func mixedRecordsOfManyBlocksKeepTheirOrderAndPlaces(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var (text, records, lines) = ("", [String](), 0)
    let feed = random.one(of: ["\n", "\r\n"])
    while text.utf8.count < 3 * Block.size {
      let (record, kind) = Self.record(&random, feed)
      records.append("\(text.utf8.count):\(lines + 1) \(kind) of ")
      let piece = record + feed + (random.number(0...3) == 0 ? feed : "")
      text += piece
      lines += piece.utf8.count { $0 == 0x0A }
    }
    var first: Listing?
    for jobs in 1...4 {
      let listing = try await Listing.of(text, jobs: jobs)
      #expect(listing.rejects == [])
      #expect(listing.counts.read == records.count)
      for (found, expected) in zip(listing.records, records) { #expect(found.hasPrefix(expected)) }
      if let first { #expect(first.records == listing.records) }
      first = listing
    }
  }

  private static func record(_ random: inout SeededGenerator, _ feed: String) -> (text: String, kind: String) {
    let filler = random.number(0...20_000)
    switch random.number(0...5) {
    case 0: return (TextSample.token(1, length: filler + 100), "token")
    case 1: return (TextSample.base64(Sample.line(1, filler: filler)), "encoded")
    case 2: return (TextSample.wrapped(TextSample.base64(Sample.line(1, filler: filler)), 64, feed: feed), "encoded")
    case 3: return ("\"" + TextSample.token(1, length: filler + 100) + "\"", "token")
    case 4: return (Sample.line(1, filler: filler), "object")
    default: return (Sample.pretty(1).split(separator: "\n").joined(separator: feed), "object")
    }
  }

  static let pieces =
    GarbageTests.pieces + [
      "MIIAAAAAAAAAAAAAAAAA", "\nMIIAAAAAAAAAAAAAAAAA\n", "\neyJhbGciOiJFUzI1NiJ9.e30.c2ln\n", "ewogICJhIjogMSB9",
      "AAAA",
      "==", "\n\"MIIAAAAAAAAAAAAAAAAA\\/\"\n", "{\"receipt-data\":\"MII\"}", "\nAAAAAAAAAAAAAAAAAAAA\n",
    ]

  @Test(arguments: seeds)
  func noiseAmongTextIsReadToItsEnd(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let text = (0..<random.number(0...2000)).map { _ in random.one(of: Self.pieces) }.joined()
    let limit = random.one(of: [10, 100, 1 << 20])
    let run = try await Runs.convert(Array(text.utf8), maySpoilKeys: true) { $0.recordBytes = limit }
    #expect(run.end == .finished)
    #expect(run.counts.converted == 0)
    for reject in run.rejects {
      #expect(reject.line == 1 + text.utf8.prefix(reject.fault).count { $0 == 0x0A })
    }
    let again = try await Runs.convert(run.rejectFile)
    #expect(again.counts.read == run.counts.read)
  }

  // MARK: memory

  /// How large blocks become, and what the text they hold sums up to.
  private func blocks(_ text: String, limit: Int = 16 << 20) async throws -> (largest: Int, sum: Int, count: Int) {
    var (largest, sum, count) = (0, 0, 0)
    try await Temporary.file(text) { file in
      let members = try SourceMembers(InputFile(path: file), patterns: [])
      let reader = BlockReader(try #require(try members.next()), source: 0, limit: limit)
      let block = Block()
      while try reader.fill(block) {
        (largest, sum, count) = (max(largest, block.capacity), sum + block.count, count + 1)
      }
    }
    return (largest, sum, count)
  }

  @Test(arguments: ["token", "quoted", "wrapped", "spaced", "full"])
  func manyMegabytesOfTextAreReadInSmallBlocks(_ kind: String) async throws {
    // A receipt of this length ends with a full line and without padding.
    let full = TextSample.wrapped(TextSample.base64(String(repeating: "a", count: 48 * 30 - 16)), 64)
    let piece =
      switch kind {
      case "token": TextSample.token(1, length: 100) + "\n"
      case "quoted": "\"" + TextSample.token(1, length: 100) + "\"\n"
      case "wrapped": TextSample.wrapped(TextSample.base64(Sample.line(1, filler: 2)), 76) + "\r\n"
      case "spaced": full + "\n\n"
      default: full + "\n" + TextSample.wrapped(TextSample.base64(Sample.line(1)), 64) + "\n"
      }
    let text = String(repeating: piece, count: (8 << 20) / piece.utf8.count)
    let (largest, sum, count) = try await blocks(text)
    #expect(largest <= 2 * Block.size)
    #expect(sum == text.utf8.count)
    #expect(count >= 16)
  }

  @Test func twoHundredThousandTokensAreAllFound() async throws {
    let text = (0..<200_000).map { "eyJ\($0 + 100_000).eyJ9.c2lnbmF0dXJl\n" }.joined()
    for jobs in [1, 4] {
      let listing = try await Listing.of(text, jobs: jobs)
      #expect(listing.counts.read == 200_000 && listing.counts.converted == 200_000)
      #expect(listing.counts.rejected == 0 && listing.counts.bytes == text.utf8.count)
      #expect(listing.lines.last?.hasSuffix(":200000 token of 27") == true)
    }
    #expect(try await blocks(text).largest <= 2 * Block.size)
  }
}
