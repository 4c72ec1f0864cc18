import SlipcastMapping
import SlipcastSignatures
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastBulk

/// Blocks with so many short records that their verdicts are written in parts.
@Suite struct BlockPartTests {
  private static let count = 20_000

  /// Counts the pieces that arrive, and the longest.
  private struct Sink: LineSink {
    var text: [UInt8] = []
    var longest = 0

    mutating func write(output: Span<UInt8>) {
      text.append(contentsOf: output)
      longest = max(longest, output.count)
    }
    mutating func write(reject: Reject) {}
  }

  private static func options(jobs: Int) -> VerifyOptions {
    var options = VerifyOptions(policy: VerificationPolicy())
    options.jobs = jobs
    return options
  }

  /// The first lines of a block are an object of several lines, so that a part does not begin a new search for its end.
  private static let archives = [
    "lines": "{\n\"a\": 0\n}\n" + String(repeating: "0\n", count: count - 1),
    "items": "[" + Array(repeating: "0", count: count).joined(separator: ",") + "]",
    "broken items": "[" + Array(repeating: "0", count: count).joined(separator: ","),
  ]

  @Test(arguments: archives.keys.sorted(), [1, 2])
  func aBlockOfManyShortRecordsIsVerifiedInParts(_ form: String, _ jobs: Int) async throws {
    let archive = try #require(Self.archives[form])
    try await TemporaryFolder.with { folder in
      try folder.write("archive.json", archive)
      var sink = Sink()
      let run = VerifyRun(rules: BuiltIn.rules, options: Self.options(jobs: jobs))
      let counts = try await run.verify([InputFile(path: folder.path("archive.json"))], to: &sink)
      let lines = String(decoding: sink.text, as: UTF8.self).split(separator: "\n")
      let unclosed = form == "broken items" ? 1 : 0
      #expect(counts.read == Self.count + unclosed && counts.invalid == counts.read && counts.valid == 0)
      #expect(lines.count == counts.read)
      #expect(sink.text.count > 2 << 20, "one part would hold all")
      #expect(sink.longest <= (2 << 20) + 4096, "a part has \(sink.longest) bytes")
      // Every record has its own place, in order.
      let offsets = lines.compactMap { line in
        line.firstRange(of: "\"offset\":").map { Int(line[$0.upperBound...].prefix(while: \.isNumber)) ?? -1 }
      }
      #expect(offsets.count == lines.count && zip(offsets, offsets.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test(arguments: [1, 2])
  func aBlockOfManyShortRecordsIsInspectedInParts(_ jobs: Int) async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("archive.json", String(repeating: "0\n", count: Self.count))
      var sink = Sink()
      let run = InspectRun(rules: BuiltIn.rules, options: Self.options(jobs: jobs))
      let counts = try await run.inspect([InputFile(path: folder.path("archive.json"))], to: &sink)
      #expect(counts.read == Self.count && counts.rejected == Self.count)
      #expect(sink.text.count > 2 << 20, "one part would hold all")
      #expect(sink.longest <= (2 << 20) + 4096, "a part has \(sink.longest) bytes")
      let last = String(decoding: sink.text.suffix(300), as: UTF8.self)
      #expect(last.contains("\"line\":\(Self.count),"))
    }
  }
}
