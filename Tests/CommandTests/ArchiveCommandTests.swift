import Foundation
import SlipcastTestSupport
import Testing

/// Whole archives, from where they lie to where they should go, as a user sees it.
@Suite struct ArchiveCommandTests {
  /// Runs shell lines in a folder of their own that holds `a.ndjson`, some hundred records, one of them broken.
  private func shell(_ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("a.ndjson", Self.archive)
    return try Program.shell("cd '\(folder.path)'; umask 022\n\(lines)")
  }

  private static let archive: String = {
    let record =
      (try? Fixture.named("notifications/did-renew").text("v1.json"))?.split(separator: "\n").joined() ?? "no fixture"
    let records = (100..<500).map { number in
      record.replacing(/7300005[0-9]{8}/) { String($0.output.dropLast(3)) + String(number) }
    }
    return (records[..<200] + ["{broken"] + records[200...]).joined(separator: "\n") + "\n"
  }()

  @Test(arguments: ["out.ndjson", "out.ndjson.gz", "out.ndjson.zst"])
  func aFileHoldsWhatStandardOutputWouldAndBelongsToItsOwner(_ name: String) throws {
    let run = try shell(
      """
      slipcast convert --quiet a.ndjson > plain.ndjson
      slipcast convert --quiet a.ndjson --to \(name); echo "status $?"
      slipcast convert x.none 2>/dev/null; echo "status $?"
      if [[ \(name) = *.gz ]]; then gzip -dc \(name); else python3 -c 'import sys; sys.stdout.buffer.write(open("\(name)", "rb").read())'; fi > back
      if [[ \(name) != *.zst ]]; then cmp back plain.ndjson && echo same; fi
      stat -c %a \(name) 2>/dev/null || stat -f %Lp \(name); ls
      """)
    #expect(run.output.contains("status 1\nstatus 2\n"))
    #expect(run.output.contains("600\n"))
    #expect(name.hasSuffix(".zst") || run.output.contains("same\n"))
    #expect(!run.output.contains(".part"))
  }

  @Test func aDatabaseIsWrittenOnlyWithExecuteAndGivesBackWhatItTook() throws {
    let run = try shell(
      """
      slipcast convert a.ndjson --to a.sqlite 2>&1 | grep 'dry run'; ls *.sqlite 2>/dev/null
      slipcast convert --quiet a.ndjson a.ndjson --to a.sqlite --execute; echo "status $?"
      slipcast convert --quiet a.ndjson > plain.ndjson
      slipcast convert --quiet a.sqlite | cmp - plain.ndjson && echo same
      slipcast convert a.ndjson --to a.sqlite 2>&1 | grep -o 'which contains.*notifications'
      slipcast convert --quiet a.sqlite --to b.sqlite --execute && slipcast convert --quiet b.sqlite | cmp - plain.ndjson && echo same again
      python3 -c 'import sqlite3; print(sqlite3.connect("a.sqlite").execute("select code, input, inputOmitted, length from rejects").fetchall())'
      slipcast convert --quiet a.ndjson --to a.ndjson --execute; echo "status $?"
      slipcast convert --quiet a.ndjson --to c.sqlite --execute --plain; echo "status $?"; ls c.sqlite
      """)
    #expect(run.output.contains("With --execute 400 records would go to a.sqlite, which would be made"))
    #expect(run.output.contains("status 1\nsame\nwhich contains 400 notifications"))
    #expect(run.output.contains("('syntax', None, 'unparsed', 7)"), "\(run.output)")
    #expect(run.output.hasSuffix("]\nstatus 2\nstatus 2\n"), "\(run.output)")
    #expect(run.output.contains("same again\n"))
  }

