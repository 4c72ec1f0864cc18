import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Arrays that come in pieces of any size, with items that are too long and laid out badly: no place is ever outside of
/// the text at hand.
@Suite struct ArrayPieceTests {
  /// Feeds a text piece by piece, as the reader of blocks does.
  private func feed(_ text: [UInt8], pieces: Int, limit: Int) {
    var scanner = ArrayScanner(at: 0)
    var (held, next, rounds) = ([UInt8](), 0, 0)
    while rounds < 4 * text.count + 8 {
      rounds += 1
      var items: [Range<Int>] = []
      let isAtEnd = next == text.count
      let result = scanner.scan(held.span, isAtEnd: isAtEnd, limit: limit, items: &items)
      #expect(items.allSatisfy { $0.lowerBound >= 0 && $0.upperBound <= held.count })
      switch result {
      case .needsMore:
        #expect(!isAtEnd)
        held += text[next..<min(text.count, next + pieces)]
        next = min(text.count, next + pieces)
      case .items(let end):
        #expect(end > 0 || !held.isEmpty || !isAtEnd)
        held.removeFirst(end)
        scanner.moved(by: end)
        if end == 0 {
          held += text[next..<min(text.count, next + pieces)]
          next = min(text.count, next + pieces)
        }
      case .oversized:
        scanner.moved(by: held.count)
        held.removeAll()
      case .closed, .unclosed: return
      }
      // Before its first bracket an array is not at hand yet.
      if scanner.grammar.depth > 0 { #expect(ArrayScanner(numbers: scanner.numbers)?.numbers == scanner.numbers) }
    }
    Issue.record("no end comes: \(String(decoding: text, as: UTF8.self))")
  }

  @Test(arguments: (0..<150).map(UInt64.init))
  func noPlaceIsOutsideOfTheText(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = ["{", "{", "}", "[", "]", ",", ":", "\"", "\n", "\n", " ", "a", "\n{", "[ \n{", ",\n[", "\"x\"", "\\"]
    let text = "[" + (0..<random.number(5...120)).map { _ in random.one(of: words) }.joined()
    for pieces in [1, 2, 3, 7, 40] { feed(Array(text.utf8), pieces: pieces, limit: random.number(1...30)) }
  }

  /// An item that is skipped, and in it a line that may be the beginning of another; its answer comes blocks later.
  @Test(arguments: [1, 2])
  func aDoubtInsideOfWhatIsPassedOverIsSettledInALaterBlock(_ jobs: Int) async throws {
    let (long, later) = (String(repeating: "x", count: 900_000), String(repeating: "y", count: 600_000))
    let text = "[\n{ \"a\": [\"\(long)\",\n[ \n{ \"b\": \"\(later)\" ] }\n,\n\(Sample.line(7))\n]\n"
    let run = try await Runs.convert(text) {
      $0.recordBytes = 400_000
      $0.jobs = jobs
    }
    #expect(run.rejects.first?.code == "tooLong" || run.rejects.first?.message.contains("a longer one") == true)
    #expect(run.numbers == [7])
  }

  /// The piece ends with a bracket whose neighbor would show whether it is alone.
  @Test func aBracketAtTheEndOfAPieceIsNotPassedTwice() {
    for filler in 1...40 {
      let text = Array("[{\"a\":[\"\(String(repeating: "x", count: filler))\",{\"b\":{}},{}]},{}]".utf8)
      for pieces in 1...9 { feed(text, pieces: pieces, limit: 8) }
    }
  }
}
