import SlipcastTestSupport
import Testing

/// What a message advises can be typed: the command has the option, and the option does what is said.
@Suite struct AdviceTests {
  private func shell(_ lines: String) throws -> Program {
    try Workplace.with { place in
      try place.copyExample()
      return try place.shell(
        """
        write() { python3 -c 'import csv, sys; csv.writer(sys.stdout, delimiter=sys.argv[1]).writerows([["body", "at"], *[[l, 1] for l in open(sys.argv[2])][:3]])' "$@"; }
        write ';' in/v1.ndjson > in/semi.csv; write , in/v1.ndjson > in/comma.csv; write , in/v2.ndjson > in/server.csv
        sed 's/^/got /' in/v1.ndjson > in/app.log; head -n 3 in/v2.ndjson | tr -d '\\r' > in/three.ndjson
        slipcast identity --quiet in/id
        \(lines)
        """)
    }
  }

  /// Every command that reads tables has the options that say how.
  @Test(arguments: ["inspect", "verify"])
  func aTableIsReadAsItsMessageSays(_ command: String) throws {
    let run = try shell(
      """
      slipcast \(command) --body body in/semi.csv 2>&1 | grep -c -- "--separator ';'"
      slipcast \(command) --format json --body body --separator ';' in/semi.csv 2> told | grep -c .; grep -c 'Try: ' told
      slipcast \(command) --format json --body body --csv - < in/comma.csv 2> told | grep -c .; grep -c 'Try: ' told
      tr , '\\t' < in/comma.csv > in/any; slipcast \(command) --body body --tsv plain in/any 2>&1 | grep -c 'unknown option'
      slipcast \(command) --format json --from-logs in/app.log 2> told | grep -c .; grep -c 'Try: ' told
      """)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines == ["1", "3", "0", "3", "0", "0", "12", "0"], "\(run.output) \(run.errors)")
  }

  @Test func signReadsTablesToo() throws {
    let run = try shell(
      """
      slipcast sign in/id in/semi.csv 2>&1 | grep -c -- "--separator ';'"
      slipcast sign in/id --separator ';' in/semi.csv 2>&1 | grep -c 'unknown option'
      """)
    #expect(run.output == "1\n0\n", "\(run.output) \(run.errors)")
  }

  /// Its columns have known names, so that the first line shows the separator.
  @Test(arguments: [",", ";", "\t", "|"])
  func theSeparatorOfUserIdsIsSeen(_ separator: String) throws {
    let run = try shell(
      """
      printf 'original_transaction_id\(separator)user_id\\n1\(separator)u\\n' > in/users.csv
      slipcast export --for adapty in/v2.ndjson --users in/users.csv --to out.csv > /dev/null 2> told
      grep -c 'separator\\|expected a column' told
      """)
    #expect(run.output == "0\n", "\(run.output) \(run.errors)")
  }

  /// Rejects are kept only by commands that have --rejects.
  @Test func moreRejectsThanAreShownAreOnlyCounted() throws {
    let run = try shell(
      """
      yes '{"a":1}' | head -n 15 > in/many.ndjson; echo '{}' > in/request.json
      slipcast verify-receipt in/request.json --v2 in/many.ndjson 2>&1 > /dev/null | grep '^… and'
      slipcast convert in/many.ndjson 2>&1 > /dev/null | grep '^… and'
      """)
    #expect(run.output == "… and 10 more\n… and 10 more; --rejects FILE keeps them all\n", "\(run.output)")
  }

  /// The value stands where a file was expected: it may be the secret itself.
  @Test(arguments: [
    "verify-receipt --v2 in/v2.ndjson --shared-secret TOPSECRET in/three.ndjson",
    "serve --journal j --listen 127.0.0.1:0 --shared-secret TOPSECRET",
    "ui store.sqlite --listen 127.0.0.1:0 --token TOPSECRET",
    "fetch history --id 1 --bundle-id a --execute --key-id K --issuer I --key TOPSECRET",
  ])
  func aSecretInPlaceOfItsFileIsNotShown(_ words: String) throws {
    let run = try shell(
      """
      slipcast convert --quiet --exit-zero in/v1.ndjson --to store.sqlite --execute
      timeout 20 '\(Program.path)' \(words) > all 2>&1 < /dev/null; echo $?; grep -c TOPSECRET all
      grep -cE -- '--(shared-secret|token|key): ' all
      """)
    #expect(run.output == "2\n0\n1\n", "\(run.output) \(run.errors)")
  }

  @Test(arguments: [
    "export --for adapty in/v2.ndjson --to x/", "convert --emit verify-receipt in/v2.ndjson --to x/",
    "timeline in/v1.ndjson --to x/", "fetch history --id 1 --bundle-id a --to x/",
    "fetch history --id 1 --bundle-id a --to in",
    "timeline in/v1.ndjson --to in", "export --for adapty in/v2.ndjson --to in",
  ])
  func aFolderIsNoFile(_ words: String) throws {
    let run = try shell(
      "slipcast \(words) > /dev/null 2> told; echo $?; grep -c 'is a folder; name a file' told; ls -d x")
    #expect(run.output == "2\n1\n", "\(run.output) \(run.errors)")
  }

  @Test func everyStatusOfVerifyReceiptIsExplained() throws {
    let run = try shell("for status in 21000 21010 21100 21199; do slipcast explain $status > /dev/null; echo $?; done")
    #expect(run.output == "0\n0\n0\n0\n", "\(run.output) \(run.errors)")
  }
}
