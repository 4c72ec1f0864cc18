import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// A record in a cell of a table is read once, as it is; nothing says so: every output is that of a record in a string.
@Suite struct CellRecordTests {
  static let bodies: [(name: String, body: String)] = [
    ("record", Sample.line(1)), ("blanks", "  \(Sample.line(2))\t "), ("line feeds", Sample.line(3) + "\n"),
    ("quotes", Sample.line(4).replacing("PROD", with: "a\\\"b")),
    ("escapes", Sample.line(5).replacing("PROD", with: "\\u0041\\/")),
    ("cut", String(Sample.line(6).dropLast(9))), ("two records", Sample.line(7) + Sample.line(8)),
    ("a member more", Sample.line(9) + #","id":"evil""#), ("a brace more", Sample.line(10) + "}"),
    ("a bad word", Sample.line(11).replacing("{\"notification_type\"", with: "{\"x\":tru,\"notification_type\"")),
    ("a bad number", Sample.line(12).replacing("{\"notification_type\"", with: "{\"x\":01,\"notification_type\"")),
    ("typed values", #"{"notification_type":{"$date":"2022-01-01"},"a":{"S":"x"}}"#), ("array", "[\(Sample.line(13))]"),
    ("text", "hello"), ("empty object", "{}"), ("other object", #"{"a":[1,{"b":"\n"}]}"#), ("base64", "eyJhIjoxfQ=="),
    ("deep", String(repeating: "{\"a\":", count: 200) + "1" + String(repeating: "}", count: 200)),
    ("as deep as allowed", String(repeating: "{\"a\":", count: 126) + "1" + String(repeating: "}", count: 126)),
    ("version 2", #"{"notificationType":"DID_RENEW","version":"2.0"}"#),
    ("reject", #"{"source":"a","record":1,"offset":2}"#),
  ]

  /// Rows of id, body and received time, as a table and as lines of JSON with strings.
  static func inputs(_ rows: [String]) -> (csv: String, tsv: String, lines: String) {
    func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }
    func escaped(_ text: String) -> String {
      text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
    }
    func json(_ text: String) -> String {
      "\""
        + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
        .replacing("\n", with: "\\n") + "\""
    }
    let header = "id,body,at\n"
    let numbered = rows.enumerated().map { ("\($0)", $1, "2022-05-01 10:00:0\($0 % 10)") }
    return (
      header + numbered.map { "\($0),\(quoted($1)),\($2)\n" }.joined(),
      header.replacing(",", with: "\t") + numbered.map { "\($0)\t\(escaped($1))\t\($2)\n" }.joined(),
      numbered.map { "{\"id\":\"\($0)\",\"body\":\(json($1)),\"at\":\"\($2)\"}\n" }.joined()
    )
  }

  static func convert(_ text: String, _ name: String, _ escaping: TableOptions.Escaping? = nil) async throws -> Run {
    try await TemporaryFolder.with { folder in
      try folder.write(name, text)
      var file = InputFile(path: folder.path(name))
      file.table.escaping = escaping
      var options = ConvertOptions()
      (options.keepsRejects, options.keepsProvenance) = (true, true)
      (options.body, options.id, options.receivedAt) = (JSONPointer("/body"), JSONPointer("/id"), JSONPointer("/at"))
      var sink = MemorySink()
      let (end, counts) = try await ConvertRun(rules: Runs.rules, options: options).convert([file], to: &sink)
      return Run(sink: sink, end: end, counts: counts)
    }
  }

  /// What a reject says; where its row begins is another matter in each form.
  private static func told(_ run: Run) -> [String] {
    run.rejects.map { "\($0.record) \($0.stage) \($0.code) \($0.path) \($0.message) \($0.id ?? "") \($0.input.count)" }
  }

  @Test(arguments: bodies.indices)
  func aRecordInACellIsToldLikeOneInAString(_ place: Int) async throws {
    // Whole records around it show that it breaks nothing.
    let rows = [Sample.line(20), Self.bodies[place].body, Sample.line(21), Self.bodies[place].body]
    let inputs = Self.inputs(rows)
    let wanted = try await Self.convert(inputs.lines, "in.ndjson")
    #expect(wanted.numbers.first == 20 && wanted.numbers.contains(21))
    for run in [
      try await Self.convert(inputs.csv, "in.csv"), try await Self.convert(inputs.tsv, "in.tsv", .copy),
    ] {
      #expect(run.lines == wanted.lines && Self.told(run) == Self.told(wanted), "\(Self.bodies[place].name)")
      let accounts = [run, wanted].map { $0.provenance.map { $0.drop { $0 != "," } } }
      #expect(accounts[0] == accounts[1])
    }
  }

  @Test func theTableReaderDoesPassARecordAsItIs() throws {
    let text = Self.inputs([Sample.line(1), "hello"]).csv
    try TemporaryFolder.with { folder in
      try folder.write("in.csv", text)
      let members = try SourceMembers(InputFile(path: folder.path("in.csv")), patterns: [])
      let member = try #require(try members.next())
      let reader = TableReader(member, .csv(UInt8(ascii: ",")), source: 0, limit: 1 << 20, inlining: "body")
      let block = Block()
      #expect(try reader.fill(block))
      guard case .rows(let rows) = block.form else {
        Issue.record("no rows")
        return
      }
      #expect(rows.map { $0.inlined != nil } == [true, false])
    }
  }
}