  @Test func rowsOfATableOfOthersAreConvertedWithKeyAndTime() throws {
    let run = try shell(
      """
      python3 - <<'END'
      import sqlite3
      base = sqlite3.connect("shop.db")
      base.execute("create table v1 (id integer primary key, body blob, at text)")
      for number, line in enumerate(open("a.ndjson"), 1):
          base.execute("insert into v1 values (?, ?, ?)", (number, line, f"2022-05-01T10:00:{number % 60:02}Z"))
      base.execute("insert into v1 values (900, null, null)")
      base.commit()
      END
      slipcast convert --rejects r.ndjson 'sqlite:shop.db?table=v1&key=id&received-at=at' 2>words > v2.ndjson; echo "status $?"
      tr -s ' ' < words | grep -E 'read|converted|rejected [0-9]'; grep -c 16513 v2.ndjson; cut -c1-240 r.ndjson
      slipcast convert 'sqlite:shop.db?table=none' ; echo "status $?"
      slipcast convert 'sqlite:shop.db?tabel=v1' ; echo "status $?"
      """)
    #expect(run.output.contains("status 1\n"))
    #expect(run.output.contains("read 402\nconverted 400\nrejected 2\n"), "\(run.output)")
    #expect(run.output.contains(#""code":"bodyMissing""#) && run.output.contains(#""code":"#))
    #expect(run.output.hasSuffix("status 2\nstatus 2\n"))
    #expect(run.errors.contains("tabel") && run.errors.contains("none"))
  }

  @Test func aRunGoesOnOnlyWithWhatItBeganWith() throws {
    let run = try shell(
      """
      head -c 100000 a.ndjson > half.ndjson
      slipcast convert --quiet a.ndjson --to o.ndjson --checkpoint c.json --checkpoint-every 0; echo "status $?"
      slipcast convert a.ndjson --to o.ndjson --checkpoint c.json --checkpoint-every 0 --resume; echo "status $?"
      python3 - <<'END'
      import hashlib, re
      # A checkpoint checks itself, so its digest is made anew.
      text = re.sub('"sha256":"[0-9a-f]{64}"', '"sha256":"' + "0" * 64 + '"', open("c.json").read(), count=1)
      text = text.replace('"finished"', '"running"')
      open("c.json", "w").write(text.replace("0" * 64, hashlib.sha256(text.encode()).hexdigest(), 1))
      END
      for change in 'half.ndjson --checkpoint-every 0 --resume' 'a.ndjson --checkpoint-every 0' 'a.ndjson --plain --checkpoint-every 0 --resume'; do
        slipcast convert --quiet $change --to o.ndjson --checkpoint c.json; echo "status $?"
      done
      echo >> a.ndjson; slipcast convert --quiet a.ndjson --checkpoint-every 0 --to o.ndjson --checkpoint c.json --resume; echo "status $?"
      echo nonsense > c.json; slipcast convert --quiet a.ndjson --to o.ndjson --checkpoint c.json --resume; echo "status $?"
      slipcast convert --quiet a.ndjson --checkpoint d.json; slipcast convert --quiet a.ndjson --to o --resume; ls
      """)
    #expect(
      run.output.hasPrefix("status 1\nstatus 1\nstatus 2\nstatus 2\nstatus 2\nstatus 2\nstatus 2\n"), "\(run.output)")
    for words in [
      "this run was finished before; there is nothing to do; it rejected ",
      "the inputs are others: a.ndjson then, half.ndjson now",
      "is the checkpoint of an unfinished run; continue it with --resume", "other options are given",
      "the content of a.ndjson is not what it was", "it is not a state that slipcast wrote", "--checkpoint needs --to",
      "--resume needs the --checkpoint FILE of the run",
    ] { #expect(run.errors.contains(words), "\(words)") }
  }

  /// A run may be killed between its last checkpoint and the removal of its event log.
  @Test func resumingAFinishedRunRemovesTheEventLogThatAKilledRunLeft() throws {
    let run = try shell(
      """
      convert() { slipcast convert --quiet a.ndjson --to o.ndjson --checkpoint c.json "$@"; }
      convert; echo "status $?"; head -c 56 /dev/zero > c.json.events.part
      convert --resume; echo "status $?"; ls c.json*
      """)
    #expect(run.output == "status 1\nstatus 1\nc.json\n", "\(run.output) \(run.errors)")
  }

