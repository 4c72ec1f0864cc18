import SlipcastDigest
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// A source of which nothing can be read is one reject, by which the file is found; text that was not read is not kept.
@Suite struct RefusedSourceTests {
  static let sources: [(name: String, bytes: [UInt8], says: String)] = [
    (
      "rows.ndjson", [0xFF, 0xFE, 0, 0] + Sample.line(1).utf8.flatMap { [$0, 0, 0, 0] as [UInt8] }, "iconv"
    ),
    ("rows.parquet", Array("PAR1".utf8) + [UInt8](repeating: 7, count: 600_000), "duckdb"),
    ("rows.csv", Array("PAR1".utf8) + [UInt8](repeating: 7, count: 60), "duckdb"),
    ("rows.tsv", Array("PGDMP".utf8) + [1, 15, 0] + Array("a\\b".utf8), "pg_restore"),
  ]

  @Test(arguments: sources.indices)
  func aRefusedFileIsFoundByItsDigest(_ place: Int) async throws {
    let (name, bytes, says) = Self.sources[place]
    try await TemporaryFolder.with { folder in
      try folder.write(name, bytes: bytes)
      try folder.write("b.ndjson", Sample.line(2))
      let run = try await Runs.convert(files: [folder.path(name), folder.path("b.ndjson")])
      let reject = try #require(run.rejects.first)
      #expect(run.rejects.count == 1 && run.numbers == [2])
      #expect(reject.message.contains(says) && reject.offset == 0 && reject.length == bytes.count, "\(reject)")
      #expect(reject.sha256 == SHA256Stream.hexadecimal(of: bytes))
      #expect(reject.inputOmitted == "unparsed" && reject.text.isEmpty)
    }
  }

  /// Another reading of such a text may find a record in it.
  @Test func textThatIsNotJSONIsNotKept() async throws {
    let wide = "[\u{1}" + Sample.line(1) + "]\n"
    for text in ["x" + Sample.line(1), wide, Sample.line(1).dropLast() + "\n"] {
      let run = try await Runs.convert(String(text))
      for reject in run.rejects where reject.stage == .json {
        #expect(reject.input.isEmpty && reject.inputOmitted == "unparsed", "\(reject)")
      }
      #expect(run.rejects.contains { $0.stage == .json })
    }
  }

  // MARK: joined files

  static let mark = "\u{FEFF}"
  static let joined: [String] = [
    "\(Sample.line(1))\n\(mark)\(Sample.line(2))\n", "\(Sample.line(1))\(mark)\(Sample.line(2))",
    "\(mark)\(Sample.pretty(1))\n\(mark)\(Sample.pretty(2))\n", "\(Sample.pretty(1))\(mark)\(Sample.pretty(2))",
    "[\(Sample.line(1))]\n\(mark)[\(Sample.line(2))]\n", "[\(Sample.line(1))]\(mark)[\(Sample.line(2))]",
    "\(Sample.line(1))\n\(mark)\n\(Sample.line(2))", "\(Sample.line(1)) \n\(mark)\(mark) \(Sample.line(2))\n\(mark)",
    "[\(Sample.line(1))]\n\(mark)\(Sample.line(2))\n",
  ]

  @Test(arguments: joined) func filesThatBeginWithAMarkMayBeJoined(_ text: String) async throws {
    let run = try await Runs.convert(text)
    #expect(run.numbers == [1, 2], "\(run.places)")
    #expect(run.rejects.isEmpty, "\(run.places)")
  }

  @Test func rowsOfTablesToo() async throws {
    let cells = (1...2).map { "\"" + Sample.line($0).replacing("\"", with: "\"\"") + "\"" }
    let run = try await CellRecordTests.convert(
      "\(Self.mark)id,body\n1,\(cells[0])\n\(Self.mark)id,body\n\(Self.mark)2,\(cells[1])\n", "rows.csv")
    #expect(run.numbers == [1, 2] && run.rejects.map(\.code) == ["headerRepeated"], "\(run.places)")
  }
}
