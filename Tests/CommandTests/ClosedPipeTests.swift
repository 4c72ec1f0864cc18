import Foundation
import SlipcastTestSupport
import Testing

/// A reader that stops reading changes no verdict, and truncated data is not a success.
@Suite struct ClosedPipeTests {
  /// A folder with two archives that differ (`v1.ndjson`, `v2.ndjson`), one pair of them that differs (`one.v1`,
  /// `one.v2`), an empty baseline and a test identity; made once, and copied for each line.
  private static let desk = Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slipcast-\(UUID().uuidString)").path
    let made = try Program.shell(
      """
      mkdir '\(folder)'; cd '\(folder)'; cp '\(Folder.package("Examples/migration"))'/*.ndjson .
      head -n 1 v1.ndjson > one.v1; sed -n 30p v2.ndjson > one.v2; printf '{broken\\n' > broken
      slipcast baseline record --quiet --legacy v1.ndjson --server v2.ndjson --baseline b --reason r
      sed -i.old 's/"atMost":[0-9]*/"atMost":1/' b
      slipcast identity --quiet id; slipcast sign id v2.ndjson > signed.ndjson 2> /dev/null
      """)
    try #require(FileManager.default.fileExists(atPath: folder + "/signed.ndjson"), "\(made.errors)")
    return folder
  }

  /// Runs a line in a copy of the desk, whose reader is gone before the first byte is written.
  ///
  /// - Returns: its status on the first line, then what it wrote to standard error.
  private func withoutReader(_ line: String) throws -> String {
    try Program.shell(
      """
      folder=$(mktemp -d); cp -r '\(try Self.desk.get())'/. "$folder"; cd "$folder"; export TMPDIR=$folder
      (sleep 0.3; \(line) 2> said; echo $? > status) | true
      cat status said; rm -r "$folder"
      """
    ).output
  }

  @Test(
    arguments: ["text", "json", "html", "markdown", "junit"].flatMap { form in
      [
        "slipcast parity --legacy v1.ndjson --server v2.ndjson --format \(form)",
        "slipcast diff one.v1 one.v2 --format \(form)",
      ]
    } + [
      "slipcast verify signed.ndjson", "slipcast verify --format text signed.ndjson", "slipcast verify broken",
      "slipcast baseline check --legacy v1.ndjson --server v2.ndjson --baseline b",
      "slipcast parity --legacy v1.ndjson --legacy broken --server v2.ndjson --rejects -",
      "slipcast parity --quiet --legacy v1.ndjson --server v2.ndjson --report report.json --format json",
    ])
  func aVerdictKeepsItsStatus(_ line: String) throws {
    let said = try withoutReader(line)
    #expect(said.hasPrefix("1\n"), "\(said)")
    #expect(!said.lowercased().contains("pipe") && !said.contains("standard output"), "\(said)")
  }

  @Test(arguments: [
    "slipcast verify --root id/root.der signed.ndjson", "slipcast verify --exit-zero signed.ndjson",
    "slipcast diff --exit-zero one.v1 one.v2", "slipcast parity --exit-zero --legacy v1.ndjson --server v2.ndjson",
  ])
  func aVerdictThatIsFineStaysFine(_ line: String) throws {
    let said = try withoutReader(line)
    #expect(said.hasPrefix("0\n"), "\(said)")
  }

  @Test(arguments: [
    "convert v1.ndjson", "convert --exit-zero --group v1.ndjson", "inspect v1.ndjson", "timeline v1.ndjson",
    "timeline --format text v1.ndjson", "sign id v2.ndjson", "explain --list", "explain UPGRADE", "manual",
    "completions bash", "convert --help", "--help", "--version", "convert broken --to out --rejects -",
    "convert v1.ndjson --to out --provenance -",
  ])
  func dataThatIsCutOffIsNoSuccess(_ words: String) throws {
    let said = try withoutReader("slipcast \(words)")
    #expect(said.hasPrefix("2\n"), "\(said)")
    #expect(!said.lowercased().contains("pipe") && !said.contains("standard output"), "\(said)")
  }
}
