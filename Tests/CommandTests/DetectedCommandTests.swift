import SlipcastTestSupport
import Testing

/// What `detect` prints can be pasted into a shell, and does not show what a table without a header row begins with.
@Suite struct DetectedCommandTests {
  private func run(_ files: [String: String], _ lines: String) throws -> Program {
    try TemporaryFolder.with(files) { folder in try Program.shell("cd '\(folder.path())'; \(lines)") }
  }

  private static func record() throws -> String {
    try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
  }

  @Test func aCommandWithATabCanBePasted() throws {
    let cell = "\"" + (try Self.record()).replacing("\"", with: "\"\"") + "\""
    let run = try run(
      ["a\tb.csv": "id\tpayload\n1\t\(cell)\n"],
      "line=$(slipcast detect a*.csv | grep -A9 'read it:' | sed 's/read it://'); echo \"$line\" >&2; eval \"$line\" --quiet"
    )
    #expect(run.status == 0 && run.output.contains("notificationUUID"), "\(run.errors)")
    #expect(!run.errors.contains("\t"))
  }

  @Test(arguments: ["rows.csv", "rows", "rows.txt"])
  func aTableWithoutAHeaderRowIsNamedAndNoValueIsShown(_ name: String) throws {
    let cell = "\"" + (try Self.record()).replacing("\"", with: "\"\"") + "\""
    let run = try run(
      [name: "9027,2021-02-01,\(cell)\n9028,2021-02-02,\(cell)\n"],
      """
      slipcast detect \(name); echo status $?; slipcast detect --format json \(name); slipcast detect \(name) --to s.json
      ls; slipcast convert --csv \(name) --to o.ndjson --rejects r; echo status $?
      slipcast convert --csv --body payload - < \(name); cat o.ndjson r s.json
      """.replacing("--csv", with: name == "rows.csv" ? "" : "--csv"))
    #expect(run.output.contains("status 1") && run.output.contains("status 2"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("as the first line") && run.errors.contains("as the first line"))
    for text in [run.output, run.errors] {
      #expect(!text.contains("SECRET") && !text.contains("DID_RENEW") && !text.contains("2021-02-01"), "\(text)")
    }
  }

  /// SQLite takes the first row of a file that it imports as the names of columns.
  @Test func aTableOfADatabaseWithValuesAsNamesShowsNone() throws {
    let cell = "\"" + (try Self.record()).replacing("\"", with: "\"\"") + "\""
    let run = try run(
      ["rows.csv": "9027,\(cell)\n9028,\(cell)\n"],
      """
      python3 - <<'END'
      import csv, sqlite3
      rows = list(csv.reader(open("rows.csv")))
      names = ", ".join('"' + name.replace('"', '""') + '"' for name in rows[0])
      d = sqlite3.connect("rows.db"); d.execute(f"CREATE TABLE v1 ({names})"); d.executemany("INSERT INTO v1 VALUES (?, ?)", rows[1:]); d.commit()
      END
      slipcast detect sqlite:rows.db; slipcast convert 'sqlite:rows.db?table=v1&body=nope'; slipcast detect sqlite:rows.db --format json
      """)
    #expect(run.errors.contains("name("), "\(run.output) \(run.errors)")
    for text in [run.output, run.errors] { #expect(!text.contains("SECRET") && !text.contains("DID_RENEW"), "\(text)") }
  }
}
