import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// A checkpoint is read as it was written, and knows another run when it sees one.
@Suite struct CheckpointTests {
  private var sample: Checkpoint {
    var checkpoint = Checkpoint()
    (checkpoint.rules, checkpoint.options) = ("aa", "bb")
    checkpoint.sources = [
      .init(name: "a \"b\".json", bytes: 12, sha256: "cc"), .init(name: "-", bytes: nil, sha256: ""),
    ]
    checkpoint.position.source = 1
    (checkpoint.position.member, checkpoint.position.records) = (2, 345)
    checkpoint.position.place = "1,2,3,4"
    checkpoint.counts.read = 1000
    (checkpoint.counts.converted, checkpoint.counts.duplicate, checkpoint.counts.rejected) = (900, 60, 40)
    checkpoint.counts.findings.add("dateMismatch", 7)
    checkpoint.outputs = [OutputState(path: "out.ndjson", bytes: 99, sha256: "dd")]
    return checkpoint
  }

  @Test func itIsReadAsItWasWritten() throws {
    let sample = sample
    let read = try #require(Checkpoint(json: sample.json))
    #expect(read.json == sample.json)
    #expect(read.position == sample.position && read.sources == sample.sources && read.outputs == sample.outputs)
    #expect(read.counts.read == 1000 && read.counts.findings.total == 7)
    #expect(read.difference(from: sample) == nil)
  }

  @Test func everyPrefixOfItIsNoCheckpoint() {
    let json = sample.json
    for count in 0..<json.count - 1 { #expect(Checkpoint(json: Array(json.prefix(count))) == nil) }
  }

  @Test func anotherRunIsToldByWhatDiffers() {
    let changes: [(String, (inout Checkpoint) -> Void)] = [
      ("rules", { $0.rules = "x" }), ("options", { $0.options = "x" }), ("a \"b\".json", { $0.sources[0].bytes = 13 }),
      ("a \"b\".json", { $0.sources[0].sha256 = "x" }), ("c.json now", { $0.sources[1].name = "c.json" }),
      ("2 then, 1 now", { $0.sources.removeLast() }),
    ]
    for (word, change) in changes {
      var other = sample
      change(&other)
      #expect(sample.difference(from: other)?.contains(word) == true)
    }
  }

  @Test func aFileIsKnownByItsEndsAndItsLength() async throws {
    try await TemporaryFolder.with { folder in
      func mark(_ bytes: [UInt8]) throws -> Checkpoint.SourceMark {
        try folder.write("a", bytes: bytes)
        return try Checkpoint.SourceMark(.file(InputFile(path: folder.path("a"))))
      }
      let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      let first = try mark(bytes)
      #expect(first.bytes == 300_000)
      #expect(try mark(bytes) == first)
      for place in [0, 65_535, 240_000, 299_999] {
        var changed = bytes
        changed[place] ^= 1
        #expect(try mark(changed) != first)
      }
      #expect(try mark(bytes + [0]) != first)
    }
  }
}
