import Foundation
import SlipcastTestSupport
import Testing

/// What `convert` says and leaves behind when it ends early, and which options it refuses.
@Suite struct EndedRunTests {
  private static let fixtures = Folder.package("Fixtures")
  private static let good = "\(Self.fixtures)/notifications/did-renew/v1.json"

  /// Runs lines of a shell in a folder with `in.ndjson`: three good records and a bad one before the last.
  private func shell(_ lines: String) throws -> Program {
    try Program.shell(
      """
      cd "$(mktemp -d)"; cat '\(Self.good)' '\(Self.good)' > in.ndjson; echo '{"x":1}' >> in.ndjson
      cat '\(Self.good)' >> in.ndjson
      \(lines)
      rm -r "$PWD"
      """)
  }

  @Test func theCommandThatIsPrintedAtAStopConvertsTheRest() throws {
    let run = try shell(
      """
      convert() { slipcast convert in.ndjson --on-error stop --rejects rej --to "$@"; }
      convert o.ndjson --checkpoint c; convert o.ndjson --checkpoint c --resume; grep -c . o.ndjson rej
      convert s.sqlite --execute; convert s.sqlite --execute --resume
      slipcast convert s.sqlite --quiet | grep -c .; ls
      """)
    let expected = "o.ndjson:3\nrej:1\n1\nc\nin.ndjson\no.ndjson\nrej\ns.sqlite\n"
    #expect(run.output == expected, "\(run.output) \(run.errors)")
    #expect(run.errors.contains("The rejects until then are in rej.part\nTo resume: slipcast convert"))
  }

  @Test func rejectsOfAGroupedRunGetTheirNameBecauseItCannotBeResumed() throws {
    let run = try shell("slipcast convert in.ndjson --group --on-error stop --rejects rej; grep -c . rej; ls")
    #expect(run.output == "1\nin.ndjson\nrej\n", "\(run.output) \(run.errors)")
  }

  @Test func aLimitOfRejectsMayBeRaisedToResume() throws {
    let run = try shell(
      """
      convert() { slipcast convert in.ndjson --max-rejects "$@" --to o.ndjson --checkpoint c; echo "status $?"; }
      convert 0; convert 1 --resume; grep -c . o.ndjson
      """)
    #expect(run.output == "status 2\nstatus 1\n3\n", "\(run.output) \(run.errors)")
    #expect(run.errors.contains("To resume, with a larger number for --max-rejects: slipcast convert --resume"))
  }

  @Test func optionsThatHaveNoEffectAreRefused() throws {
    let run = try shell(
      """
      slipcast convert in.ndjson --to o --checkpoint c --dry-run; echo "status $?"
      slipcast convert in.ndjson --dedupe-memory 8; echo "status $?"; ls
      """)
    #expect(run.output == "status 2\nstatus 2\nin.ndjson\n", "\(run.output)")
    #expect(run.errors.contains("--checkpoint does not go with --dry-run"), "\(run.errors)")
    #expect(run.errors.contains("--dedupe-memory has no effect without --dedupe"), "\(run.errors)")
  }

  @Test func endingsCountInUpperCaseToo() throws {
    let run = try shell(
      """
      slipcast convert --quiet in.ndjson --to o.NDJSON.GZ; gzip -dc < o.NDJSON.GZ | grep -c .
      slipcast convert --quiet in.ndjson --to o.SQLITE --execute; head -c 6 o.SQLITE
      """)
    #expect(run.output == "3\nSQLite", "\(run.output) \(run.errors)")
  }

  /// PostgreSQL prints `bytea` so.
  @Test func aBinaryReceiptInDigitsIsReadInARow() throws {
    let run = try shell(
      """
      receipt='\(Self.fixtures)/receipts/signed/app-production-binary/receipt.der'
      (echo id,b; echo '1,\\x'"$(od -An -v -tx1 "$receipt" | tr -d ' \\n')") > rc.csv
      slipcast convert --quiet rc.csv --body b > digits; slipcast convert --quiet "$receipt" | cmp - digits; echo $?
      """)
    #expect(run.output == "0\n", "\(run.output) \(run.errors)")
  }

  @Test func aPipeIsNoStore() throws {
    let run = try shell("mkfifo p.sqlite; slipcast convert in.ndjson --to p.sqlite --execute; echo $?")
    #expect(run.output == "2\n" && run.errors.contains("it is not a file"), "\(run.errors)")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/runuser") && geteuid() == 0))
  func aStoreThatMayNotBeReadIsNotCalledSomethingElse() throws {
    let run = try shell(
      """
      slipcast convert --quiet in.ndjson --to s.sqlite --execute; chmod 755 .; chmod 400 s.sqlite
      runuser -u nobody -- '\(Program.path)' convert --quiet '\(Self.good)' --to s.sqlite --execute; echo $?
      """)
    #expect(run.output == "2\n" && run.errors.contains("s.sqlite: cannot open the store: Permission denied"))
  }

  @Test func aFolderIsFilledWithFewOpenFiles() throws {
    let run = try shell(
      """
      for day in {1..80}; do echo "{\\"body\\":$(cat '\(Self.good)' | tr -d '\\n'),\\"at\\":$((1650000000 + day * 86400))}"
      done > days.ndjson
      (ulimit -n 40; slipcast convert --quiet days.ndjson --body body --received-at at --split date --to days)
      echo $?; ls days | grep -c 'ndjson$'
      """)
    #expect(run.output.hasPrefix("0\n"), "\(run.output) \(run.errors)")
  }
}
