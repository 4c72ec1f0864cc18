import SlipcastBulk
import SlipcastTestSupport
import Testing

/// JSON allows blanks and line feeds between any two signs; a valid text is converted whatever its layout.
@Suite struct LayoutTests {
  static let seeds = (0..<100).map(UInt64.init)

  /// The record with blanks put between its signs, most of them line feeds.
  private func laidOut(_ record: String, _ random: inout SeededGenerator) -> String {
    let share = random.one(of: [2, 5, 20, 60])
    let blanks = random.one(of: [["\n"], ["\n", "\n  ", " "], ["\r\n", "\t"], ["\n", "\n", "\n\n", "\n "]])
    var text = ""
    var (isInString, isEscaped) = (false, false)
    for character in record.unicodeScalars {
      if !isInString, "{}[],:".unicodeScalars.contains(character), !text.isEmpty, random.number(0...share) == 0 {
        text += random.one(of: blanks)
      }
      text.unicodeScalars.append(character)
      if isEscaped {
        isEscaped = false
      } else if isInString, character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        isInString.toggle()
      }
      if !isInString, "{[,:".unicodeScalars.contains(character), random.number(0...share) == 0 {
        text += random.one(of: blanks)
      }
    }
    return text
  }

  @Test(arguments: seeds)
  func oneDocumentIsConvertedInAnyLayout(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let text = laidOut(Sample.line(1), &random)
    let run = try await Runs.convert(text)
    #expect(run.numbers == [1], "\(text)")
    #expect(run.places == [])
  }

  @Test(arguments: seeds)
  func anArrayIsConvertedInAnyLayout(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let text = laidOut("[\((1...3).map { Sample.line($0) }.joined(separator: ","))]", &random)
    let run = try await Runs.convert(text)
    #expect(run.numbers == [1, 2, 3], "\(text)")
    #expect(run.places == [])
  }

  @Test(arguments: seeds)
  func documentsOneAfterAnotherAreConvertedInAnyLayout(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let text = (1...4).map { laidOut(Sample.line($0), &random) }.joined(separator: "\n")
    let run = try await Runs.convert(text)
    #expect(run.numbers == [1, 2, 3, 4], "\(text)")
    #expect(run.places == [])
  }

  /// Rows of a list each on its own line, as people write them by hand.
  @Test func nestedObjectsMayBeginLines() async throws {
    let record = { (number: Int) in
      Sample.line(number).replacing(#"_info":[{"#, with: "_info\":[\n{").replacing("}]", with: "}\n]")
    }
    #expect(try await Runs.convert(record(1)).numbers == [1])
    #expect(try await Runs.convert(record(1) + "\n" + record(2) + "\n").numbers == [1, 2])
    #expect(try await Runs.convert("[\n\(record(1)),\n\(record(2))\n]\n").numbers == [1, 2])
  }

  /// `json_agg` puts a comma, a blank, a line feed and a blank between rows, also inside rows.
  @Test func rowsAsPostgreSQLAggregatesThemAreConverted() async throws {
    let records = (1...3).map { number in
      Sample.line(number).replacing(#"status":"1"}]"#, with: "status\":\"1\"}, \n {\"product_id\":\"other\"}]")
    }
    let run = try await Runs.convert("[" + records.joined(separator: ", \n ") + "]\n")
    #expect(run.numbers == [1, 2, 3])
    #expect(run.places == [])
  }

  @Test(arguments: ["  ", "\t", ""])
  func aPrettyPrintedArrayAcrossBlocksKeepsEveryItem(_ margin: String) async throws {
    let items = (1...500).map { Sample.pretty($0).replacing("\n", with: "\n" + margin) }
    let run = try await Runs.convert("[\n\(margin)\(items.joined(separator: ",\n\(margin)"))\n]\n") { $0.jobs = 2 }
    #expect(run.numbers == Array(1...500))
    #expect(run.places == [])
  }
}
