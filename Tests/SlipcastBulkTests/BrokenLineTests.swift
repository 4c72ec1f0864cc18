import Foundation
import SlipcastBulk
import Testing

/// A broken record costs itself and nothing else.
@Suite struct BrokenLineTests {
  static let good = Sample.line(1)

  /// The record cut behind many of its bytes (`Beginnings`), as a line between two good ones.
  @Test(arguments: Beginnings.shares)
  func aTruncatedLineIsOneRejectAndItsNeighboursAreConverted(_ share: Int) async throws {
    let bytes = Array(Self.good.utf8)
    for count in Beginnings.lengths(of: bytes, share: share) {
      let cut = String(decoding: bytes[..<count], as: UTF8.self)
      let run = try await Runs.convert("\(Sample.line(2))\n\(cut)\n\(Sample.line(3))\n\(Sample.line(4))\n")
      #expect(run.numbers == [2, 3, 4], "cut behind \(cut.suffix(20))")
      #expect(run.rejects.count == 1, "cut behind \(cut.suffix(20))")
      #expect(run.rejects.first?.record == 2 && run.rejects.first?.stage == .json)
    }
  }

  static let cuts = [
    "{", #"{"a":"#, #"{"a":["#, #"{"a":[1,"#, #"{"a":[{"b":1},"#, #"{"a":{"b":1},"#, #"{"a":"\"#, #"{"a":"x"#,
    #"{"a":1"#,
  ]

  /// Records in strings (also indented ones, and base64) and in arrays, a line each, with a line that is broken.
  @Test(arguments: ["NULL", #""{\"notification_type\":\"DID"#, #"[{"a":"#, "{"])
  func aBrokenLineCostsNoRecordThatIsQuotedOrInAnArray(_ broken: String) async throws {
    func quoted(_ text: String) -> String {
      let solid = text.replacing("\\", with: #"\\"#).replacing("\"", with: #"\""#).replacing("\n", with: #"\n"#)
      return "\"" + solid + "\""
    }
    let forms: [(Int) -> String] = [
      { quoted(Sample.line($0)) }, { quoted(Sample.pretty($0)) }, { "[" + Sample.line($0) + "]" },
      { "\"" + Data(Sample.line($0).utf8).base64EncodedString() + "\"" },
    ]
    for line in forms {
      let text = Sample.line(1) + "\n" + broken + "\n" + (2...6).map(line).joined(separator: "\n") + "\n"
      let run = try await Runs.convert(text)
      #expect(run.numbers == Array(1...6))
      #expect(run.rejects.map(\.record) == [2] && run.rejects.map(\.line) == [2])
    }
  }

  /// The result of a long line is made in parts, so that memory does not grow with it.
  @Test(arguments: [1, 4])
  func everyItemOfALongArrayOnOneLineIsCounted(_ jobs: Int) async throws {
    let array = "[" + Array(repeating: "{}", count: 40_000).joined(separator: ",") + ",\(Sample.line(2))]"
    let run = try await Runs.convert("\(Sample.line(1))\n\(array)\n\(Sample.line(3))\n") { options in
      options.keepsRejects = false
      options.jobs = jobs
    }
    #expect(run.numbers == [1, 2, 3])
    #expect(run.counts.read == 40_003 && run.counts.rejected == 40_000)
    #expect(run.rejects.last?.record == 40_001 && run.rejects.last?.line == 2)
  }

  @Test func anArrayOnALineOfItsOwnGivesItsRecords() async throws {
    let run = try await Runs.convert("x\n[\(Sample.line(1)), \(Sample.line(2))]\n[]\n[1]\n\(Sample.line(3))\n")
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.line) == [1, 3, 4])
  }

  @Test(arguments: cuts)
  func aLineCutBehindAnySignIsOneReject(_ cut: String) async throws {
    let run = try await Runs.convert("\(Sample.line(1))\n\(cut)\n\(Sample.line(2))\n\(Sample.line(3))\n")
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [2])
    #expect(run.rejects.map { String(decoding: $0.text, as: UTF8.self) } == [cut])
  }

  @Test(arguments: cuts)
  func aTruncatedLineBeforePrettyPrintedRecordsIsOneReject(_ cut: String) async throws {
    let run = try await Runs.convert("\(Sample.pretty(1))\n\(cut)\n\(Sample.pretty(2))\n\(Sample.pretty(3))\n")
    #expect(run.numbers == [1, 2, 3])
    #expect(run.rejects.map(\.record) == [2])
  }

