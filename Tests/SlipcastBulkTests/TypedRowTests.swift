import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk

/// Rows whose values state their types, as DynamoDB and MongoDB export them.
@Suite struct TypedRowTests {
  private static func plain(_ text: String) throws -> String? {
    let reader = NestedReader(JSONLimits(), names: [])
    let tape = try reader.read(Array(text.utf8).span)
    return TypedRow.plain(tape, 0).map { String(decoding: $0, as: UTF8.self) }
  }

  static let pairs: [(row: String, plain: String)] = [
    (#"{"Item":{"id":{"N":"7"},"body":{"S":"a\"b\u00e9"}}}"#, #"{"id":7,"body":"a\"bé"}"#),
    (
      #"{"id":{"N":"9007199254740993"},"big":{"N":"123456789012345678901234567890.5"}}"#,
      #"{"id":9007199254740993,"big":123456789012345678901234567890.5}"#
    ),
    (#"{"a":{"N":"NaN"},"b":{"N":"007"},"c":{"N":"-1.5E+3"}}"#, #"{"a":"NaN","b":"007","c":-1.5E+3}"#),
    (#"{"a":{"BOOL":true},"b":{"NULL":true},"c":{"B":"eyJhIjoxfQ=="}}"#, #"{"a":true,"b":null,"c":"eyJhIjoxfQ=="}"#),
    (#"{"a":{"SS":["x","y"]},"b":{"NS":["1","22"]},"c":{"BS":["eA=="]}}"#, #"{"a":["x","y"],"b":[1,22],"c":["eA=="]}"#),
    (#"{"a":{"L":[{"S":"x"},{"M":{"b":{"N":"1"},"c":{"M":{}}}},{"L":[]}]}}"#, #"{"a":["x",{"b":1,"c":{}},[]]}"#),
    (
      #"{"eventID":"1","dynamodb":{"Keys":{"id":{"S":"k"}},"NewImage":{"id":{"S":"k"}},"SizeBytes":1}}"#, #"{"id":"k"}"#
    ),
    (#"{"Metadata":{"WriteTimestampMicros":"1"},"Keys":{"id":{"S":"k"}},"NewImage":{"id":{"S":"k"}}}"#, #"{"id":"k"}"#),
    (
      #"{"_id":{"$oid":"5f0e7a0b1c9d440000a1b2c3"},"a":[{"b":{"$numberInt":"5"}}]}"#,
      #"{"_id":"5f0e7a0b1c9d440000a1b2c3","a":[{"b":5}]}"#
    ),
    (
      #"{"a":{"$numberLong":"9007199254740993"},"b":{"$numberDouble":"Infinity"},"c":{"$numberDecimal":"1.10"}}"#,
      #"{"a":9007199254740993,"b":"Infinity","c":1.10}"#
    ),
    (
      #"{"a":{"$date":"2022-05-01T10:00:00.250Z"},"b":{"$date":1651399200250},"c":{"$date":{"$numberLong":"1651399200000"}}}"#,
      #"{"a":"2022-05-01T10:00:00.250Z","b":"2022-05-01T10:00:00.250Z","c":"2022-05-01T10:00:00Z"}"#
    ),
    (
      #"{"a":{"$date":"2022-05-01T12:00:00.000+0200"},"b":{"$date":{"$numberLong":"-1000"}}}"#,
      #"{"a":"2022-05-01T12:00:00.000+0200","b":"1969-12-31T23:59:59Z"}"#
    ),
    (
      #"{"a":{"$binary":{"base64":"eA==","subType":"00"}},"b":{"$binary":"eA==","$type":"00"}}"#,
      #"{"a":"eA==","b":"eA=="}"#
    ),
    (
      #"{"a":{"$timestamp":{"t":1651399200,"i":1}},"b":{"$undefined":true},"c":{"$uuid":"u"}}"#,
      #"{"a":1651399200,"b":null,"c":"u"}"#
    ),
    // A type that is not known stays as it is.
    (
      #"{"a":{"$oid":"x"},"b":{"$regex":"y","$options":""},"c":{"$numberLong":12}}"#,
      #"{"a":"x","b":{"$regex":"y","$options":""},"c":12}"#
    ),
  ]

  @Test(arguments: pairs)
  func aRowBecomesPlain(_ row: String, _ plain: String) throws { #expect(try Self.plain(row) == plain) }

  @Test(arguments: [
    "{}", #"{"a":1}"#, #"{"Item":{}}"#, #"{"Item":{"a":1}}"#, #"{"a":{"S":1}}"#, #"{"a":{"S":"x"},"b":1}"#,
    #"{"a":{"S":"x","T":"y"}}"#, #"{"price":"$5"}"#, #"{"a":{"$price":"5"}}"#, Sample.line(1), #"{"NewImage":[]}"#,
    "[1]",
    #"{"dynamodb":{"OldImage":{"a":{"S":"x"}}}}"#,
  ])
  func anyOtherRowIsLeftAlone(_ row: String) throws { #expect(try Self.plain(row) == nil) }

  // MARK: whole runs

  private static func quoted(_ text: String) -> String {
    let writer = JSONWriter()
    writer.text(text)
    return writer.string
  }

  /// The row with its body as text, and all pointers that lead to its parts.
  static let rows: [(row: String, body: [String], at: [String], id: [String])] = [
    (
      #"{"Item":{"id":{"N":"9007199254740993"},"body":{"S":BODY},"receivedAt":{"N":"1682935200000"}}}"#,
      ["/body", "/Item/body/S", "/Item/body"], ["/receivedAt", "/Item/receivedAt/N", "/Item/receivedAt"],
      ["/id", "/Item/id/N"]
    ),
    (
      #"{"eventID":"e","dynamodb":{"NewImage":{"id":{"S":"9007199254740993"},"body":{"S":BODY},"receivedAt":{"S":"2023-05-01T10:00:00Z"}}}}"#,
      ["/body", "/dynamodb/NewImage/body/S"], ["/receivedAt"], ["/id"]
    ),
    (
      #"{"_id":{"$numberLong":"9007199254740993"},"receivedAt":{"$date":{"$numberLong":"1682935200000"}},"body":BODY}"#,
      ["/body"], ["/receivedAt", "/receivedAt/$date", "/receivedAt/$date/$numberLong"], ["/_id", "/_id/$numberLong"]
    ),
    (
      #"{"_id":"9007199254740993","receivedAt":{"$date":"2023-05-01T12:00:00.000+0200"},"body":BODY}"#,
      ["/body"], ["/receivedAt", "/receivedAt/$date"], ["/_id"]
    ),
  ]

  @Test(arguments: rows)
  func pointersNamePlainMembersAndStoredOnes(
    _ row: String, _ body: [String], _ received: [String], _ ids: [String]
  ) async throws {
    let whole = row.replacing("BODY", with: Self.quoted(Sample.line(1)))
    let broken = row.replacing("BODY", with: Self.quoted(#"{"notification_type":5,"password":"\#(Sample.secret)"}"#))
    for body in body {
      for at in received {
        for id in ids {
          let run = try await Runs.convert(whole + "\n" + broken) { options in
            (options.body, options.receivedAt, options.id) = (JSONPointer(body), JSONPointer(at), JSONPointer(id))
          }
          #expect(run.numbers == [1], "\(body) \(at) \(id): \(run.rejects.map(\.message))")
          #expect(run.lines.first?.contains(#""signedDate":1682935200000"#) == true, "\(at)")
          #expect(run.rejects.map(\.code) == ["wrongKind"])
          #expect(run.rejects.map(\.line) == [2])
          #expect(run.rejects.map(\.id) == ["9007199254740993"])
        }
      }
    }
  }

  /// The sample as DynamoDB stores a document.
  private static let document =
    #"{"notification_type":{"S":"DID_RENEW"},"password":{"S":"\#(Sample.secret)"},"environment":{"S":"PROD"},"#
    + #""auto_renew_status":{"S":"true"},"unified_receipt":{"M":{"status":{"N":"0"},"environment":{"S":"Production"},"#
    + #""latest_receipt_info":{"L":[{"M":{"quantity":{"S":"1"},"product_id":{"S":"com.example.monthly"},"#
    + #""transaction_id":{"S":"1"},"original_transaction_id":{"S":"730001"},"purchase_date_ms":{"S":"1679333400000"},"#
    + #""expires_date_ms":{"S":"1682011800000"},"is_trial_period":{"S":"false"}}}]},"pending_renewal_info":{"L":[{"M":"#
    + #"{"product_id":{"S":"com.example.monthly"},"original_transaction_id":{"S":"730001"},"#
    + #""auto_renew_product_id":{"S":"com.example.monthly"},"auto_renew_status":{"S":"1"}}}]}}},"bid":{"S":"com.example"}}"#

  @Test(arguments: [
    ("DOCUMENT", nil), (#"{"Item":DOCUMENT}"#, nil), (#"{"dynamodb":{"NewImage":DOCUMENT}}"#, nil),
    (#"{"Item":{"body":{"M":DOCUMENT}}}"#, "/body"), (#"{"Item":{"body":{"M":DOCUMENT}}}"#, "/Item/body/M"),
    (#"{"row":{"Item":DOCUMENT}}"#, "/row"), (#"{"Item":DOCUMENT}"#, "/Item"),
  ])
  func aStoredDocumentIsTheRecord(_ row: String, _ body: String?) async throws {
    let plain = try await Runs.convert(Sample.line(1))
    let text = row.replacing("DOCUMENT", with: Self.document)
    let broken = text.replacing(#"{"S":"DID_RENEW"}"#, with: #"{"N":"5"}"#)
    let run = try await Runs.convert("\(text)\n\(text)\(broken)") { $0.body = body.flatMap { JSONPointer($0) } }
    #expect(run.sink.output == plain.sink.output + plain.sink.output)
    #expect(run.rejects.map(\.record) == [3])
    #expect(run.rejects.map(\.line) == [2])
    #expect(run.rejects.first?.path.hasSuffix("notification_type") == true)
  }

  @Test func aDocumentOfMongoIsTheRecord() async throws {
    let plain = try await Runs.convert(Sample.line(1))
    let document =
      "{\"_id\":{\"$oid\":\"5f0e7a0b1c9d440000a1b2c3\"},"
      + Sample.line(1).dropFirst()
      .replacing("\"status\":0", with: #""status":{"$numberInt":"0"}"#)
    let run = try await Runs.convert(document)
    #expect(run.lines.count == 1 && run.rejects.isEmpty)
    #expect(run.numbers == plain.numbers)
  }
}
