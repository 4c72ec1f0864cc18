import SlipcastBulk
import SlipcastTestSupport
import Testing

/// One document, an array, or JSON texts one after another, in every dress that files have.
@Suite struct StreamTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let numbers: [Int]

    init(_ name: String, _ text: String, _ numbers: [Int]) {
      (testDescription, self.text, self.numbers) = (name, text, numbers)
    }
  }

  static let (one, two, three) = (Sample.line(1), Sample.line(2), Sample.line(3))
  static let (p1, p2, p3) = (Sample.pretty(1), Sample.pretty(2), Sample.pretty(3))
  static let bom = "\u{FEFF}"

  static let lines: [Case] = [
    Case("nothing", "", []), Case("blanks", " \n\t\r\n\n", []), Case("a byte order mark alone", bom, []),
    Case("one line", one + "\n", [1]), Case("no line feed at the end", one, [1]),
    Case("three lines", Sample.lines(1...3), [1, 2, 3]),
    Case("the last line without its feed", one + "\n" + two, [1, 2]),
    Case("carriage returns", [one, two, three].joined(separator: "\r\n") + "\r\n", [1, 2, 3]),
    Case("blank lines", "\n\n" + one + "\n\n \t\n" + two + "\n\r\n\n", [1, 2]),
    Case("blanks around records", "  " + one + "  \n\t" + two + " \n", [1, 2]),
    Case("a byte order mark before lines", bom + Sample.lines(1...2), [1, 2]),
  ]

  static let pretty: [Case] = [
    Case("one pretty-printed record", p1, [1]), Case("with a line feed", p1 + "\n", [1]),
    Case("one after another", p1 + "\n" + p2 + "\n" + p3 + "\n", [1, 2, 3]),
    Case("with carriage returns", (p1 + "\n" + p2 + "\n").split(separator: "\n").joined(separator: "\r\n"), [1, 2]),
    Case("with blank lines between", p1 + "\n\n\n" + p2, [1, 2]),
    Case("with a byte order mark", bom + p1 + "\n" + p2, [1, 2]),
    Case("mixed with lines", one + "\n" + p2 + "\n" + three + "\n", [1, 2, 3]),
    Case("mixed with lines, pretty ones outside", p1 + "\n" + two + "\n" + p3, [1, 2, 3]),
    Case("with tabs", p1.replacing("  ", with: "\t") + "\n" + p2.replacing("  ", with: "\t"), [1, 2]),
    Case("not indented at all", unindented(p1) + "\n" + unindented(p2) + "\n" + three, [1, 2, 3]),
    Case(
      "indented as a whole", "  " + p1.replacing("\n", with: "\n  ") + "\n  " + p2.replacing("\n", with: "\n  "),
      [1, 2]),
  ]

  static let arrays: [Case] = [
    Case("an empty array", "[]", []), Case("an empty array with blanks", " [ \n ] \n", []),
    Case("an array of one", "[" + one + "]", [1]), Case("an array on one line", "[\(one),\(two),\(three)]", [1, 2, 3]),
    Case("an item a line", "[\n\(one),\n\(two),\n\(three)\n]\n", [1, 2, 3]),
    Case("commas first", "[\n\(one)\n,\(two)\n,\(three)]", [1, 2, 3]),
    Case(
      "a pretty-printed array", "[\n  \(p1.replacing("\n", with: "\n  ")),\n  \(p2.replacing("\n", with: "\n  "))\n]\n",
      [1, 2]),
    Case("an array with a byte order mark", bom + "[\(one),\(two)]", [1, 2]),
    Case("an array behind blanks", "\n\n \t[\(one)]", [1]),
    Case("arrays one after another", "[\(one)]\n[\(two),\(three)]", [1, 2, 3]),
    Case("arrays without anything between", "[\(one)][][\(two)]", [1, 2]),
    Case("lines behind an array", "[\(one)]\n\(two)\n\(three)", [1, 2, 3]),
    Case("pretty-printed records behind an array", "[\(one)]\n\(p2)\n\(p3)", [1, 2, 3]),
    Case("brackets and quotes in strings", "[\(odd(1)),\(odd(2))]", [1, 2]),
  ]

  static func unindented(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
  }

  static func odd(_ number: Int) -> String {
    Sample.line(number).replacing("com.example.monthly", with: #"]}\",[{\\"#)
  }

  @Test(arguments: lines + pretty + arrays)
  func everyRecordIsConvertedInOrder(_ stream: Case) async throws {
    let run = try await Runs.convert(stream.text)
    #expect(run.numbers == stream.numbers)
    #expect(run.places == [])
    #expect(run.end == .finished)
    #expect(run.provenance.count == stream.numbers.count)
  }

  @Test(arguments: lines + pretty + arrays)
  func everyByteIsCounted(_ stream: Case) async throws {
    let run = try await Runs.convert(stream.text)
    #expect(run.counts.bytes == stream.text.utf8.count)
  }

  @Test func theDressOfARecordDoesNotChangeItsOutput() async throws {
    let expected = try await Runs.convert(Self.one).sink.output
    for stream in Self.lines + Self.pretty + Self.arrays where stream.numbers == [1] {
      #expect(try await Runs.convert(stream.text).sink.output == expected, "\(stream.testDescription)")
    }
  }

  @Test func provenanceNamesSourceAndRecord() async throws {
    let run = try await Runs.convert(Sample.line(1) + "\nbroken\n" + Sample.pretty(2))
    #expect(run.provenance.count == 2)
    #expect(run.provenance[0].hasPrefix(#"{"source":""#))
    #expect(run.provenance[0].contains(#","record":1,"rule":""#))
    #expect(run.provenance[1].contains(#","record":3,"rule":""#))
  }

  static let compressed: [(name: String, bytes: [UInt8])] = [
    ("gzip", [0x1F, 0x8B, 0x08, 0x00]), ("zstd", [0x28, 0xB5, 0x2F, 0xFD]), ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
    ("bzip2", [0x42, 0x5A, 0x68, 0x39]), ("zip", [0x50, 0x4B, 0x03, 0x04]),
  ]

  @Test(arguments: compressed)
  func aDamagedCompressedFileIsOneRejectThatSaysSo(_ name: String, _ bytes: [UInt8]) async throws {
    let noise = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for text in [bytes, bytes + noise] {
      let run = try await Runs.convert(text)
      #expect(run.rejects.map(\.code) == ["damaged"])
      #expect(run.rejects.first?.message.contains(name) == true)
      #expect(run.counts.read == 1)
    }
  }

  @Test func anArrayOfOtherThingsInALineIsNoRecord() async throws {
    let run = try await Runs.convert("\(Self.one)\n[\(Self.two),1]\n\(Self.three)\n")
    #expect(run.numbers == [1, 3])
    #expect(run.rejects.map(\.code) == ["wrongKind"])
  }
}
