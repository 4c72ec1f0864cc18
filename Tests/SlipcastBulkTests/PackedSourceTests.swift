import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Compressed and archived sources are read as what they hold.
@Suite struct PackedSourceTests {
  private static let text = (1...400).map { Sample.line($0) + "\n" }.joined()

  static let wrappings: [[Packed.Form]] =
    Packed.Form.allCases.map { [$0] } + [
      [.gz, .tar], [.xz, .zip], [.tgz, .zip, .gz], [.gz, .gz, .gz, .gz],
    ]

  @Test(arguments: wrappings)
  func aPackedSourceGivesTheRecordsThatItHolds(_ forms: [Packed.Form]) async throws {
    let run = try await Runs.convert(Packed.pack(Array(Self.text.utf8), forms)) { $0.jobs = 2 }
    #expect(run.numbers == Array(1...400))
    #expect(run.counts.bytes == Self.text.utf8.count)
  }

  @Test func compressionIsTakenOffFourTimesAndNoMore() async throws {
    let run = try await Runs.convert(Packed.pack(Array(Self.text.utf8), [.gz, .gz, .gz, .gz, .gz]))
    #expect(run.rejects.map(\.code) == ["damaged"])
    #expect(run.rejects.first?.message.contains("more than 4 times") == true)
  }

  @Test func recordsOfAnArchiveNameTheFileInIt() async throws {
    let run = try await Runs.convert(Packed.pack(Array("broken\n".utf8), [.tgz]))
    #expect(run.rejects.first?.source.hasSuffix("!folder/records.json") == true)
    #expect(run.rejects.first?.record == 1 && run.rejects.first?.line == 1)
  }

  @Test func severalMembersOfGzipAreOneText() async throws {
    let halves = [Self.text.prefix(1000), Self.text.dropFirst(1000)]
    let bytes = try halves.flatMap { try Packed.pack(Array($0.utf8), [.gz]) }
    #expect(try await Runs.convert(bytes + [0, 0, 0, 0]).numbers == Array(1...400))
  }

  @Test(arguments: [Packed.Form.gz, .bz2, .xz, .tgz, .zip], [0.1, 0.35, 0.6, 0.9, 0.99])
  func whatIsCutOffIsToldAndTheRestIsConverted(_ form: Packed.Form, _ share: Double) async throws {
    let whole = try Packed.pack(Array(Self.text.utf8), [form])
    let run = try await Runs.convert(Array(whole.prefix(Int(Double(whole.count) * share))))
    #expect(run.end == .finished)
    #expect(run.numbers == Array(Array(1...400).prefix(run.numbers.count)))
    // The end of a zip archive is its list of files: without it nothing is missing.
    if form == .zip, run.counts.converted == 400 { return }
    #expect(run.rejects.last?.stage == .source && run.rejects.last?.code == "damaged")
  }

  @Test(arguments: (0..<24).map(UInt64.init))
  func aChangedByteOfGzipNeverPassesUnseen(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var bytes = try Packed.pack(Array((1...100).map { Sample.line($0) + "\n" }.joined().utf8), [.gz])
    // The header's time, flags and system do not affect the content.
    let place = random.number(10...bytes.count - 1)
    bytes[place] ^= UInt8(1 << random.number(0...7))
    let run = try await Runs.convert(bytes, maySpoilKeys: true)
    #expect(run.rejects.contains { $0.code == "damaged" })
  }

  @Test func aDamagedSourceDoesNotEndTheRun() async throws {
    let whole = try Packed.pack(Array(Self.text.utf8), [.gz])
    try await Temporary.file(Array(whole.prefix(whole.count / 2))) { broken in
      try await Temporary.file(Sample.line(7)) { good in
        for jobs in [1, 3] {
          let run = try await Runs.convert(files: [broken, good, broken]) { $0.jobs = jobs }
          #expect(run.numbers.filter { $0 == 7 }.count >= 1)
          #expect(run.rejects.filter { $0.code == "damaged" }.count == 2)
          #expect(run.counts.read == run.counts.converted + run.counts.rejected)
        }
      }
    }
  }

  @Test func aBombOfZerosIsOneRejectInLittleMemory() async throws {
    let bomb = try Packed.pack([UInt8](repeating: 0x20, count: 200 << 20) + Array(Sample.line(1).utf8), [.gz])
    #expect(bomb.count < 1 << 20)
    let run = try await Runs.convert(bomb)
    #expect(run.counts.converted + run.counts.rejected >= 1)
  }
}
