import SlipcastBulk
import Testing

@testable import SlipcastBulk

@Suite struct ArrayTests {
  static let broken: [(item: String, code: String, offset: Int)] = [
    (#"{"a":tru}"#, "literal", 5), (#"{"a":[1,2}}"#, "syntax", 9), (#"{"a":1}}"#, "trailing", 7), ("x", "syntax", 0),
    (#"{"a":"\x"}"#, "escape", 5), ("{\"a\":\n01}", "number", 6), (#"{"a":1}{"b":2}"#, "trailing", 7),
    (#"{"a":1}]"#, "trailing", 7),
  ]

  @Test(arguments: broken.dropLast())
  func aBrokenItemIsOneRejectWithItsPlace(_ item: String, _ code: String, _ offset: Int) async throws {
    let before = "[\n  \(Sample.line(1)),\n  \(Sample.line(2)),\n  "
    let run = try await Runs.convert(before + item + ",\n" + Sample.line(3) + "]\n" + Sample.line(4))
    #expect(run.numbers == [1, 2, 3, 4])
    #expect(run.rejects.map(\.code) == [code])
    #expect(run.rejects.map(\.record) == [3])
    #expect(run.rejects.map(\.fault) == [before.utf8.count + offset])
    #expect(run.rejects.map(\.line) == [code == "number" ? 5 : 4])
    #expect(run.rejects.map { String(decoding: $0.text, as: UTF8.self) } == [item])
  }

  @Test(arguments: ["5", "null", "[]", "\"text\"", "{}", "[[1]]"])
  func anItemThatIsNoRecordIsOneReject(_ item: String) async throws {
    let run = try await Runs.convert("[\(Sample.line(1)),\(item),\(Sample.line(2))]")
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.map(\.record) == [2])
    #expect(run.rejects.map(\.stage) == [.legacy])
  }

  @Test func anArrayThatIsNotClosedIsOneReject() async throws {
    for end in ["", "\n", " \n\n", ",", ",\n"] {
      let text = "[\(Sample.line(1)),\n\(Sample.line(2))\(end)"
      let run = try await Runs.convert(text)
      #expect(run.numbers == [1, 2])
      #expect(run.rejects.map(\.code) == ["incomplete"], "\(end.debugDescription)")
      #expect(run.rejects.map(\.fault) == [text.utf8.count])
      #expect(run.rejects.map(\.record) == [3])
    }
  }

  @Test func anOpeningBracketAloneIsOneReject() async throws {
    for text in ["[", "[\n", " [ "] {
      let run = try await Runs.convert(text)
      #expect(run.rejects.map(\.code) == ["incomplete"])
    }
  }

  @Test func anArrayCutInsideAnItemKeepsTheItemsBefore() async throws {
    let text = "[\(Sample.line(1)),\(Sample.line(2)),\(Sample.line(3).prefix(200))"
    let run = try await Runs.convert(text)
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.first?.record == 3)
    #expect(run.rejects.allSatisfy { $0.stage == .json })
  }

  /// The cut is one fault, which the cut item already reports.
  @Test func anArrayCutInsideAnItemIsOneReject() async throws {
    let run = try await Runs.convert("[\(Sample.line(1)),\(Sample.line(2).prefix(200))")
    #expect(run.rejects.count == 1)
  }

  @Test(arguments: ["[,\(Sample.line(1))]", "[\(Sample.line(1)),,\(Sample.line(2))]", "[\(Sample.line(1)),]"])
  func aCommaTooManyLosesNoItem(_ text: String) async throws {
    let run = try await Runs.convert(text)
    #expect(run.numbers == (text.contains(",,") ? [1, 2] : [1]))
  }

  /// One item of an array that lost its end must not take the rest of the file with it.
  @Test(arguments: [#"{"a":{"b":1}"#, #"{"a":"x}"#, #"{"a":["#])
  func anItemWithoutItsEndOnItsOwnLineCostsItselfOnly(_ item: String) async throws {
    let run = try await Runs.convert("[\n\(Sample.line(1)),\n\(item),\n\(Sample.line(2)),\n\(Sample.line(3))\n]\n")
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [2])
  }

  @Test func anArrayAcrossManyBlocksKeepsOrderNumbersAndPlaces() async throws {
    var text = "[\n"
    var expected: [String] = []
    for number in 1...1500 {
      if number % 250 == 7 {
        expected.append("\(number)@\(text.utf8.count + 6):\(number + 1) literal …")
        text += #" {"a":nul}"#
      } else {
        text += Sample.line(number)
      }
      text += number < 1500 ? ",\n" : "\n]"
    }
    let run = try await Runs.convert(text)
    #expect(run.numbers == (1...1500).filter { $0 % 250 != 7 })
    #expect(run.places == expected)
  }

  @Test(arguments: [300 << 10, 700 << 10])
  func anItemLargerThanABlockIsConverted(_ size: Int) async throws {
    let items = [Sample.line(1), Sample.line(2, filler: size), Sample.line(3), Sample.line(4, filler: size)]
    for text in ["[\(items.joined(separator: ","))]", "[\n\(items.joined(separator: " ,\n"))\n]\n"] {
      let run = try await Runs.convert(text)
      #expect(run.numbers == [1, 2, 3, 4])
      #expect(run.places == [])
    }
  }

  // MARK: the scanner itself

  private func items(_ text: String, pieces: Int) -> [String] {
    let bytes = Array(text.utf8)
    var scanner = ArrayScanner(at: 0)
    var found: [String] = []
    var rest: [UInt8] = []
    var at = 0
    while true {
      let end = min(at + pieces, bytes.count)
      rest += bytes[at..<end]
      at = end
      var ranges: [Range<Int>] = []
      let result = scanner.scan(rest.span, isAtEnd: at == bytes.count, limit: 1000, items: &ranges)
      found += ranges.map { String(decoding: rest[$0], as: UTF8.self) }
      switch result {
      case .needsMore: break
      case .items(let end):
        rest.removeFirst(end)
        scanner.moved(by: end)
      case .closed(let end): return found + ["closed before " + String(decoding: rest[end...], as: UTF8.self)]
      case .unclosed: return found + ["unclosed"]
      case .oversized: return found + ["oversized"]
      }
      if at == bytes.count, rest.isEmpty { return found + ["ended"] }
    }
  }

  @Test(arguments: 1...40)
  func theItemsDoNotDependOnHowTheTextIsCut(_ pieces: Int) {
    let text = #"[{"a":"],\"}{"} , [1,[2]] ,"x,]" , 5,{"b":{"c":[{}]}}]"#
    #expect(
      items(text, pieces: pieces)
        == [#"{"a":"],\"}{"} "#, "[1,[2]] ", #""x,]" "#, "5", #"{"b":{"c":[{}]}}"#, "closed before "])
  }
}
