import Foundation
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
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
    let read = try Checkpoint(json: sample.json)
    #expect(read.json == sample.json)
    #expect(read.position == sample.position && read.sources == sample.sources && read.outputs == sample.outputs)
    #expect(read.counts.read == 1000 && read.counts.findings.total == 7)
    #expect(read.difference(from: sample) == nil)
  }

  @Test func everyPrefixOfItIsNoCheckpoint() {
    let json = sample.json
    for count in 0..<json.count {
      #expect(throws: StateFault.damaged) { try Checkpoint(json: Array(json.prefix(count))) }
    }
  }

  @Test func everyBitOfItCounts() {
    let json = sample.json
    for place in json.indices {
      for bit in 0..<8 {
        var changed = json
        changed[place] ^= 1 << UInt8(bit)
        #expect(throws: StateFault.self) { try Checkpoint(json: changed) }
      }
    }
  }

  @Test(arguments: GuardedState.Writer.allCases)
  func onlyWhatWroteItReadsIt(_ kind: GuardedState.Writer) throws {
    var checkpoint = sample
    checkpoint.kind = kind
    for other in GuardedState.Writer.allCases {
      if other == kind {
        #expect(try Checkpoint(json: checkpoint.json, of: other).json == checkpoint.json)
      } else {
        #expect(throws: StateFault.foreign(kind)) { try Checkpoint(json: checkpoint.json, of: other) }
      }
    }
  }

  /// A member that is missing is not taken for a count of 0, also where the digest is right.
  @Test func everyMemberIsRequired() throws {
    let text = String(decoding: sample.json, as: UTF8.self)
    let members = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    var count = 0
    for (name, value) in members where !["slipcastState", "version", "sha256"].contains(name) {
      for inner in [nil] + ((value as? [String: Any])?.keys.map { $0 } ?? []) where !["place", "part"].contains(inner) {
        var kept = members
        kept[name] = inner.map { inner in (value as? [String: Any])?.filter { $0.key != inner } ?? [:] }
        let sealed = GuardedState.seal(.convert) { writer in
          for (name, value) in kept where !["slipcastState", "version", "sha256"].contains(name) {
            writer.key(name)
            let json = try? JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed)
            writer.raw(String(decoding: json ?? Data(), as: UTF8.self))
          }
        }
        #expect(throws: StateFault.damaged, "without \(name) \(inner ?? "")") { try Checkpoint(json: sealed) }
        count += 1
      }
    }
    #expect(count > 15)
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
    try TemporaryFolder.with { folder in
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
