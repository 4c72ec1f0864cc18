import SlipcastDigest
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// Rejects as lines of a file, and as input again.
@Suite struct RejectTests {
  private func line(_ reject: Reject) -> String {
    var text = ""
    reject.withLine { text = String(decoding: $0) }
    return text
  }

  private func reject(input: [UInt8], id: String? = nil) -> Reject {
    Reject(
      source: "a \"b\".ndjson", record: 7, offset: 123, faultOffset: 130, length: 8, sha256: "0a", line: 4,
      stage: .legacy, code: "wrongKind", path: "unified_receipt", message: "expected an object, found string", id: id,
      input: input)
  }

  @Test func aRejectIsOneLineOfJSON() throws {
    #expect(
      line(reject(input: Array("{\"a\":\n1}".utf8)))
        == #"{"source":"a \"b\".ndjson","record":7,"offset":123,"faultOffset":130,"#
        + #""length":8,"sha256":"0a","line":4,"stage":"legacy","code":"wrongKind","#
        + #""path":"unified_receipt","message":"expected an object, found string","input":"{\"a\":\n1}"}"# + "\n")
  }

  @Test func aRowsIdStandsBeforeTheInput() throws {
    #expect(line(reject(input: [], id: "row-1")).hasSuffix(#","id":"row-1","input":""}"# + "\n"))
  }

  @Test func inputThatIsNoUTF8IsInBase64() throws {
    #expect(line(reject(input: [0x7B, 0xFF])).hasSuffix(#","inputBase64":"e/8="}"# + "\n"))
  }

  @Test func theDescriptionNamesSourceLineAndRecord() {
    let says = "a \"b\".ndjson:4: record 7: unified_receipt: expected an object, found string"
    #expect(reject(input: []).description == says)
  }

  /// The text of a broken record is found in its source by place, length and digest.
  @Test func whatIsNotKeptIsFoundInItsSource() async throws {
    let bad = ["x", "{\"a\":\"\u{1}\"}", "{\"é\":tru}", "\"", "{\"a\\"]
    let text = Array(bad.joined(separator: "\n").utf8)
    let run = try await Runs.convert(text)
    #expect(run.rejects.count == bad.count)
    for (line, reject) in zip(bad, run.rejects) {
      #expect(reject.inputOmitted == "unparsed" && reject.input.isEmpty)
      #expect(Array(text[reject.offset..<reject.offset + reject.length]) == Array(line.utf8))
      #expect(reject.sha256 == SHA256Stream.hexadecimal(of: Array(line.utf8)))
    }
  }

  @Test func everyLineOfARejectFileIsJSON() async throws {
    let bad = ["x", "{\"a\":\"\u{1}\"}", "{\"a\":\"\\ud800\"}", "{\"é\":tru}", "\"", "{\"a\\"]
    let run = try await Runs.convert(bad.joined(separator: "\n"))
    #expect(run.rejects.count == bad.count)
    for (text, line) in zip(bad, run.rejectFile.split(separator: "\n")) {
      let read = try ReadText(String(line))
      #expect(read.root["input"]?.kind == .null && read.root["length"]?.integer == Int64(text.utf8.count))
    }
  }

  // MARK: feeding again

  /// A cause that goes away: the place of the record was not named.
  static let rows = (1...3).map { "{\"id\":\"row-\($0)\",\"row\":{\"body\":\(Sample.line($0))}}\n" }.joined()

  @Test func wrappedRecordsAreConvertedOnceTheirPlaceIsNamed() async throws {
    let first = try await Runs.convert(Self.rows)
    #expect(first.numbers == [])
    let again = try await Runs.convert(first.rawFile) { $0.body = JSONPointer("/row/body") }
    #expect(again.numbers == [1, 2, 3])
    #expect(again.sink.output == (try await Runs.convert(Sample.lines(1...3))).sink.output)
  }

  @Test func theRowsIdAndReceivedTimeAreFoundInTheRejectedRow() async throws {
    let rows = #"{"id":"x","at":1682935200000,"body":\#(Sample.line(1))}"#
    let first = try await Runs.convert(rows) { $0.body = JSONPointer("/nowhere") }
    let again = try await Runs.convert(first.rawFile) { options in
      options.body = JSONPointer("/body")
      options.id = JSONPointer("/id")
      options.receivedAt = JSONPointer("/at")
    }
    #expect(again.lines.allSatisfy { $0.contains(#""signedDate":1682935200000"#) })
    #expect(again.provenance.allSatisfy { $0.contains(#""id":"x""#) })
    #expect(again.numbers == [1])
  }

  @Test func aTooSmallLimitRaisedLaterConverts() async throws {
    let text = Sample.line(1) + "\n" + Sample.line(2, filler: 3000) + "\n"
    let first = try await Runs.convert(text) { $0.recordBytes = 2000 }
    #expect(first.numbers == [1])
    #expect(try await Runs.convert(first.rawFile).numbers == [2])
  }

  @Test func whatIsStillBrokenIsRejectedAgain() async throws {
    let first = try await Runs.convert("x\n{\"a\":1}\n\(Sample.line(1).dropLast(3))\n")
    #expect(first.rejects.count == 3)
    let again = try await Runs.convert(first.rejectFile)
    #expect(again.rejects.map(\.record) == [1, 2, 3])
    #expect(again.rejects.map(\.code) == ["nothingKept", "nothingKept", "nothingKept"])
  }

  /// The reject of a reject still holds the record.
  @Test func rejectsMayFailTwiceBeforeTheirCauseIsGone() async throws {
    var text = Self.rows.replacing("\"DID_RENEW\"", with: "5")
    for _ in 0..<3 {
      let run = try await Runs.convert(text) { $0.body = JSONPointer("/row/body") }
      #expect(run.rejects.count == 3)
      text = run.rejectFile
    }
    let mended = text.replacing(#"\"notification_type\":5"#, with: #"\"notification_type\":\"DID_RENEW\""#)
    #expect(try await Runs.convert(mended) { $0.body = JSONPointer("/row/body") }.numbers == [1, 2, 3])
  }

  @Test func rejectsOfPrettyPrintedRecordsAndOfArraysAreFedAgainToo() async throws {
    let wrapped = (1...3).map { "{\n  \"body\": \(Sample.pretty($0).replacing("\n", with: "\n  "))\n}" }
    for text in [wrapped.joined(separator: "\n"), "[\(wrapped.joined(separator: ","))]"] {
      let first = try await Runs.convert(text)
      #expect(first.rejects.count == 3)
      #expect(try await Runs.convert(first.rawFile) { $0.body = JSONPointer("/body") }.numbers == [1, 2, 3])
    }
  }

  @Test func aRecordThatOnlyLooksLikeARejectIsReadAsItIs() async throws {
    let line = Sample.line(1)
    let text = #"{"source":"x","record":1,"offset":0,"input":5,"# + line.dropFirst()
    let run = try await Runs.convert(text)
    #expect(run.numbers == [1])
  }
}
