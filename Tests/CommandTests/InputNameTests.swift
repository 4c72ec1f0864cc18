import SlipcastTestSupport
import Testing

/// Names of members that no row has are refused; a member that came with a later file is found.
@Suite struct InputNameTests {
  /// More rows than are searched in a file.
  private static let rows =
    #"printf '{"body":%s}\n' "$(tr -d '\n' < $V1)" > row; for i in $(seq 1100); do cat row; done > 2019.ndjson"#
  private static let later = #"printf '{"body":%s,"at":1657000000000}\n' "$(tr -d '\n' < $V1)" > 2021.ndjson"#

  private func run(_ files: String) throws -> Program {
    let v1 = "\(Folder.package("Fixtures"))/notifications/did-renew/v1.json"
    return try TemporaryFolder.with { folder in
      try Program.shell(
        "cd '\(folder.path)'; V1='\(v1)'; \(Self.rows); \(Self.later)\n"
          + "slipcast convert --quiet --body body --received-at at \(files)")
    }
  }

  @Test(arguments: [("2019.ndjson 2021.ndjson", 1101), ("2021.ndjson 2019.ndjson", 1101), ("2021.ndjson", 1)])
  func aMemberThatOneFileHasIsFound(_ files: String, _ lines: Int) throws {
    let run = try run(files)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.split(separator: "\n").count == lines)
  }

  @Test func aMemberThatNoFileHasIsRefusedWithTheNamesThatExist() throws {
    let run = try run("2019.ndjson 2019.ndjson")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.errors.contains("--received-at /at: none of the first rows has it; they have body"), "\(run.errors)")
  }

  /// Whatever else a command asks about its input first.
  @Test(arguments: ["convert", "timeline", "inspect", "verify", "detect"])
  func aLocationOnTheNetworkIsNamedWithTheCommandThatCopiesIt(_ command: String) throws {
    let run = try Program.shell("slipcast \(command) s3://bucket/exports/march.ndjson.gz")
    #expect(run.status == 2 && run.errors.contains("aws s3 cp s3://bucket/exports/march.ndjson.gz"), "\(run.errors)")
  }
}
