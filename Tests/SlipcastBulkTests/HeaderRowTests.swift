import Foundation
import SlipcastSystem
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// A table whose first row has data in place of the names of its columns: that row is no header, and no value is shown.
@Suite struct HeaderRowTests {
  /// What a row has in the column of the record.
  static let bodies: [(name: String, body: String)] = [
    ("a record", Sample.line(1)), ("a record that was cut off", String(Sample.line(1).dropLast(200))),
    ("base64", Data(Sample.line(1).utf8).base64EncodedString()),
    ("digits", "\\x" + Sample.line(1).utf8.map { String(format: "%02x", $0) }.joined()),
    ("a short object in base64", Data(#"{"password":"\#(Sample.secret)"}"#.utf8).base64EncodedString()),
    ("another object", #"{"password":"\#(Sample.secret)"}"#), ("a list", #"[{"password":"\#(Sample.secret)"}]"#),
    ("a request", "receipt-data=MIIT&password=\(Sample.secret)"),
    ("long text", String(repeating: Sample.secret, count: 10)),
  ]

  static let forms: [(name: String, separator: Character, escaping: TableOptions.Escaping?)] = [
    ("rows.csv", ",", nil), ("rows.tsv", "\t", .plain), ("rows.tsv", "\t", .copy), ("rows.tsv", "\t", .quoted),
  ]

  private static func table(_ body: String, _ separator: Character, _ escaping: TableOptions.Escaping?) -> String {
    let cell =
      switch escaping {
      case nil, .quoted: "\"" + body.replacing("\"", with: "\"\"") + "\""
      case .copy: body.replacing("\\", with: "\\\\")
      case .plain: body
      }
    return (0..<2).map { "\(9027 + $0)\(separator)\(cell)\n" }.joined()
  }

  @Test(arguments: bodies.map(\.name), forms.indices)
  func aTableWithoutAHeaderRowIsRefusedAndNothingOfItIsShown(_ name: String, _ place: Int) async throws {
    let body = try #require(Self.bodies.first { $0.name == name }).body
    let form = Self.forms[place]
    let text = Self.table(body, form.separator, form.escaping)
    let error = await #expect(throws: FileError.self) {
      _ = try await CellRecordTests.convert(text, form.name, form.escaping)
    }
    let said = try #require(error).description
    #expect(said.contains(form.name) && said.contains("write the names of the columns as the first line"), "\(said)")
    #expect(!said.contains("SECRET") && !said.contains("DID_RENEW"), "\(said)")
    let found = try await TemporaryFolder.with { folder in
      try folder.write(form.name, text)
      return try await SourceDetector.detect(InputFile(path: folder.path(form.name)))
    }
    #expect(found.form == .unknown && found.fault?.contains("as the first line") == true)
    #expect(!"\(found)".contains("SECRET"), "\(found)")
  }

  @Test(arguments: [
    "id,body,at", "id,body,2021-03-10", "body,MINIMUM_OS_VERSION,eyJewelColor", "0,1,2,body", "a b,body,Größe",
    "data.unified_receipt,body",
    "\"x \"\"y\"\"\",body", "@timestamp,body,payload[0]", "body,name_with_a_digest_5ec7e0f1a2b3c4d5968778695a4b3c2d",
  ])
  func namesAreNames(_ header: String) async throws {
    let cell = "\"" + Sample.line(7).replacing("\"", with: "\"\"") + "\""
    let names = header.split(separator: ",").map(String.init)
    let row = names.map { $0 == "body" ? cell : "x" }.joined(separator: ",")
    #expect(try await CellRecordTests.convert("\(header)\n\(row)\n", "rows.csv").numbers == [7])
  }

  @Test func aReadableFileOfOtherSeparatorsIsStillDetected() async throws {
    let cell = "\"" + Sample.line(7).replacing("\"", with: "\"\"") + "\""
    let found = try await TemporaryFolder.with { folder in
      try folder.write("rows.csv", "id;payload\n1;\(cell)\n")
      return try await SourceDetector.detect(InputFile(path: folder.path("rows.csv")))
    }
    #expect(found.options.contains(ReadingOption("separator", ";")))
  }
}
