import SlipcastBulk
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// How many workers there are changes nothing that can be seen.
@Suite struct JobsTests {
  private func expectSame(_ text: String, _ set: (inout ConvertOptions) -> Void = { _ in }) async throws {
    try await Temporary.file(text) { file in
      let one = try await Runs.convert(files: [file], set)
      for jobs in [2, 5] {
        let many = try await Runs.convert(files: [file]) { options in
          set(&options)
          options.jobs = jobs
        }
        #expect(many.sink.output == one.sink.output)
        #expect(many.sink.provenance == one.sink.provenance)
        #expect(many.rejects == one.rejects)
        #expect(many.counts == one.counts)
        #expect(many.end == one.end)
      }
    }
  }

  @Test func linesGiveTheSameBytesRejectsAndProvenance() async throws {
    try await expectSame(BlockBoundaryTests.mixed.text)
  }

  @Test func anArrayGivesTheSameBytesRejectsAndProvenance() async throws {
    let items = (1...400).map { $0 % 50 == 7 ? #"{"a":tru}"# : Sample.line($0, filler: 2000) }
    try await expectSame("[" + items.joined(separator: ",\n") + ",x]")
  }

  @Test(arguments: [ErrorPolicy.stop, .skip, .reject])
  func everyPolicyEndsAtTheSameRecord(_ policy: ErrorPolicy) async throws {
    let text = ["x\n", "y\n", "z"].map { Sample.lines(1...60, filler: 5000) + $0 }.joined()
    try await expectSame(text) { $0.onError = policy }
  }

  @Test(arguments: ["0", "1", "5", "0.5%", "2%"])
  func everyLimitEndsAtTheSameRecord(_ limit: String) async throws {
    let text = (1...20).map { Sample.lines($0 * 50...$0 * 50 + 5, filler: 10_000) + "x\n" }.joined()
    try await expectSame(text) { $0.maxRejects = RejectLimit(limit) }
  }

  @Test func wrappedRowsGiveTheSameIdsInRejects() async throws {
    let rows = (1...400).map { number in
      let body = number % 5 == 3 ? "" : Sample.line(number, filler: 2000) + "}"
      return #"{"id":"row-\#(number)","body":\#(body)"#
    }
    try await expectSame(rows.joined(separator: "\n")) { options in
      options.body = JSONPointer("/body")
      options.id = JSONPointer("/id")
    }
  }

  /// The bytes after a block's text are what the memory contained before, which depends on how many blocks there are.
  @Test(arguments: [#"{"a":true"#, #"{"a":12"#, #"{"a":nul"#, #"{"a":[]"#, #"{"a":"x""#], [" ", "1", "]"])
  func theFaultOfATruncatedEndIsTheSame(_ end: String, _ filler: String) async throws {
    let line = #"{"a":"\#(String(repeating: filler, count: 150 << 10))"}"#
    try await expectSame("\(line)\n\(line)\n\(line)\n\(end)")
  }
}