  @Test(arguments: cuts, cuts)
  func twoTruncatedLinesAreTwoRejects(_ first: String, _ second: String) async throws {
    let run = try await Runs.convert("\(Sample.line(1))\n\(first)\n\(second)\n\(Sample.line(2))\n")
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.map(\.record) == [2, 3])
  }

  @Test(arguments: cuts)
  func aTruncatedLineAtTheEndIsOneReject(_ cut: String) async throws {
    for end in ["", "\n", "\r\n", "\n\n"] {
      let run = try await Runs.convert("\(Sample.line(1))\n\(Sample.line(2))\n\(cut)\(end)")
      #expect(run.numbers == [1, 2])
      #expect(run.rejects.map(\.record) == [3])
    }
  }

  static let broken: [(line: String, code: String, offset: Int, path: String)] = [
    ("x", "syntax", 0, ""), (#"{"a":tru}"#, "literal", 5, "…"), (#"{"a":01}"#, "number", 5, "…"),
    (#"{"a":"\x"}"#, "escape", 5, "…"), ("{\"a\":\"\u{1}\"}", "controlCharacter", 6, "…"),
    (#"{"a":1}}"#, "trailing", 7, ""),
    (#"{"a":1} 2"#, "trailing", 8, ""), (#"{"a":1,}"#, "syntax", 7, "…"), (#"{"a" 1}"#, "syntax", 5, ""),
    (#"{"a":{"b":[1,2}}"#, "syntax", 14, "….…[1]"), (#"{"a":"x}"#, "unclosedString", 5, "…"), ("}", "syntax", 0, ""),
  ]

  @Test(arguments: broken)
  func aBrokenLineIsOneRejectWithItsPlace(_ line: String, _ code: String, _ offset: Int, _ path: String) async throws {
    let before = "\(Sample.line(1))\n\n  \(Sample.line(2))\r\n"
    let run = try await Runs.convert(before + "  " + line + " \n" + Sample.lines(3...4))
    #expect(run.numbers == [1, 2, 3, 4])
    #expect(run.places == ["3@\(before.utf8.count + 2 + offset):4 \(code) \(path)"])
    #expect(run.rejects.map { String(decoding: $0.text, as: UTF8.self) } == [line])
  }

  @Test func bytesThatAreNoUTF8AreOneRejectWithItsPlace() async throws {
    let before = Sample.lines(1...2)
    let run = try await Runs.convert(
      Array(before.utf8) + [0x7B, 0x22, 0xFF, 0x22, 0x7D, 0x0A] + Array(Sample.line(3).utf8))
    #expect(run.numbers == [1, 2, 3])
    #expect(run.places == ["3@\(before.utf8.count + 2):3 utf8 "])
    #expect(run.rejects.map(\.text) == [[0x7B, 0x22, 0xFF, 0x22, 0x7D]])
  }

  @Test(arguments: ["null", "true", "5", #""text""#, "[]", "{}", #"{"a":1}"#])
  func whatIsJSONButNoRecordIsOneReject(_ line: String) async throws {
    let run = try await Runs.convert("\(Sample.line(1))\n\(line)\n\(Sample.line(2))\n")
    #expect(run.numbers == [1, 2])
    #expect(run.rejects.map(\.stage) == [.legacy])
    #expect(run.places.first?.hasPrefix("2@\(Sample.line(1).utf8.count + 1):2 ") == true)
  }

  // MARK: pretty-printed

  /// One change that breaks a pretty-printed record.
  static let ruins: [(piece: String, other: String)] = [
    ("\"PROD\",", "\"PROD\""), ("\"PROD\"", "PROD"), ("\"environment\": \"PROD\"", "\"environment\" \"PROD\""),
    ("\n}", ""), ("\n  }", ""), ("\n}", "\n}}"), ("    ],", "    ,"), ("    ],", "    }"),
    ("\"status\": 0", "\"status\": 00"),
    ("\"PROD\"", "\"\\x\""), ("\"quantity\"", "quantity"), ("{\n", "{,\n"),
  ]

  @Test(arguments: ruins)
  func aBrokenPrettyPrintedRecordIsOneReject(_ piece: String, _ other: String) async throws {
    let whole = Sample.pretty(2)
    let range = try #require(whole.ranges(of: piece).last)
    let ruin = whole[..<range.lowerBound] + other + whole[range.upperBound...]
    let run = try await Runs.convert("\(Sample.pretty(1))\n\(ruin)\n\(Sample.pretty(3))\n\(Sample.line(4))\n")
    #expect(run.numbers == [1, 3, 4])
    #expect(run.rejects.map(\.record) == [2])
  }

  @Test(arguments: ["\"PROD\"", "\"com.example\"", "\"transaction_id\""])
  func anUnclosedStringInAPrettyPrintedRecordCostsItsOwnRecordOnly(_ piece: String) async throws {
    let whole = Sample.pretty(2)
    let range = try #require(whole.ranges(of: piece).last)
    let ruin = whole[..<range.lowerBound] + piece.dropLast() + whole[range.upperBound...]
    let run = try await Runs.convert("\(Sample.pretty(1))\n\(ruin)\n\(Sample.pretty(3))\n\(Sample.line(4))\n")
    #expect(run.numbers == [1, 3, 4])
    #expect(run.rejects.map(\.record) == [2])
  }

  /// Every line of the record as its last one.
  @Test func aTruncatedPrettyPrintedRecordIsOneReject() async throws {
    let lines = Sample.pretty(2).split(separator: "\n")
    for count in 1..<lines.count {
      let cut = lines[..<count].joined(separator: "\n")
      for next in [Sample.pretty(3), Sample.line(3)] {
        let run = try await Runs.convert("\(Sample.line(1))\n\(cut)\n\(next)\n\(Sample.line(4))\n")
        #expect(run.numbers == [1, 3, 4], "cut behind \(lines[count - 1])")
        #expect(run.rejects.map(\.record) == [2], "cut behind \(lines[count - 1])")
      }
    }
  }
}
