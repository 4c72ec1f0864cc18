import SlipcastBulk
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Sources longer than a block: order, record numbers, offsets and lines stay exact.
@Suite struct BlockBoundaryTests {
  struct Source {
    var text = ""
    var numbers: [Int] = []
    var places: [String] = []
    private var records = 0
    private var lines = 0

    mutating func add(_ record: String, number: Int) {
      numbers.append(number)
      put(record)
    }

    /// A record whose fault is some bytes after its beginning.
    mutating func addBroken(_ record: String, _ code: String, _ path: String, at offset: Int, line: Int = 0) {
      places.append("\(records + 1)@\(text.utf8.count + offset):\(lines + 1 + line) \(code) \(path)")
      put(record)
    }

    mutating func addBlank(_ blank: String) {
      text += blank
      lines += blank.utf8.count { $0 == 0x0A }
    }

    private mutating func put(_ record: String) {
      records += 1
      addBlank(record + "\n")
    }
  }

  static let mixed: Source = {
    var source = Source()
    for number in 1...1500 {
      switch number % 50 {
      case 3: source.addBroken(#"{"a":tru}"#, "literal", "…", at: 5)
      case 11: source.addBroken(#"{"a":["#, "incomplete", "…[0]", at: 6)
      case 17: source.addBlank("\n \r\n")
      case 23: source.addBroken("{\n  \"a\": 1,\n  \"b\": 01\n}", "number", "…", at: 19, line: 2)
      case 29: source.add(Sample.pretty(number), number: number)
      case 31: source.addBroken(#"{"a":1}"#, "unknownRecord", "", at: 0)
      default: source.add(Sample.line(number, filler: number % 1300), number: number)
      }
    }
    return source
  }()

  @Test(arguments: [1, 4])
  func thousandsOfRecordsKeepTheirNumbersAndPlaces(_ jobs: Int) async throws {
    let source = Self.mixed
    #expect(source.text.utf8.count > 6 * Block.size)
    let run = try await Runs.convert(source.text) { $0.jobs = jobs }
    #expect(run.numbers == source.numbers)
    #expect(run.places == source.places)
    #expect(run.counts.bytes == source.text.utf8.count)
  }

  @Test(arguments: [0, 1, 2, 3], [100, 300 << 10, 600 << 10, 1200 << 10])
  func aRecordMayBeLargerThanABlock(_ before: Int, _ size: Int) async throws {
    var source = Source()
    if before > 0 { for number in 1...before { source.add(Sample.line(number, filler: 90 << 10), number: number) } }
    source.add(Sample.line(10, filler: size), number: 10)
    source.addBroken(#"{"x":"# + String(repeating: " ", count: size) + "tru}", "literal", "…", at: 5 + size)
    source.add(Sample.line(11, filler: size), number: 11)
    source.add(Sample.line(12), number: 12)
    let run = try await Runs.convert(source.text)
    #expect(run.numbers == source.numbers)
    #expect(run.places == source.places)
  }

  /// The end of the block goes through every byte of a record and of the line feed behind it.
  @Test(arguments: 0..<12)
  func theEndOfABlockMayCutARecordAnywhere(_ part: Int) async throws {
    let lines = Sample.lines(2...4)
    let step = lines.utf8.count / 12 + 1
    for shift in stride(from: part * step, to: min((part + 1) * step, lines.utf8.count), by: 13) {
      let first = Sample.line(1, filler: Block.size - shift - Sample.line(1, filler: 1).utf8.count) + "\n"
      let run = try await Runs.convert(first + lines)
      #expect(run.numbers == [1, 2, 3, 4], "shifted by \(shift)")
    }
  }

  @Test(arguments: ["\n", "\r\n"])
  func prettyPrintedRecordsAcrossBlocksAreWhole(_ feed: String) async throws {
    var text = ""
    for number in 1...700 { text += Sample.pretty(number).split(separator: "\n").joined(separator: feed) + feed }
    #expect(text.utf8.count > 2 * Block.size)
    let run = try await Runs.convert(text)
    #expect(run.numbers == Array(1...700))
    #expect(run.places == [])
  }

  @Test func recordsThatAreNotIndentedAcrossBlocksAreWhole() async throws {
    let text = (1...900).map { StreamTests.unindented(Sample.pretty($0)) + "\n" }.joined()
    #expect(text.utf8.count > 2 * Block.size)
    let run = try await Runs.convert(text)
    #expect(run.numbers == Array(1...900))
    #expect(run.places == [])
  }

  @Test func aBlankSourceOfManyBlocksHoldsNothing() async throws {
    let run = try await Runs.convert([UInt8](repeating: 0x0A, count: 3 * Block.size) + Array(Sample.line(1).utf8))
    #expect(run.numbers == [1])
    #expect(run.places == [])
  }

  @Test func recordsOfSeveralFilesAreNumberedInEachFile() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("a.json", Sample.line(1) + "\nx\n")
      try folder.write("b.json", "[\(Sample.line(2)),y]")
      try folder.write("empty.json", "")
      try folder.write("c.json", "z")
      let names = ["a.json", "b.json", "empty.json", "c.json"].map { folder.path($0) }
      for jobs in [1, 4] {
        let run = try await Runs.convert(files: names) { $0.jobs = jobs }
        #expect(run.numbers == [1, 2])
        #expect(run.rejects.map(\.source) == [names[0], names[1], names[3]])
        #expect(run.rejects.map(\.record) == [2, 2, 1])
        #expect(run.rejects.map(\.line) == [2, 1, 1])
      }
    }
  }
}
