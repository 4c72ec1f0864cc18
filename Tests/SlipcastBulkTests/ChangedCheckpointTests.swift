import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// A checkpoint is a file that others can change: impossible values are rejected, and nothing traps.
@Suite struct ChangedCheckpointTests {
  static let extremes = [Int.min, -(1 << 40), -1, 0, 1, 2, 91, 123, 1 << 40, (1 << 40) + 1, 1 << 53, Int.max]
  private static let text = Array("{\n\"a\": [1, {\n\"b\": 2}\n, \"x\"]},\n{ \"c\": [\n{\"d\": 1},\n{\"e\"\n] }]".utf8)

  /// States as they are after each byte of an array whose items are laid out badly.
  private static let states: [[Int]] = (1...text.count).map { count in
    var scanner = ArrayScanner(at: 0)
    var items: [Range<Int>] = []
    let bytes = Array("[".utf8) + text.prefix(count)
    _ = scanner.scan(bytes.span, isAtEnd: false, limit: 1000, items: &items)
    return scanner.numbers
  }

  private func scanOn(_ scanner: ArrayScanner) {
    var scanner = scanner
    let bytes = Array("[".utf8) + Self.text
    for isAtEnd in [false, true] {
      var items: [Range<Int>] = []
      if case .items(let end) = scanner.scan(bytes.span, isAtEnd: isAtEnd, limit: 40, items: &items) {
        scanner.moved(by: end)
      }
      #expect(items.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= bytes.count })
    }
  }

  @Test func everyStateIsKnownAgain() {
    for state in Self.states { #expect(ArrayScanner(numbers: state)?.numbers == state) }
  }

  @Test(arguments: extremes)
  func aChangedNumberOfAnArrayIsRefusedOrDoesNoHarm(_ value: Int) {
    for state in Self.states {
      for place in state.indices {
        var changed = state
        changed[place] = value
        if let scanner = ArrayScanner(numbers: changed) { scanOn(scanner) }
      }
    }
  }

  @Test(arguments: extremes)
  func aChangedNumberOfTheCheckpointIsRefusedOrDoesNoHarm(_ value: Int) async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("a.ndjson", (1...6).map { Sample.line($0) + "\n" }.joined())
      let source = InputFile(path: folder.path("a.ndjson"))
      for change in 0..<8 {
        var checkpoint = Checkpoint()
        var place = [0, 0, 1, 0]
        switch change {
        case 0: checkpoint.position.source = value
        case 1: checkpoint.position.member = value
        case 2: checkpoint.position.records = value
        case 3: (checkpoint.counts.read, checkpoint.counts.rejected) = (value, change)
        case 4: checkpoint.counts.bytes = value
        default: place[change - 5] = value
        }
        checkpoint.position.place = place.map(String.init).joined(separator: ",")
        guard let read = try? Checkpoint(json: checkpoint.json) else { continue }
        #expect(read.counts.isBalanced)
        // The run may end in any way but a trap.
        let run = ConvertRun(rules: Runs.rules, options: ConvertOptions())
        _ = try? await run.convert([.file(source)], from: read, to: RunDestination())
      }
    }
  }
}
