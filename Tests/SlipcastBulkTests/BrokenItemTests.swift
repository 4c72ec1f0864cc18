import SlipcastBulk
import Testing

/// A broken item of an array that has its items on lines of their own costs itself and nothing else.
@Suite struct BrokenItemTests {
  /// The array with its items on lines of their own, two blanks in.
  private func array(_ items: [String]) -> String {
    "[\n" + items.map { "  " + $0.replacing("\n", with: "\n  ") }.joined(separator: ",\n") + "\n]\n"
  }

  /// The record cut behind many of its bytes (`Beginnings`), as an item between good ones.
  @Test(arguments: Beginnings.shares)
  func aTruncatedItemIsOneRejectAndItsNeighboursAreConverted(_ share: Int) async throws {
    let bytes = Array(Sample.line(9).utf8)
    for count in Beginnings.lengths(of: bytes, share: share) {
      let cut = String(decoding: bytes[..<count], as: UTF8.self)
      for text in [
        array([Sample.line(1), cut, Sample.line(2), Sample.line(3)]),
        "[\n\(Sample.line(1)),\n\(cut),\n\(Sample.line(2)),\n\(Sample.line(3))]",
      ] {
        let run = try await Runs.convert(text)
        #expect(run.numbers == [1, 2, 3], "cut behind \(cut.suffix(20))")
        #expect(run.rejects.map(\.record) == [2], "cut behind \(cut.suffix(20))")
      }
    }
  }

  @Test(arguments: BrokenLineTests.ruins)
  func aBrokenPrettyPrintedItemIsOneReject(_ piece: String, _ other: String) async throws {
    let whole = Sample.pretty(9)
    let range = try #require(whole.ranges(of: piece).last)
    let ruin = whole[..<range.lowerBound] + other + whole[range.upperBound...]
    let run = try await Runs.convert(array([Sample.pretty(1), String(ruin), Sample.pretty(2), Sample.line(3)]))
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [2])
  }

  @Test(arguments: ["\"PROD\"", "\"com.example\"", "\"transaction_id\""])
  func anUnclosedStringInAPrettyPrintedItemCostsItsOwnItemOnly(_ piece: String) async throws {
    let whole = Sample.pretty(9)
    let range = try #require(whole.ranges(of: piece).last)
    let ruin = whole[..<range.lowerBound] + piece.dropLast() + whole[range.upperBound...]
    let run = try await Runs.convert(array([Sample.pretty(1), String(ruin), Sample.pretty(2), Sample.line(3)]))
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [2])
  }

  /// Every line of the record as its last one.
  @Test func aTruncatedPrettyPrintedItemIsOneReject() async throws {
    let lines = Sample.pretty(9).split(separator: "\n")
    for count in 1..<lines.count {
      let cut = lines[..<count].joined(separator: "\n")
      for next in [Sample.pretty(2), Sample.line(2)] {
        let run = try await Runs.convert(array([Sample.line(1), cut, next, Sample.line(3)]))
        #expect(run.numbers == [1, 2, 3], "cut behind \(lines[count - 1])")
        #expect(run.rejects.map(\.record) == [2], "cut behind \(lines[count - 1])")
      }
    }
  }

  @Test func theFileGoesOnBehindAnArrayWithBrokenItems() async throws {
    let text = array([Sample.line(1), #"{"a":["#, Sample.line(2), #"{"a":"x}"#, Sample.line(3)]) + Sample.lines(4...5)
    let run = try await Runs.convert(text)
    #expect(run.numbers == [1, 2, 3, 4, 5])
    #expect(run.rejects.map(\.record) == [2, 4])
  }

  /// The bracket alone on its line closes the array, whatever the item before it left open.
  @Test(arguments: [#"{"a":"x}"#, #"{"a":{"b":1}"#, #"{"a":["#])
  func aBrokenLastItemLeavesTheRecordsBehindTheArray(_ item: String) async throws {
    let run = try await Runs.convert("[\n\(Sample.line(1)),\n\(item)\n]\n" + Sample.lines(2...3))
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [2])
  }
}
