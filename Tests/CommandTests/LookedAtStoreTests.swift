import SlipcastTestSupport
import Testing

/// `inspect` and `verify` read what the other commands read: rows of a database, journals, stores.
@Suite struct LookedAtStoreTests {
  private func shell(_ lines: String) throws -> Program {
    let folder = try #require(OpenedEncodingTests.signedByApp)
    return try Workplace.with { place in
      try place.copyExample()
      return try place.shell(
        """
        cp '\(folder)/signed.ndjson' .; root='\(folder)/id/root.der'
        python3 -c 'import sqlite3
        base = sqlite3.connect("rows.db"); base.execute("create table t (id integer primary key, body text)")
        base.executemany("insert into t (body) values (?)", [[line] for line in open("signed.ndjson")]); base.commit()'
        \(lines)
        """)
    }
  }

  @Test func rowsOfADatabaseAreReadLikeLines() throws {
    let rows = "'sqlite:rows.db?table=t&key=id&body=body'"
    let run = try shell(
      """
      slipcast verify --format json --root $root \(rows) | grep -c '"verdict":"valid"'
      slipcast inspect --format json --root $root \(rows) | grep -c '"kind":"notification".*"verdict":"valid"'
      slipcast verify --format json --root $root \(rows) | grep -c '"input":"sqlite:rows.db'
      """)
    #expect(run.output == "3\n3\n3\n", "\(run.output) \(run.errors)")
  }

  /// The journal keeps the bodies as they came.
  @Test func aJournalIsReadLikeItsBodies() throws {
    let run = try shell(
      """
      timeout 60 '\(Program.path)' serve --journal j --listen 127.0.0.1:0 --root $root 2> log > /dev/null & server=$!
      for turn in $(seq 100); do port=$(grep -o '127.0.0.1:[0-9]*' log | head -n 1); [ -n "$port" ] && break; sleep 0.1; done
      while read -r line; do printf '%s' "$line" | curl -s -o /dev/null --data-binary @- "http://$port/"; done < signed.ndjson
      kill $server; wait $server
      slipcast verify --format json --root $root j | grep -c '"verdict":"valid"'
      slipcast inspect --format json --root $root j | grep -c '"kind":"notification".*"verdict":"valid"'
      """)
    #expect(run.output == "3\n3\n", "\(run.output) \(run.errors)")
  }

  /// Its records are decoded: they can be shown, and have no signature.
  @Test func aStoreIsShownAndHasNothingToVerify() throws {
    let run = try shell(
      """
      slipcast convert --quiet signed.ndjson --to store.sqlite --execute
      slipcast inspect --format json store.sqlite | grep -c '"kind":"notification"'
      slipcast verify store.sqlite; echo $?
      """)
    #expect(run.output == "3\n2\n", "\(run.output) \(run.errors)")
    #expect(
      run.errors.contains("store.sqlite is a store, which keeps decoded records without their signatures"),
      "\(run.errors)")
  }

  @Test func itsRecordsAreSigned() throws {
    let run = try shell(
      """
      slipcast identity --quiet id > /dev/null; slipcast convert --quiet signed.ndjson --to store.sqlite --execute
      slipcast sign --quiet id store.sqlite | slipcast verify --quiet --format json --root id/root.der | grep -c '"verdict":"valid"'
      """)
    #expect(run.output == "3\n", "\(run.output) \(run.errors)")
  }
}
