import SlipcastTestSupport
import Testing

/// Records that reach one store in several runs: the events are those of one run over all of them.
@Suite struct LaterRunTests {
  /// `DuplicateTests` tries all of them; of the ways that runs are divided, every third shows as much.
  private static let cases = DuplicateTests.cases.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
  /// Every message has a received time, and no two of them the same.
  private static let timed = DuplicateTests.cases.filter { example in
    let words = example.messages.split(separator: " ")
    return words.allSatisfy { $0.contains("@") } && Set(words.map { $0.drop { $0 != "@" } }).count == words.count
  }.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
  private static let ids = #"""
    ids() { slipcast convert --quiet "$1" | grep -o '"notificationUUID":"[^"]*"' | sort; }
    count() { wc -l < "$1" | tr -d ' '; }
    """#

  @Test(arguments: cases)
  func aRunThatIsRepeatedAddsNothing(_ example: DuplicateTests.Case) throws {
    let run = try Deliveries(example.messages).shell(
      """
      \(Self.ids)
      slipcast convert $how in.ndjson --to s.sqlite --execute --quiet; ids s.sqlite > one; count one
      for i in 1 2; do slipcast convert $how in.ndjson --to s.sqlite --execute --quiet; ids s.sqlite | cmp - one; done
      """)
    #expect(run.output == "\(example.events)\n", "\(run.output) \(run.errors)")
  }

  @Test(arguments: timed)
  func messagesInRunsOfTheirOwnAreTheSameEvents(_ example: DuplicateTests.Case) throws {
    let run = try Deliveries(example.messages).shell(
      """
      \(Self.ids)
      slipcast convert $how in.ndjson --to one.sqlite --execute --quiet; ids one.sqlite > one; count one
      split -l 1 in.ndjson part.
      runs() { for part in part.*; do slipcast convert $how $part --to s.sqlite --execute --quiet; done; }
      runs; ids s.sqlite | cmp - one; runs; ids s.sqlite | cmp - one
      """)
    #expect(run.output == "\(example.events)\n", "\(run.output) \(run.errors)")
  }

  /// Without any time nothing distinguishes a separate request from one of an overlapping export.
  @Test(arguments: ["C", "A"])
  func anEqualMessageWithoutAnyTimeIsTheSameOneAndAFinding(_ letter: String) throws {
    let run = try Deliveries(letter).shell(
      """
      slipcast convert $how in.ndjson --to s.sqlite --execute 2>&1 | grep -c repeatOfEarlierRun
      slipcast convert $how in.ndjson --to s.sqlite --execute --provenance p 2>&1 | grep -c 'repeatOfEarlierRun *1$'
      grep -o '"code":"repeatOfEarlierRun"' p
      """)
    #expect(run.output == "0\n1\n\"code\":\"repeatOfEarlierRun\"\n", "\(run.output) \(run.errors)")
  }

  @Test func aResumedLaterRunKnowsTheEarlierOnes() throws {
    let run = try Deliveries("A@0 B@1 C@2 x@3").shell(
      """
      \(Self.ids)
      for i in $(seq 300); do echo in.ndjson; done | xargs cat | sed 's/"at":1657/"at":1658/' > later.ndjson
      slipcast convert $how in.ndjson later.ndjson --to one.sqlite --execute --quiet; ids one.sqlite > one; count one
      slipcast convert $how in.ndjson --to s.sqlite --execute --quiet
      more="convert $how later.ndjson --to s.sqlite --execute --quiet --checkpoint-every 0"
      timeout -s INT 0.05 '\(Program.path)' $more 2>/dev/null
      slipcast $more --resume; ids s.sqlite | cmp - one
      """)
    #expect(run.output == "7\n", "\(run.output) \(run.errors)")
  }
}

/// What only the order of an archive shows is told of the record.
@Suite struct RepetitionAccountTests {
  @Test func aMessageThatComesTooLateIsNamed() throws {
    let run = try Deliveries("A@0 A@2 B@1").shell(
      """
      slipcast convert $how --provenance p --quiet in.ndjson > lines
      slipcast convert $how --dedupe --provenance q --quiet in.ndjson > lines
      for file in p q; do grep '"code":"repeatUndecided"' $file | grep -o '"record":[0-9]*'; done
      python3 -c 'import json; [json.loads(line) for name in "pq" for line in open(name)]'
      slipcast convert $how in.ndjson --to s.sqlite --execute --quiet
      python3 -c "
      import sqlite3
      print(sqlite3.connect('s.sqlite').execute('''SELECT f.code, f.occurrences, n.record FROM findings f
        JOIN notifications n ON n.place = f.place JOIN finding_codes c ON c.code = f.code
        WHERE f.code LIKE 'repeat%' ''').fetchall())"
      """)
    #expect(
      run.output == "\"record\":3\n\"record\":3\n[('repeatUndecided', 1, 3)]\n", "\(run.output) \(run.errors)")
  }

  @Test func aDuplicateWithOtherContentIsNamed() throws {
    let run = try Deliveries("x x y").shell(
      """
      slipcast convert $how --dedupe --provenance p --quiet in.ndjson | grep -c .
      grep -o '"record":[0-9]*' p; grep '"code":"repeatDiffers"' p | grep -o '"record":[0-9]*'
      """)
    #expect(run.output == "1\n\"record\":1\n\"record\":3\n\"record\":3\n", "\(run.output) \(run.errors)")
  }
}
