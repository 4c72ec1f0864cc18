import Foundation
import SlipcastTestSupport
import Testing

/// What Slipcast converted lacks what `parity` needs of version 1: it is told, never compared as if it were the archive.
@Suite struct ConvertedLegacyTests {
  private func shell(_ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let example = Folder.package("Examples/migration")
    let receipts = Folder.package("Fixtures/receipts")
    return try Program.shell(
      """
      export TMPDIR='\(folder.path)'; cd '\(folder.path)'; cp '\(example)'/*.ndjson .; cp -r '\(receipts)' receipts
      slipcast identity --quiet id
      \(lines)
      """)
  }

  @Test(arguments: ["", "--plain", "--group", "--sign id", "--to a.sqlite --execute"])
  func convertedNotificationsAreToldByName(_ options: String) throws {
    let run = try shell(
      """
      slipcast convert --quiet v1.ndjson \(options) > converted.ndjson 2> /dev/null
      legacy=converted.ndjson; [ -e a.sqlite ] && legacy=a.sqlite
      for command in parity 'baseline record --reason r --baseline b'; do
        slipcast $command --exit-zero --legacy $legacy --server v2.ndjson 2> words || \
          slipcast $command --legacy $legacy --server v2.ndjson > out 2> words; echo "status $?"; cat out words
      done; ls b
      """)
    #expect(run.output.hasPrefix("status 2\n"), "\(run.output) \(run.errors)")
    #expect(run.output.contains("\nstatus 2\n"), "\(run.output)")
    #expect(!run.output.contains("\nb\n"))
    for words in ["nothing was compared", "converted", "--legacy"] {
      #expect(run.output.contains(words), "\(run.output)")
    }
    // A store knows where its records came from.
    #expect(!options.contains("sqlite") || run.output.contains("v1.ndjson"), "\(run.output)")
  }

  @Test func standardInputIsNamedAsSuch() throws {
    let run = try shell(
      "slipcast convert --quiet v1.ndjson | slipcast parity --legacy - --server v2.ndjson; echo \"status $?\"")
    #expect(run.output == "status 2\n" && run.errors.contains("standard input, record 1"), "\(run.errors)")
  }

  /// One converted record among version 1 messages is enough: its pair would be judged by what is not there.
  @Test func oneConvertedRecordIsEnough() throws {
    let run = try shell(
      """
      (cat v1.ndjson; slipcast convert --quiet v1.ndjson | tail -n 1) > mixed.ndjson
      slipcast parity --legacy mixed.ndjson --server v2.ndjson > out; echo "status $?"; wc -c < out
      """)
    #expect(run.output == "status 2\n0\n", "\(run.output)")
    #expect(run.errors.contains("mixed.ndjson, record 91"), "\(run.errors)")
  }

  @Test(arguments: ["history", "statuses"], ["", "--plain", "--sign id"])
  func convertedAnswersAreToldToo(_ emit: String, _ options: String) throws {
    let run = try shell(
      """
      slipcast convert --quiet receipts --include v1.json --emit \(emit) > server.ndjson 2> /dev/null
      slipcast convert --quiet receipts --include v1.json --emit \(emit) \(options) > converted.ndjson 2> /dev/null
      wc -l < converted.ndjson
      slipcast parity --legacy converted.ndjson --server server.ndjson > out; echo "status $?"
      """)
    #expect(!run.output.hasPrefix("0\n") && run.output.hasSuffix("status 2\n"), "\(run.output) \(run.errors)")
    #expect(run.errors.contains("nothing was compared") && run.errors.contains("converted"), "\(run.errors)")
  }

  /// Samples are read a second time, out of a database too.
  @Test(arguments: ["&key=id", ""])
  func rowsOfDatabasesGiveTheSameResultAsFiles(_ key: String) throws {
    let run = try shell(
      """
      python3 - <<'END'
      import sqlite3
      base = sqlite3.connect("shop.db")
      for name in ("v1", "v2"):
          base.execute(f"create table {name} (id integer primary key, body text)")
          base.executemany(f"insert into {name} (body) values (?)", ((line,) for line in open(f"{name}.ndjson")))
      base.commit()
      END
      slipcast parity --quiet --legacy v1.ndjson --server v2.ndjson --report files.json
      slipcast parity --quiet --legacy 'sqlite:shop.db?table=v1\(key)' --server 'sqlite:shop.db?table=v2\(key)' \
        --report rows.json
      slipcast convert --quiet v1.ndjson --to a.sqlite --execute
      slipcast parity --quiet --legacy v1.ndjson --server a.sqlite --report store.json
      python3 - <<'END'
      import json
      files, rows, store = (json.load(open(name + ".json")) for name in ("files", "rows", "store"))
      def plain(value):
          # Rows of a table have ids, which lines have not.
          if isinstance(value, list): return [plain(item) for item in value]
          if not isinstance(value, dict): return value
          return {key: plain(item) for key, item in value.items() if key not in ("legacyId", "serverId", "id")}
      print(all(plain(files[name]) == plain(rows[name]) for name in ("verdict", "pairs", "fields", "types", "entitlement")))
      print("second time" in json.dumps(rows), "second time" in json.dumps(store))
      END
      """)
    #expect(run.output == "True\nFalse False\n", "\(run.output) \(run.errors)")
  }

  /// Converted records on the server's side agree with the archive that they came from: every form of the report states
  /// it.
  @Test(arguments: ["", "--plain", "--group", "--sign id", "--to a.sqlite --execute"])
  func convertedRecordsInThePlaceOfAppleAreReported(_ options: String) throws {
    let run = try shell(
      """
      slipcast convert --quiet v1.ndjson \(options) > converted.ndjson 2> /dev/null
      server=converted.ndjson; [ -e a.sqlite ] && server=a.sqlite
      for archive in $server v2.ndjson; do
        reports=$(for form in txt json md xml html; do echo "--report r.$form"; done)
        slipcast parity --quiet --legacy v1.ndjson --server $archive $reports 2> /dev/null
        for form in txt json md xml html; do tr '\\n' ' ' < r.$form | tr -s ' ' | grep -c 'made by Slipcast'; done
        grep -c '"convertedServer"' r.json
      done
      """)
    let expected = String(repeating: "1\n", count: 6) + String(repeating: "0\n", count: 6)
    #expect(run.output == expected, "\(run.output) \(run.errors)")
  }

  /// A V2 record among those of version 1 agrees with itself, and the report says so.
  @Test func notificationsOfAppleAmongThoseOfVersion1AreNoted() throws {
    let run = try shell(
      """
      (cat v1.ndjson; head -n 1 v2.ndjson) > both.ndjson
      for archive in v1.ndjson both.ndjson; do
        slipcast parity --quiet --legacy $archive --server v2.ndjson --report r.json > /dev/null 2> /dev/null
        grep -c '"serverInLegacy"' r.json
      done
      """)
    #expect(run.output == "0\n1\n", "\(run.output) \(run.errors)")
  }

  /// Apple's own notifications may be on both sides: two collections of the same events.
  @Test func notificationsOfAppleMayBeComparedWithEachOther() throws {
    let run = try shell("slipcast parity --quiet --legacy v2.ndjson --server v2.ndjson; echo \"status $?\"")
    #expect(run.output == "status 0\n", "\(run.output) \(run.errors)")
  }
}
