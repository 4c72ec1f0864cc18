import Foundation
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// The form of a source, and the options that read it, from its first rows.
@Suite struct DetectionTests {
  private func detect(_ name: String, _ text: String) async throws -> Detection {
    try await detect(name, Array(text.utf8))
  }

  private func detect(_ name: String, _ bytes: [UInt8]) async throws -> Detection {
    try await TemporaryFolder.with { folder in
      try folder.write(name, bytes: bytes)
      return try await SourceDetector.detect(InputFile(path: folder.path(name)))
    }
  }

  private static func words(_ found: Detection) -> [String] {
    found.options.map { option in option.value.map { "\(option.name)=\($0)" } ?? option.name }
  }

  private static func quoted(_ text: String) -> String {
    let writer = JSONWriter()
    writer.text(text)
    return writer.string
  }

  private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  private static let times = ["2021-02-01 00:00:00", "2021-02-02 00:00:00"]

  /// Rows with an id, a time and a body, as a function of the record writes it.
  private static func rows(_ body: (String) -> String) -> String {
    (0..<2).map {
      #"{"id":"m\#($0)","received_at":"\#(times[$0])","plan":"a","body":\#(body(Sample.line($0)))}"# + "\n"
    }.joined()
  }

  static let ways: [(name: String, write: @Sendable (String) -> String)] = [
    ("object", { $0 }), ("text", { quoted($0) }), ("base64", { quoted(base64($0)) }),
    ("base64 of text", { quoted(base64(quoted($0))) }), ("digits", { quoted("\\x" + hexadecimal($0)) }),
  ]

  private static func hexadecimal(_ text: String) -> String {
    text.utf8.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: ways.map(\.name))
  func aRowHasItsRecordItsTimeAndItsID(_ name: String) async throws {
    let way = try #require(Self.ways.first { $0.name == name })
    let found = try await detect("rows.ndjson", Self.rows(way.write))
    #expect(found.form == .json && found.isDecided)
    #expect(Self.words(found) == ["body=body", "received-at=received_at", "id=id"])
    #expect(found.kinds == ["notificationV1": 2])
  }

  @Test func aRecordInsideATextOfAMemberIsFoundByItsPointer() async throws {
    let inner = #"{"Message":\#(Self.quoted(#"{"body":\#(Sample.line(1))}"#)),"MessageId":"x"}"#
    let found = try await detect("queue.ndjson", inner + "\n")
    #expect(Self.words(found) == ["body=/Message/body", "id=MessageId"])
  }

  @Test(arguments: ["a.ndjson", "a.json", "a", "a.txt"])
  func bareRecordsNeedNoOption(_ name: String) async throws {
    let found = try await detect(name, Sample.lines(1...3))
    #expect(found.form == .json && found.isDecided && Self.words(found).isEmpty)
    #expect(found.kinds == ["notificationV1": 3])
  }

  @Test func encodedRecordsNeedNoOption() async throws {
    let found = try await detect("a.txt", (1...3).map { Self.base64(Sample.line($0)) + "\n" }.joined())
    #expect(found.form == .texts && Self.words(found).isEmpty && found.kinds == ["notificationV1": 3])
  }

  private static func table(_ separator: String, _ cell: (String) -> String) -> String {
    let rows = (0..<2).map { ["\($0)", cell(Sample.line($0)), times[$0]].joined(separator: separator) + "\n" }
    return (["id", "payload", "at"].joined(separator: separator) + "\n") + rows.joined()
  }

  @Test(arguments: [
    ("a.csv", ",", []), ("a.csv", ";", ["separator=;"]), ("a", ",", ["csv"]), ("a.dump", "|", ["csv", "separator=|"]),
  ])
  func aTableIsReadWithItsSeparator(_ name: String, _ separator: String, _ options: [String]) async throws {
    let found = try await detect(name, Self.table(separator) { "\"" + $0.replacing("\"", with: "\"\"") + "\"" })
    #expect(found.form == .csv && found.isDecided)
    #expect(Self.words(found) == options + ["body=payload", "received-at=at", "id=id"])
  }

  @Test func aBackslashThatOnlyOneReadingUnderstandsDecidesForIt() async throws {
    let escaped = try await detect("a.tsv", Self.table("\t") { Self.quoted($0).replacing("\\", with: "\\\\") })
    #expect(Self.words(escaped).first == "tsv=copy" && escaped.isDecided)
    let plain = try await detect("a.tsv", Self.table("\t") { Self.quoted($0) })
    #expect(Self.words(plain).first == "tsv=plain" && plain.isDecided)
    let none = try await detect("a.tsv", Self.table("\t") { $0 })
    #expect(Self.words(none).first == "body=payload" && none.isDecided)
  }

  @Test func cellsInQuotesAreFoundInTSVToo() async throws {
    let quoted = try await detect("a.tsv", Self.table("\t") { "\"" + $0.replacing("\"", with: "\"\"") + "\"" })
    #expect(Self.words(quoted).first == "tsv=quoted" && quoted.isDecided)
  }

