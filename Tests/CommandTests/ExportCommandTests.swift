import SlipcastTestSupport
import Testing

/// What counts in the file of a provider, and how the run ends.
@Suite struct ExportCommandTests {
  private static let archive = "\(Folder.package("Fixtures"))/archives/lives/v1.ndjson"
  private static let providers = Folder.package("Examples") + "/providers"
  private static let id = "7300170001001"

  private func run(_ lines: String) throws -> Program {
    try TemporaryFolder.with { folder in
      try Program.shell(
        """
        export TMPDIR='\(folder.path)'; cd '\(folder.path)'; grep '\(Self.id)' '\(Self.archive)' > rows.ndjson
        printf 'original_transaction_id,user_id\\n\(Self.id),a\\n' > users.csv; tac rows.ndjson > reversed.ndjson
        export_() { slipcast export --quiet --for revenuedot --users users.csv --to - "$@"; }
        \(lines)
        """)
    }
  }

  /// A recovery inside a grace period has the date of the bill that it paid: only its time of receipt shows that it is newer.
  @Test func theRecordThatCameLastCountsWhateverTheOrderOfTheFiles() throws {
    let run = try run(
      """
      export_ --body /body --received-at /received_at rows.ndjson > plain
      export_ --body /body --received-at /received_at reversed.ndjson > reversed
      slipcast detect --quiet rows.ndjson --to sources.json > /dev/null && export_ --sources sources.json > sources
      slipcast convert --quiet --execute --settle --body /body --received-at /received_at rows.ndjson --to a.sqlite
      export_ a.sqlite > store
      cmp plain reversed && cmp plain sources && cmp plain store; grep -o '"status":"[a-z_]*"' plain
      """)
    #expect(run.output == "\"status\":\"active\"\n", "\(run.output) \(run.errors)")
  }

  @Test func withoutTimesOfReceiptTheOrderOfTheFilesDecidesNothing() throws {
    let run = try run(
      """
      export_ --body /body rows.ndjson > plain; export_ --body /body reversed.ndjson > reversed; cmp plain reversed
      """)
    #expect(run.status == 0, "\(run.output) \(run.errors)")
  }

  @Test(arguments: [("", Int32(1)), ("--root '\(Self.providers)/root.der'", 0 as Int32)])
  func aReceiptThatIsNotTrustedIsAFinding(_ root: String, _ status: Int32) throws {
    let run = try run(
      """
      cd '\(Self.providers)'
      slipcast export --for revenuecat \(root) v1.ndjson --users users.csv --to - > /dev/null
      """)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains("not trusted") == (status == 1), "\(run.errors)")
  }

  /// A purchase that only lists show is not in a store.
  @Test(arguments: [true, false]) func whatAStoreLacksIsSaid(_ isStore: Bool) throws {
    let run = try run(
      """
      slipcast convert --quiet --execute --body /body rows.ndjson --to a.sqlite
      slipcast export --for revenuedot --users users.csv --to - \(isStore ? "a.sqlite" : "--body /body rows.ndjson") > out
      """)
    #expect(
      run.status == 0 && run.errors.contains("a.sqlite has one transaction of each V1 message") == isStore,
      "\(run.errors)")
  }

  /// The command that `detect` names is for typing as it is.
  @Test func theCommandThatKeepsServerRecordsKeepsThem() throws {
    let run = try run(
      """
      cp '\(Folder.package("Examples"))/migration/v2.ndjson' .
      eval "$(slipcast detect v2.ndjson | sed -n 's/^ *keep it: //p') --quiet" && ls *.sqlite
      """)
    #expect(run.output == "archive.sqlite\n", "\(run.output) \(run.errors)")
  }
}
