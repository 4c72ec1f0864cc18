import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// Records without a line feed between them are read one by one, and a broken one costs itself and nothing else.
@Suite struct JoinedRecordsTests {
  static let separators = ["", " ", "\t  ", "\r"]

  @Test(arguments: separators, [true, false])
  func recordsOnOneLineAreReadOneByOne(_ separator: String, _ isPretty: Bool) async throws {
    let records = (1...5).map { isPretty ? Sample.pretty($0) : Sample.line($0) }
    for end in ["", "\n", "\r\n\n"] {
      let run = try await Runs.convert(records.joined(separator: separator) + end)
      #expect(run.numbers == [1, 2, 3, 4, 5])
      #expect(run.places == [])
    }
  }

  @Test func joinedRecordsAndLinesMayBeMixed() async throws {
    let (one, pretty) = (Sample.line(1), Sample.pretty(2))
    let run = try await Runs.convert(
      "\(one)\(pretty)\n\(Sample.line(3))\n\(Sample.pretty(4))\(Sample.pretty(5)) \(Sample.line(6))\n[\(Sample.line(7))]\n"
    )
    // The array at the end is one line of the sequence.
    #expect(run.numbers == [1, 2, 3, 4, 5, 6, 7])
    #expect(run.rejects.isEmpty)
  }

  @Test func placesAreThoseOfTheSource() async throws {
    let (head, pretty) = (Sample.line(1), Sample.pretty(2))
    let run = try await Runs.convert("\(head){\"a\":tru}\(pretty){\"b\" 1}\(Sample.line(3))")
    #expect(run.numbers == [1, 2, 3])
    let first = head.utf8.count
    let second = first + #"{"a":tru}"#.utf8.count + pretty.utf8.count
    let line = 1 + pretty.count { $0 == "\n" }
    #expect(run.places == ["2@\(first + 5):1 literal …", "4@\(second + 5):\(line) syntax "])
    #expect(run.rejects.map { String(decoding: $0.text, as: UTF8.self) } == [#"{"a":tru}"#, #"{"b" 1}"#])
  }

  @Test func textInAStringIsNotARecord() async throws {
    let note = #""note":"a}{\"notification_type\":1}{ }{","bid":"#
    let record = { (number: Int) in Sample.line(number).replacing(#""bid":"#, with: note) }
    let run = try await Runs.convert((1...3).map(record).joined())
    #expect(run.numbers == [1, 2, 3])
    #expect(run.places == [])
  }

  /// One change that breaks a record.
  static let ruins: [(piece: String, other: String)] = [
    ("\"PROD\",", "\"PROD\""), ("\"PROD\"", "PROD"), ("\"PROD\"", "\"PROD"), ("\"PROD\"", "\"\\x\""),
    ("\"environment\":\"PROD\"", "\"environment\" \"PROD\""), ("}]},", "}],"), ("}]},", "]},"), ("}]},", "}},"),
    ("\"bid\":\"com.example\"", "\"bid\":\"com.example"), ("\"bid\":\"com.example\"", "\"bid\":com.example\""),
    ("\"bid\":\"com.example\"", "\"bid\":"), ("{\"quantity\"", "{\"a\":1}{\"quantity\""),
    ("{\"status\":0", "{\"status\":00"),
  ]

  @Test(arguments: ruins, ["", " "])
  func aBrokenRecordIsOneReject(_ ruin: (piece: String, other: String), _ separator: String) async throws {
    let whole = Sample.line(2)
    #expect(whole.contains(ruin.piece))
    let broken = whole.replacing(ruin.piece, with: ruin.other, maxReplacements: 1)
    for place in 0..<4 {
      var records = [1, 3, 4].map { Sample.line($0) }
      records.insert(broken, at: place)
      let run = try await Runs.convert(records.joined(separator: separator))
      #expect(run.numbers == [1, 3, 4], "\(broken) at \(place)")
      #expect(run.rejects.map(\.record) == [place + 1], "\(broken) at \(place)")
    }
  }

  @Test(arguments: ruins)
  func aBrokenIndentedRecordIsOneReject(_ ruin: (piece: String, other: String)) async throws {
    let spaced = { (text: String) in text.replacing("\":", with: "\": ") }
    let whole = Sample.pretty(2)
    guard whole.contains(spaced(ruin.piece)) else { return }
    let broken = whole.replacing(spaced(ruin.piece), with: spaced(ruin.other), maxReplacements: 1)
    let run = try await Runs.convert("\(Sample.pretty(1))\(broken)\(Sample.pretty(3))\(Sample.pretty(4))")
    #expect(run.numbers == [1, 3, 4])
    #expect(run.rejects.map(\.record) == [2])
  }

  /// The record cut behind each of its bytes; the next one follows at once.
  @Test(arguments: [0, 1, 2, 3])
  func aTruncatedRecordIsOneReject(_ remainder: Int) async throws {
    let bytes = Array(Sample.line(2).utf8)
    for count in stride(from: 30 + remainder, to: bytes.count, by: 4) {
      let cut = String(decoding: bytes[..<count], as: UTF8.self)
      let run = try await Runs.convert("\(Sample.line(1))\(cut)\(Sample.line(3))\(Sample.line(4))")
      #expect(run.numbers == [1, 3, 4], "cut behind \(cut.suffix(20))")
      #expect(run.rejects.map(\.record) == [2], "cut behind \(cut.suffix(20))")
    }
  }

  @Test(arguments: ["x", "}", "]", ",", "null", "\u{0}", "\"text\""])
  func otherTextBetweenRecordsCostsAtMostTheRecordBeforeIt(_ text: String) async throws {
    let run = try await Runs.convert("\(Sample.line(1))\(Sample.line(2))\(text)\(Sample.line(3))\(Sample.line(4))")
    #expect(run.numbers == [1, 3, 4] || run.numbers == [1, 2, 3, 4])
    #expect(run.rejects.count == 1)
  }

  @Test func manyBlocksAndWorkersGiveTheSame() async throws {
    let records = (1...900).map { number in
      number % 50 == 7 ? #"{"notification_type":tru}"# : Sample.line(number, filler: number % 3 * 3000)
    }
    let good = (1...900).filter { $0 % 50 != 7 }
    try await Temporary.file(records.joined()) { file in
      let one = try await Runs.convert(files: [file])
      #expect(one.numbers == good)
      #expect(one.rejects.map(\.record) == (1...900).filter { $0 % 50 == 7 })
      for jobs in [2, 5] {
        let many = try await Runs.convert(files: [file]) { $0.jobs = jobs }
        #expect(many.sink.output == one.sink.output)
        #expect(many.rejects == one.rejects)
        #expect(many.counts == one.counts)
      }
    }
  }

  /// The pieces in which the text is read may end at any byte of the places where a record starts.
  @Test(arguments: 0..<40)
  func aRecordThatIsTooLongIsOneReject(_ shift: Int) async throws {
    let long = Sample.line(2, filler: 700_000 + shift * 17)
    let records = [Sample.line(1), long, Sample.line(3), Sample.line(4)]
    let run = try await Runs.convert(records.joined(separator: shift % 2 == 0 ? "" : "  ")) { $0.recordBytes = 300_000 }
    #expect(run.numbers == [1, 3, 4])
    #expect(run.rejects.map(\.code) == ["recordTooLarge"])
  }
}
