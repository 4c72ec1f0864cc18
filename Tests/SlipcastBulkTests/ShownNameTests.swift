import Foundation
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// What looks like a value is not shown in the place of a name.
@Suite struct ShownNameTests {
  @Test(arguments: [
    "id", "payload", "received_at", "Item", "data.unified_receipt", "@timestamp", "$oid", "a b", "größe", "支付", "0",
    "12",
    "unified_receipt", "is-retryable", "bid (old)", "latest_receipt_info/0", "x-amz-meta-sha256", "col 1",
    "payload[json]", "is it?", "a<b>",
  ])
  func namesAreShown(_ name: String) {
    #expect(ShownName(name).description == name && ShownName(name).isWhole)
  }

  static let values: [String] = [
    "", Sample.line(1), "{\"a\":1}", "a\"b", "9027", "2021-02-01", "730001300001000", "id 730001300001000",
    "5ec7e0f1a2b3c4d5968778695a4b3c2d", "a@b.example", "password=x", "line\nfeed", "\u{202E}name",
    Data(Sample.line(1).utf8).base64EncodedString(), String(repeating: "x", count: 129), Sample.secret + "}",
  ]

  @Test(arguments: values) func valuesAreNot(_ value: String) {
    #expect(ShownName(value).description == "name(\(value.utf8.count))")
  }

  @Test func rejectsAndMessagesAndProfilesHaveNoSuchNames() async throws {
    let body = Sample.line(1).replacing("\"", with: "\\\"")
    let row = #"{"\#(body)":1,"\#(body)":2,"id":7}"#
    // The helper searches for the secret in everything that the run says.
    let run = try await Runs.convert(row)
    #expect(run.rejectFile.contains(#"{\"name("#) && run.rejectFile.contains(" 2\\\":"), "\(run.rejectFile)")
    #expect(run.rejectFile.contains(#"\"id\":\"number(1)\""#), "\(run.rejectFile)")
    let found = try await TemporaryFolder.with { folder in
      try folder.write("rows.ndjson", row + "\n")
      let file = InputFile(path: folder.path("rows.ndjson"))
      let search = NameSearch(
        [NameSearch.Wanted(option: "id", pointer: JSONPointer(tokens: ["x"]))], recordBytes: 1 << 20)
      let missing = try await search.search([.file(file)])
      #expect(missing?.names.map(\.description) == ["name(\(Sample.line(1).utf8.count))", "id"])
      return try await SourceDetector.detect(file)
    }
    #expect(!"\(found)".contains("SECRET"), "\(found)")
    #expect(found.profile.columns.map(\.pointer.description) == ["/id"] && found.profile.hasMoreColumns)
  }

  /// Around and inside of a record that was recognized, and as the name of what holds the record.
  @Test func namesInRecordsAreNotKept() async throws {
    let name = Sample.line(1).replacing("\"", with: "\\\"")
    for text in [
      #"{"notification_type":5,"\#(name)":1}"#, #"{"\#(name)":\#(Sample.line(2))}"#,
      Sample.line(3).dropLast() + #","\#(name)":{"\#(name)":1}}"#,
      #"{"notification_type":"DID_RENEW","unified_receipt":{"\#(name)":1,"latest_receipt_info":[{"\#(name)":2}]}}"#,
    ] {
      _ = try await Runs.convert(text)
    }
  }

  /// Names that the program reads and writes are shown as they are.
  @Test func everyKnownNameIsShown() {
    for name in KnownNames.all { #expect(ShownName.isName(name), "\(name)") }
  }
}
