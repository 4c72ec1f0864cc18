import SlipcastTestSupport
import Testing

/// A name that no row has is refused before anything is written, whatever the rows come from; what was looked at is read
/// all the same.
@Suite struct StreamNameTests {
  /// `rows.csv`, `rows.ndjson`, `app.log`, `b64.txt`, `rows.db` and a journal, each with a few messages.
  private static func prepare(_ folder: TemporaryFolder) throws {
    let record = try Fixture.named("notifications/did-renew").text("v1.json").split(separator: "\n").joined()
    let cell = "\"" + record.replacing("\"", with: "\"\"") + "\""
    try folder.write("rows.csv", "id,payload\n1,\(cell)\n2,\(cell)\n")
    try folder.write("rows.ndjson", "{\"id\":1,\"payload\":\(record)}\n{\"id\":2,\"payload\":\(record)}\n")
    try folder.write("bare.ndjson", record + "\n")
    try folder.write("app.log", "INFO got \(record)\nINFO done\n")
    try folder.write("record.json", record)
    try folder.write("kept.ndjson", "kept\n")
  }

  private func run(_ lines: String) throws -> (program: Program, kept: String) {
    try TemporaryFolder.with { folder in
      try Self.prepare(folder)
      let program = try Program.shell("cd '\(folder.path())'; \(Self.more)\n\(lines)")
      return (program, String(decoding: try folder.read("kept.ndjson"), as: UTF8.self))
    }
  }

  private static let more = """
    base64 -w0 record.json > b64.txt
    python3 -c 'import sqlite3; d = sqlite3.connect("rows.db"); d.execute("CREATE TABLE v1 (id INTEGER PRIMARY KEY, body TEXT)"); d.executemany("INSERT INTO v1 (body) VALUES (?)", [(open("record.json").read(),)] * 3); d.commit()'
    """

  static let missing: [(line: String, says: String)] = [
    (
      "cat rows.csv | slipcast convert --csv --body nope -",
      "--body /nope: none of the first rows has it; they have id, payload"
    ),
    (
      "slipcast convert --csv --body nope - < rows.csv",
      "--body /nope: none of the first rows has it; they have id, payload"
    ),
    ("cat rows.csv | slipcast convert --csv --body payload --id nope -", "--id /nope: none"),
    ("cat rows.csv | slipcast convert --csv --body payload --received-at nope -", "--received-at /nope: none"),
    ("cat rows.ndjson | slipcast convert --body paylod -", "did you mean payload?"),
    ("slipcast convert --body payload --id nope <(cat rows.ndjson)", "--id /nope: none"),
    ("gzip -c rows.ndjson | slipcast convert --body payload --id nope -", "--id /nope: none"),
    ("slipcast convert --from-logs --id nope app.log", "--id /nope: none of the first rows has it; they have"),
    ("slipcast convert --id nope b64.txt", "--id /nope: none of the first rows has it; they have no members"),
    (
      "slipcast convert --id nope 'sqlite:rows.db?table=v1&key=id&body=body'",
      "--id /nope: none of the first rows has it"
    ),
    ("slipcast convert --body nope 'sqlite:rows.db?table=v1&key=id&body=body'", "--body /nope: none"),
  ]

  @Test(arguments: missing.indices)
  func aNameThatNoRowHasIsRefusedBeforeAnythingIsWritten(_ place: Int) throws {
    let (line, says) = Self.missing[place]
    let (run, kept) = try run(line + " --to kept.ndjson")
    #expect(run.status == 2 && run.errors.contains(says), "\(line): \(run.errors)")
    #expect(kept == "kept\n")
  }

  /// More than is looked at, in pieces as a pipe has them.
  static let whole: [String] = [
    "rows.csv --csv --body payload --id id", "rows.ndjson --body payload --id id", "bare.ndjson --id bid",
    "app.log --from-logs --id bid",
  ]

  @Test(arguments: whole) func whatWasLookedAtIsReadAllTheSame(_ words: String) throws {
    let parts = words.split(separator: " ", maxSplits: 1)
    let (run, _) = try run(
      """
      for i in $(seq 400); do tail -n +2 rows.csv; done > more; cat more >> rows.csv
      for name in rows.ndjson bare.ndjson app.log; do for i in $(seq 400); do cat $name; done > more; mv more $name; done
      slipcast convert --quiet \(words) > a
      cat \(parts[0]) | slipcast convert --quiet \(parts[1]) - > b
      slipcast convert --quiet \(parts[1]) - < \(parts[0]) > c
      slipcast convert --quiet \(parts[1]) <(cat \(parts[0])) > d
      cat \(parts[0]) | slipcast convert --quiet --settle \(parts[1]) - > e; wc -l < a; wc -l < e
      cmp a b && cmp a c && cmp a d && echo same
      """)
    let said = run.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    #expect(said.last == "same", "\(run.output) \(run.errors)")
    #expect(said.first == said.dropFirst().first && Int(said[0]).map { $0 >= 400 } == true, "\(run.output)")
  }

  @Test func rowsOfADatabaseThatWereLookedAtAreReadAllTheSame() throws {
    let (run, _) = try run(
      """
      slipcast convert --quiet 'sqlite:rows.db?table=v1&key=id&body=body' > a
      slipcast convert --quiet --id bid 'sqlite:rows.db?table=v1&key=id&body=body' > b
      slipcast convert --quiet --settle --id bid 'sqlite:rows.db?table=v1&key=id&body=body' > c
      wc -l < a; wc -l < c; cmp a b && echo same
      """)
    #expect(
      run.output.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } } == ["3", "3", "same"], "\(run.errors)")
  }

  // MARK: files of archives

  @Test(arguments: ["convert", "timeline"])
  func anArchiveWithoutAFileOfTheNamesIsRefused(_ command: String) throws {
    let archive = "python3 -c 'import zipfile; zipfile.ZipFile(\"a.zip\", \"w\").write(\"bare.ndjson\")'"
    for input in ["a.zip", "- < a.zip", "<(cat a.zip)"] {
      let (run, kept) = try run("\(archive); slipcast \(command) --include '*.zzz' --to kept.ndjson \(input)")
      #expect(run.status == 2 && run.errors.contains("no file of the names of --include (*.zzz)"), "\(run.errors)")
      #expect(kept == "kept\n")
    }
    let (run, _) = try run("\(archive); cat a.zip | slipcast \(command) --quiet --include '*.ndjson' -")
    #expect(run.status == 0 && run.output.contains("DID_RENEW"), "\(run.output) \(run.errors)")
  }
}
