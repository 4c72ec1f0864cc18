import Foundation
import SlipcastTestSupport
import Testing

/// A store is a file that others can change: no number in it makes a reader trap.
@Suite struct ChangedStoreTests {
  @Test(arguments: ["findings"])
  func extremeNumbersAreReadOrRefused(_ table: String) throws {
    try Workplace.with { place in
      let run = try place.shell(
        """
        slipcast convert --quiet '\(Folder.package("Examples/migration"))'/v1.ndjson --to a.sqlite --execute
        cat > in/change.py <<'END'
        import shutil, sqlite3, subprocess, sys
        columns = sqlite3.connect("a.sqlite").execute("SELECT name, type FROM pragma_table_info('\(table)')").fetchall()
        for name in [name for name, kind in columns if "INT" in kind.upper()]:
            for value in (2**63 - 1, -2**63):
                shutil.copy("a.sqlite", "b.sqlite")
                db = sqlite3.connect("b.sqlite")
                db.execute("PRAGMA ignore_check_constraints = 1")
                try:
                    db.execute(f"UPDATE \(table) SET {name} = {value}")
                except sqlite3.IntegrityError:
                    db.execute(f"UPDATE \(table) SET {name} = {value} WHERE rowid = (SELECT max(rowid) FROM \(table))")
                db.commit(); db.close()
                status = subprocess.run([sys.argv[1], "convert", "b.sqlite"], capture_output=True).returncode
                print("fine" if 0 <= status <= 2 else f"{name} {value}: {status}")
        END
        python3 in/change.py '\(Program.path)' | sort | uniq -c | sed 's/^ *[0-9]* *//'
        """)
      #expect(run.output == "fine\n", "\(run.output) \(run.errors)")
    }
  }
}