  @Test func duplicatesAreCountedAndDroppedOnRequest() throws {
    let run = try shell(
      """
      slipcast convert a.ndjson a.ndjson --dedupe --split date --compress gz --to out/ 2>&1 | tr -s ' ' | grep -E '^(read|converted|duplicate|rejected) [0-9]'
      gzip -dc out/*.gz | sort > split; slipcast convert --quiet a.ndjson | sort | cmp - split && echo same; ls out | head -2
      slipcast convert --quiet a.ndjson --split 150 --to parts; ls parts; wc -l < parts/part-000003.ndjson
      slipcast convert --quiet a.ndjson --split 150 --to parts; echo "status $?"
      slipcast convert --quiet a.ndjson --to parts; slipcast convert --quiet a.ndjson --split x --to y
      slipcast convert --quiet a.ndjson --split bundle --to apps; ls apps
      """)
    #expect(run.output.contains("read 802\nconverted 400\nduplicate 400\nrejected 2\n"))
    #expect(run.output.contains("same\n"))
    #expect(
      run.output.contains("part-000001.ndjson\npart-000002.ndjson\npart-000003.ndjson\n100\nstatus 2\n"),
      "\(run.output)")
    #expect(run.output.contains("com.example.slipcast.ndjson"))
    #expect(run.errors.contains("there are files in it already"))
    #expect(run.errors.contains("add --split date, bundle or N") && run.errors.contains("not \"x\""))
  }

  @Test func theSummaryIsWrittenInEveryForm() throws {
    let run = try shell(
      """
      slipcast convert --quiet a.ndjson --summary s.json --summary s.csv --summary s.md --summary s.html --summary s.xml > /dev/null
      python3 - <<'END'
      import csv, json, xml.dom.minidom
      summary = json.load(open("s.json"))
      print(summary["end"], summary["read"], summary["converted"], summary["duplicate"], summary["rejected"], summary["sources"])
      rows = dict(csv.reader(open("s.csv")))
      print(rows["read"], rows["rejected"])
      run = xml.dom.minidom.parse("s.xml").documentElement
      print(run.getAttribute("end"), run.getElementsByTagName("converted")[0].firstChild.data)
      END
      grep -c '| rejected | 1 |' s.md; grep -c '>401</td>' s.html
      slipcast convert a.ndjson --summary s.txt; slipcast convert a.ndjson --summary a.ndjson
      """)
    #expect(
      run.output.hasPrefix("finished 401 400 0 1 ['a.ndjson']\n401 1\nfinished 400\n1\n1\n"),
      "\(run.output)\(run.errors)")
    #expect(run.errors.contains("ends with none of .json") && run.errors.contains("s.txt"))
  }

  @Test func progressAndManyRejectsAreSaidInWords() throws {
    let run = try shell(
      """
      for i in 1 2 3 4 5 6 7; do echo '{"bad":'; done > bad.ndjson
      slipcast convert bad.ndjson --rejects r.ndjson > /dev/null; echo "status $?"
      slipcast convert --progress bar --quiet a.ndjson 2>&1 >/dev/null | head -c 200
      slipcast convert a.ndjson bad.ndjson --max-rejects 3 --to o.ndjson; echo "status $?"; ls
      """)
    #expect(run.output.contains("status 1\n") && run.output.contains("status 2\n"))
    #expect(run.errors.contains("more than --max-rejects 3"))
    #expect(run.errors.contains("What was converted until then is in o.ndjson.part"))
    #expect(run.output.contains("o.ndjson.part\n"))
  }

  @Test func rejectsAreFedAgainAfterAFix() throws {
    let run = try shell(
      """
      slipcast convert --quiet a.ndjson --rejects r.ndjson.gz > one.ndjson; slipcast convert --quiet r.ndjson.gz; echo "status $?"
      gzip -dc r.ndjson.gz | sed 's/{broken/{}/' > again.ndjson; slipcast convert again.ndjson 2>&1 | grep -c 'rejected again.ndjson:1'
      """)
    #expect(run.output == "status 1\n1\n", "\(run.output)")
  }
}
