import Foundation
import SlipcastTestSupport
import Testing

/// Records of a store as input, and answers whose lines have several forms.
@Suite struct StoreInputTests {
  /// Runs shell lines in a folder of their own with a few records.
  private func shell(_ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let record = try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
    let flat =
      #"{"notification_type":"INITIAL_BUY","environment":"PROD","unified_receipt":{"latest_receipt_info":{"bid":"com.a","#
      + #""product_id":"p","transaction_id":"1","original_transaction_id":"1","purchase_date_ms":"1560000000000","#
      + #""expires_date":"1562592000000"}}}"#
    let (one, two) = (Self.answer("com.one"), Self.answer("com.two"))
    for (name, records) in [
      ("one.ndjson", [record]), ("mixed.ndjson", [record, flat, one, two]), ("answers.ndjson", [one, two, one]),
    ] {
      let text = records.map { $0 + "\n" }.joined()
      try text.write(to: folder.url.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    return try Program.shell("cd '\(folder.path)'\n\(lines)")
  }

  /// An answer about an app without purchases.
  private static func answer(_ app: String) -> String {
    #"{"status":0,"environment":"Production","receipt":{"receipt_type":"Production","bundle_id":"\#(app)","#
      + #""request_date_ms":"1560000000000","in_app":[]}}"#
  }

  @Test func optionsThatItsRecordsWouldNotFollowAreRefused() throws {
    let run = try shell(
      """
      slipcast convert one.ndjson --to s.sqlite --execute --quiet; slipcast identity --quiet id > /dev/null
      refused() { slipcast convert "$@" 2>&1 > /dev/null | grep -c -- "--[a-z-]* does not go with the store "; }
      for option in '--sign id --app-apple-id 7' --plain '--emit history' --verify --require-verified '--provenance p' \\
        --settle '--app-apple-id 7' '--keep-bodies --to t.sqlite' '--body /body' '--received-at /at' '--id /id'; do
        refused s.sqlite $option
      done
      for option in '--sign id' --plain --require-verified; do refused s.sqlite one.ndjson $option; done
      slipcast convert s.sqlite --plain 2> /dev/null; echo "status $?"
      slipcast convert s.sqlite one.ndjson --app-apple-id 7 --quiet | grep -c .
      slipcast convert s.sqlite --emit auto --quiet | grep -c .
      slipcast convert s.sqlite --plain --quiet --to t.csv; echo "status $?"
      """)
    let refused = String(repeating: "1\n", count: 15)
    #expect(run.output == refused + "status 2\n2\n1\nstatus 0\n", "\(run.output) \(run.errors)")
  }

  @Test(arguments: ["bundle", "date"])
  func aStoreIsDividedLikeItsRecords(_ division: String) throws {
    let run = try shell(
      """
      slipcast convert mixed.ndjson --to one --split \(division) --quiet
      slipcast convert mixed.ndjson --to s.sqlite --execute --quiet
      slipcast convert s.sqlite --to two --split \(division) --quiet
      diff -r one two && ls one
      """)
    let files =
      division == "bundle"
      ? "com.a.ndjson\ncom.example.slipcast.ndjson\ncom.one.ndjson\ncom.two.ndjson\n"
      : "2019-06-08.ndjson\n2023-03-20.ndjson\n"
    #expect(run.output == files, "\(run.output) \(run.errors)")
  }

  /// An empty history has no row in a table, and signatures are random: the content decides.
  @Test(arguments: ["--to o.ndjson", "--to o.csv", "--sign id", "--to o.csv --dry-run", "--plain"])
  func theNumberOfDuplicateAnswersDependsOnNoForm(_ target: String) throws {
    let run = try shell(
      """
      slipcast identity --quiet id > /dev/null
      slipcast convert answers.ndjson --dedupe \(target) 2>&1 > /dev/null \
        | awk '$1 == "converted" || $1 == "duplicate" { print $2 }'
      """)
    #expect(run.output == "2\n1\n", "\(run.output) \(run.errors)")
  }
}
