import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@_spi(Slipcast) @testable import SlipcastBulk

/// A run resumes between any two blocks as if it had never ended.
@Suite struct ResumeTests {
  /// What one run gave: its lines and rejects, and where it stood after each block.
  private struct Course {
    var sink = MemorySink()
    var steps: [(position: RunPosition, counts: RunCounts, output: Int, rejects: Int)] = []

    var lines: String { String(decoding: sink.output, as: UTF8.self) }
    var places: [String] { sink.rejects.map { "\($0.source) \($0.record)@\($0.fault):\($0.line) \($0.code)" } }
  }

  private func course(
    _ files: [String], from start: (position: RunPosition, counts: RunCounts)? = nil, jobs: Int = 1
  ) async throws -> Course {
    var options = BulkOptions(jobs: jobs, recordBytes: 1 << 20)
    options.waits = true
    let run = BulkRun(options: options) { ListingTask(recordBytes: 1 << 20) }
    var course = Course()
    var steps: [(RunPosition, RunCounts, Int, Int)] = []
    _ = try await run.run(
      files.map { .file(InputFile(path: $0)) }, from: start, to: &course.sink,
      pause: { step, sink in
        steps.append((step.position, step.counts, sink.output.count, sink.rejects.count))
        return true
      })
    course.steps = steps
    return course
  }

  private func expectToGoOnAnywhere(_ texts: [[UInt8]]) async throws {
    try await TemporaryFolder.with { folder in
      for (place, text) in texts.enumerated() { try folder.write("\(place).json", bytes: text) }
      let files = texts.indices.map { folder.path("\($0).json") }
      let whole = try await course(files)
      #expect(whole.steps.count > texts.count)
      for step in whole.steps {
        // What a checkpoint keeps is text.
        if let place = step.position.place { #expect(ReaderState(place)?.description == place) }
        let rest = try await course(files, from: (step.position, step.counts), jobs: 2)
        #expect(whole.lines.utf8.dropFirst(step.output).elementsEqual(rest.lines.utf8), "\(step.position)")
        #expect(Array(whole.places.dropFirst(step.rejects)) == rest.places, "\(step.position)")
        #expect(rest.steps.last?.counts ?? step.counts == whole.steps.last?.counts)
      }
    }
  }

  private static let lines = (0..<2500).map { Sample.line($0) + "\n" }.joined()
  private static let pretty = (0..<900).map { Sample.pretty($0) + "\n" }.joined()

  @Test func linesAndPrintedRecords() async throws {
    try await expectToGoOnAnywhere([Array(Self.lines.utf8), Array(Self.pretty.utf8), [], Array("x".utf8)])
  }

  @Test func arraysOfRecords() async throws {
    let items = (0..<2500).map { Sample.line($0) }.joined(separator: ",\n")
    let printed = (0..<900).map { Sample.pretty($0) }.joined(separator: ",\n")
    try await expectToGoOnAnywhere([Array("[\(items)]\n[\(printed)]".utf8), Array("[\(printed)".utf8)])
  }

  @Test func recordsLongerThanABlockAndLongerThanTheLimit() async throws {
    let long = "{\"long\": \"\(String(repeating: "a", count: 700_000))\"}\n"
    let longer = "{\"longer\": \"\(String(repeating: "b", count: 3_000_000))\"}\n"
    try await expectToGoOnAnywhere([Array((Sample.line(1) + "\n" + long + longer + long + Self.lines).utf8)])
    try await expectToGoOnAnywhere([Array("[\(long),\(longer),\(long)]\n\(Self.lines)".utf8)])
  }

  @Test func packedSources() async throws {
    let text = Array(Self.lines.utf8)
    try await expectToGoOnAnywhere([
      try Packed.pack(text, [.gz]), try Packed.pack(text, [.tgz, .zip]),
      Array(try Packed.pack(text, [.gz]).dropLast(999)),
      text,
    ])
  }

  @Test(arguments: (0..<6).map(UInt64.init))
  func ruinedText(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var text = Array((seed % 2 == 0 ? Self.lines + Self.pretty : "[" + Self.pretty + "]").utf8)
    for _ in 0..<60 {
      let place = random.number(0...text.count - 1)
      switch random.number(0...2) {
      case 0: text[place] = UInt8(random.number(0...255))
      case 1: text.removeSubrange(place..<min(place + random.number(1...3000), text.count))
      default: text.insert(contentsOf: Array("\n{[\"".utf8), at: place)
      }
    }
    try await expectToGoOnAnywhere([text])
  }

  @Test(arguments: [
    "", "1", "1,2,3", "-1,0,0,0", "1,2,0,0,5", "1,2,0,0," + Array(repeating: "9", count: 16).joined(separator: ","),
  ])
  func otherTextIsNoState(_ text: String) { #expect(ReaderState(text) == nil) }
}
