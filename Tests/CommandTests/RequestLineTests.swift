import SlipcastTestSupport
import Testing

/// The requests of `verify-receipt` in one file: each line has its answer, whatever stands on the others.
@Suite struct RequestLineTests {
  private static let good = #"{"receipt-data": "AAAA"}"#

  private func statuses(_ text: String) throws -> [String] {
    try TemporaryFolder.with(["requests.ndjson": text]) { folder in
      let v2 = Folder.package("Examples/migration/v2.ndjson")
      let run = try Program.shell("cd '\(folder.path)' && slipcast verify-receipt --v2 '\(v2)' requests.ndjson")
      return run.output.split(separator: "\n").map(String.init)
    }
  }

  private static func answer(_ status: Int) -> String { #"{"status":\#(status)}"# }

  @Test(arguments: [
    ("hello\n\(good)\n{}\n", [21000, 21002, 21002]), ("\(good)\nhello\n{}\n", [21002, 21000, 21002]),
    ("receipt-data=AAAA&password=x\n\(good)\n", [21000, 21002]), ("hello\n\n{}\n", [21000, 21002]),
    ("\(good)\n{\"receipt-data\": \"AA\n", [21002, 21000]),
    ("{\"receipt-data\"\n\(good)\n\(good)\n", [21000, 21002, 21002]),
    ("{}{}\n{}\n", [21000, 21002]),
  ])
  func everyLineHasItsAnswer(_ text: String, _ expected: [Int]) throws {
    #expect(try statuses(text) == expected.map(Self.answer))
  }

  /// One request over several lines, whole or broken, is one; so is a text of which no line is a request.
  @Test(arguments: [
    ("{\n  \"receipt-data\": \"AAAA\"\n}\n", 21002), ("{\n  \"receipt-data\":\n    \"AAAA\",\n", 21000),
    ("hello\n", 21000),
    ("hello\nworld\n", 21000), ("", 21000),
  ])
  func oneRequestOverSeveralLinesIsOne(_ text: String, _ expected: Int) throws {
    #expect(try statuses(text) == [Self.answer(expected)])
  }
}