  @Test func whereBothReadingsGiveRecordsTheBackslashesThatCOPYWritesDecideAndAreNoted() async throws {
    func told(_ text: String) async throws -> (option: String?, note: String?) {
      let rows = Self.table("\t") { $0.replacing("\"PROD\"", with: "\"PROD\",\"note\":\"\(text)\"") }
      let found = try await detect("a.tsv", rows)
      return (Self.words(found).first, found.notes.first)
    }
    let copy = try await told(#"\\u00e9"#)
    #expect(copy.option == "tsv=copy" && copy.note?.contains("every backslash is an escape of COPY") == true)
    let plain = try await told(#"\/"#)
    #expect(plain.option == "tsv=plain" && plain.note?.contains("no escapes of COPY") == true)
  }

  @Test func recordsInLinesOfALogAreFound() async throws {
    let log = "2021 INFO start\n" + (1...3).map { "2021 INFO got \(Sample.line($0)) from apple\n" }.joined()
    let found = try await detect("app.log", log)
    #expect(found.form == .log && Self.words(found) == ["from-logs"] && found.profile.skippedLines == 1)
  }

  // MARK: choices

  @Test func twoColumnsThatFitAreForAPerson() async throws {
    let rows = (0..<2).map { number in
      #"{"uuid":"u\#(number)","key":"k\#(number)","made":"\#(Self.times[number])","seen":"\#(Self.times[number])","#
        + #""raw":\#(Sample.line(number)),"body":\#(Sample.line(number))}"# + "\n"
    }.joined()
    let found = try await detect("a.ndjson", rows)
    #expect(found.options.isEmpty)
    #expect(
      found.choices == [
        Detection.Choice("body", ["raw", "body"]), Detection.Choice("received-at", ["made", "seen"]),
        Detection.Choice("id", ["uuid", "key"]),
      ])
  }

  @Test func aNameThatSaysWhatItIsDecidesAndIsNoted() async throws {
    let rows = Self.rows { $0 }.replacing(#""plan":"a""#, with: #""created_at":"2021-02-01T00:00:00Z""#)
    let found = try await detect("a.ndjson", rows)
    #expect(Self.words(found).contains("received-at=received_at") && found.isDecided)
    #expect(found.notes == ["--received-at received_at is chosen by its name; created_at: times too"])
  }

  @Test func aColumnWithTheTypeOfTheMessageDoesNotMakeTheRowARecord() async throws {
    let rows = Self.rows { Self.quoted($0) }.replacing(#""plan":"a""#, with: #""notification_type":"DID_RENEW""#)
    let found = try await detect("a.ndjson", rows)
    #expect(Self.words(found).first == "body=body")
  }

  @Test func numbersThatAreNoTimesAreNone() async throws {
    let rows = Self.rows { $0 }.replacing("2021-02-01 00:00:00", with: "12").replacing(
      "2021-02-02 00:00:00", with: "34")
    #expect(try await Self.words(detect("a.ndjson", rows)) == ["body=body", "id=id"])
  }

  @Test func theSharedSecretIsNeverNamed() async throws {
    let rows = (0..<2).map { #"{"password":\#(Sample.line($0)),"id":\#($0)}"# + "\n" }.joined()
    #expect(try await Self.words(detect("a.ndjson", rows)) == ["id=id"])
  }

  // MARK: what is not recognized, and limits

  @Test(arguments: [
    ("a.ndjson", #"{"status":0,"name":"x"}"# + "\n"), ("a.txt", "hello\n"), ("a.csv", "id,name\n1,x\n"), ("a", ""),
    ("a.bin", "\u{0}\u{1}\u{2}"), ("a.csv", ""), ("a.csv", ",,\n"),
  ])
  func whatHasNoRecordIsUnknown(_ name: String, _ text: String) async throws {
    let found = try await detect(name, text)
    #expect(found.form == .unknown && !found.isDecided && found.options.isEmpty)
  }

  @Test func aFormOfOthersIsNamed() async throws {
    let found = try await detect("a.parquet", Array("PAR1".utf8) + [UInt8](repeating: 0, count: 400))
    #expect(found.form == .unknown && found.fault?.contains("Parquet") == true)
  }

  @Test func onlyTheBeginningIsReadAndACutRecordIsNoFault() async throws {
    let rows = Sample.lines(1...40, filler: 4000)
    let limit = 100_001
    try await TemporaryFolder.with { folder in
      try folder.write("a.ndjson", rows)
      var file = InputFile(path: folder.path("a.ndjson"))
      file.sample = try SourceSample(of: file, bytes: limit)
      let profile = try await SourceDetector.profile(.file(file))
      #expect(profile.isCut && profile.unreadable == 0)
      #expect((1..<40).contains(profile.recognized) && profile.recognized >= 20)
    }
  }

  @Test func noMoreThanAThousandRowsAreLookedAt() async throws {
    let found = try await detect("a.ndjson", Sample.lines(1...1500))
    #expect(found.profile.looked == 1000)
  }

  @Test func aStreamIsReadOnceAndTriedInEveryWay() async throws {
    try await TemporaryFolder.with { folder in
      let pipe = folder.path("pipe")
      #expect(mkfifo(pipe, 0o600) == 0)
      let text = Self.table(";") { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
      let task = Task.detached {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: pipe))
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
      }
      let found = try await SourceDetector.detect(InputFile(path: pipe))
      try await task.value
      #expect(Self.words(found) == ["csv", "separator=;", "body=payload", "received-at=at", "id=id"])
    }
  }
}

extension Detection {
  fileprivate var isDecided: Bool { isReadable && choices.isEmpty }
}
