import Foundation
import SlipcastTestSupport
import Testing

/// Two archives on the command line: the worked example, gates, baselines, and what cannot be done.
@Suite struct ParityCommandTests {
  private func shell(_ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let example = Folder.package("Examples/migration")
    return try Program.shell(
      """
      export TMPDIR='\(folder.path)'; cd '\(folder.path)'; cp '\(example)'/*.ndjson .
      parity() { slipcast parity --quiet --legacy v1.ndjson --server v2.ndjson "$@"; }
      baseline() { verb=$1; shift; slipcast baseline $verb --legacy v1.ndjson --server v2.ndjson --baseline b.json "$@"; }
      \(lines)
      """)
  }

  /// V1 names a finished consumable only by its id: the refund is known, and its date is not.
  ///
  /// Source: S2, REFUND; mapping A1, "identify by top-level otid; date and reason then unknown".
  @Test func theRefundOfAnUnlistedConsumableEndsAccess() throws {
    let run = try shell(
      """
      cat > v1.ndjson <<'END'
      {"at":1678096803000,"body":{"notification_type":"REFUND","environment":"PROD","bid":"com.example.slipcast","original_transaction_id":901,"unified_receipt":{"status":0,"environment":"Production","latest_receipt_info":[]}}}
      END
      cat > v2.ndjson <<'END'
      {"notificationType":"REFUND","notificationUUID":"7bbf224e-7d95-40a7-88a0-a8b710000001","version":"2.0","signedDate":1678096802000,"data":{"bundleId":"com.example.slipcast","environment":"Production","transactionInfo":{"transactionId":"901","originalTransactionId":"901","bundleId":"com.example.slipcast","productId":"coins","purchaseDate":1677664800000,"originalPurchaseDate":1677664800000,"quantity":1,"type":"Consumable","inAppOwnershipType":"PURCHASED","environment":"Production","signedDate":1678096802000,"revocationDate":1678096800000,"revocationReason":0}}}
      END
      slipcast parity --legacy v1.ndjson --server v2.ndjson --body /body --received-at /at --format json | grep -o '"subscriptions":1,"same":[01]'
      """)
    #expect(run.output.hasSuffix("\"subscriptions\":1,\"same\":1\n"), "\(run.output)\(run.errors)")
  }

  /// Two halves of the example, divided by subscription, that know the time of the whole archives.
  @Test func partsOfArchivesAddUpToTheWhole() throws {
    let run = try shell(
      """
      parity --format json > whole.json
      python3 - <<'END'
      import json
      def id(line):
          line = json.loads(line)
          found = line.get("original_transaction_id") or line["data"]["transactionInfo"]["originalTransactionId"]
          return int(found)
      for name in ("v1", "v2"):
          for half in (0, 1):
              lines = [l for l in open(f"{name}.ndjson") if id(l) // 1000 % 2 == half]
              open(f"{name}-{half}.ndjson", "w").writelines(lines)
      END
      part() { n=$1; shift; slipcast parity --quiet --legacy v1-$n.ndjson --server v2-$n.ndjson --format json "$@"; }
      for n in 0 1; do part $n --covers none --server-covers none > first-$n.json; done
      covers() { python3 -c "
      import json
      parts = [json.load(open(f'first-{n}.json'))['coverage']['$1'] for n in (0, 1)]
      print(min(p['from'] for p in parts), max(p['to'] for p in parts), sep='..')"; }
      for n in 0 1; do part $n --covers $(covers legacy) --server-covers $(covers server) > part-$n.json; done
      python3 - <<'END'
      import json
      whole, parts = json.load(open("whole.json")), [json.load(open(f"part-{n}.json")) for n in (0, 1)]
      for one in parts: assert [one["coverage"][k] for k in ("from", "to")] == [whole["coverage"][k] for k in ("from", "to")]
      for side in ("legacy", "server"):
          for name in ("events", "missing", "missingOutside"):
              assert sum(one["coverage"][side][name] for one in parts) == whole["coverage"][side][name], (side, name)
      for name in ("matched", "conflicting", "absorbed", "serverOnlyEvents"):
          assert sum(one["pairs"][name] for one in parts) == whole["pairs"][name], name
      assert sum(one["access"]["endsEarlier"] for one in parts) == whole["access"]["endsEarlier"]
      print("the same", "compared" in [gate["name"] for one in parts for gate in one["gates"]])
      END
      slipcast parity --quiet --legacy v1.ndjson --server v2.ndjson --covers none; echo "status $?"
      slipcast parity --quiet --legacy v1.ndjson --server v2.ndjson | wc -c
      """)
    #expect(run.output == "the same False\nstatus 2\n0\n", "\(run.output) \(run.errors)")
    #expect(run.errors.contains("--covers needs --server-covers"), "\(run.errors)")
  }

  /// A time outside of which the records lie would hide every missing event.
  @Test(arguments: [
    ("--covers 1990-01-01..1990-01-02 --server-covers 1990-01-01..1990-01-02", "--covers: the records have dates of "),
    ("--covers none --server-covers 1990-01-01..2040-01-01", "given as none"),
    ("--covers 1990-01-01..2040-01-01 --server-covers 1990-01-01..1990-01-02", "--server-covers: "),
    ("--covers 1990..2040 --server-covers 1990..2040", "--covers needs two times"),
  ])
  func aPartLiesInTheTimeOfItsArchive(_ options: String, _ fault: String) throws {
    let run = try shell("slipcast parity --quiet --legacy v1.ndjson --server v2.ndjson \(options); echo \"status $?\"")
    #expect(run.output == "status 2\n", "\(run.output)")
    #expect(run.errors.contains(fault), "\(run.errors)")
  }

  @Test func theCountsOfTheExampleAddUp() throws {
    let run = try shell(
      """
      slipcast parity --legacy v1.ndjson --server v2.ndjson --format json > r.json; echo "status $?"
      python3 - <<'END'
      import json
      r = json.load(open("r.json"))
      p = r["pairs"]
      print(r["schema"], r["verdict"], p["matched"], p["conflicting"])
      rejected = p.get("rejected", {"legacy": 0, "server": 0})
      both = p["matched"] + p["conflicting"]
      print(both + p["legacyWithoutServer"] + p["absorbed"] + p["duplicates"]["legacy"] + rejected["legacy"]
            + p.get("notComparable", 0) == sum(1 for _ in open("v1.ndjson")))
      print(both + p["serverWithoutLegacy"] + p["serverOnlyEvents"] + p["duplicates"]["server"] + rejected["server"]
            == sum(1 for _ in open("v2.ndjson")))
      print(all(len(f["samples"]) <= 20 and all(s["explanation"] for s in f["samples"]) for f in r["fields"]))
      print(r["entitlement"]["conflicts"], sum(t["count"] for t in r["types"]) == both)
      END
      ls
      """)
    #expect(
      run.output.hasPrefix("status 1\n1 conflict 9 74\nTrue\nTrue\nTrue\n3 True\n"), "\(run.output) \(run.errors)")
    #expect(run.output.hasSuffix("r.json\nv1-fixed.ndjson\nv1.ndjson\nv2.ndjson\n"), "no temporary file is left")
  }

  @Test func aRejectNamesItsPathOnce() throws {
    let run = try shell(
      #"echo '{"notificationType":"TEST","data":{"status":"x"}}' | slipcast parity --legacy v1.ndjson --server - > /dev/null"#
    )
    #expect(run.errors.contains(": record 1: data.status: expected number (32-bit integer), found string"))
  }

  @Test(arguments: [
    ("--legacy broken --server v2.ndjson", "none of the 3 records of broken could be read"),
    ("--legacy v1.ndjson --server one", "the one record of one could not be read"),
  ])
  func anArchiveOfWhichNothingCanBeReadIsNoParity(sides: String, words: String) throws {
    let run = try shell(
      """
      printf '{}\n[1]\nx\n' > broken; echo '{}' > one
      slipcast parity \(sides) --exit-zero --rejects rejects > /dev/null; echo "status $?"; wc -l < rejects
      slipcast baseline record \(sides) --reason none --baseline known.json; echo "status $?"; ls known.json
      """)
    #expect(run.output == "status 2\n\(words.first == "n" ? 3 : 1)\nstatus 2\n", "\(run.output) \(run.errors)")
    #expect(run.errors.contains("slipcast: nothing was compared: \(words)"), "\(run.errors)")
  }

  @Test func aLastRecordThatCanBeReadIsCompared() throws {
    let run = try shell(
      """
      (printf '{}\n[1]\n'; cat v1.ndjson) > mixed
      slipcast parity --quiet --legacy mixed --server v2.ndjson; echo "status $?"
      """)
    #expect(run.output == "status 1\n", "\(run.output) \(run.errors)")
  }

  @Test func orderCompressionAndJobsChangeNothing() throws {
    let run = try shell(
      """
      parity --report one.json --jobs 1
      parity --report two.json --jobs 4
      cmp one.json two.json && echo same
      for f in v1 v2; do tac $f.ndjson | gzip > $f.ndjson.gz; done
      slipcast parity --quiet --legacy - --server v2.ndjson.gz --report three.json < v1.ndjson.gz
      python3 - <<'END'
      import json
      one, three = json.load(open("one.json")), json.load(open("three.json"))
      bare = lambda r: (r["pairs"], r["types"], [{k: v for k, v in f.items() if k != "samples"} for f in r["fields"]])
      print(bare(one) == bare(three))
      END
      """)
    #expect(run.output == "same\nTrue\n", "\(run.output) \(run.errors)")
  }

  @Test func standardInputLeavesNoFileAndIsCalledSo() throws {
    let run = try shell(
      """
      (echo broken; cat v1.ndjson) | slipcast parity --legacy - --server v2.ndjson --format markdown > r.md 2> words
      grep -c '/proc/\\|slipcast-' r.md words; grep -o 'rejected standard input:1' words; ls
      """)
    #expect(
      run.output.hasPrefix("r.md:0\nwords:0\nrejected standard input:1\n"), "\(run.output) \(run.errors)")
    #expect(run.output.hasSuffix("r.md\nv1-fixed.ndjson\nv1.ndjson\nv2.ndjson\nwords\n"))
  }

  @Test func aBaselineHoldsTheLine() throws {
    let run = try shell(
      """
      baseline record --reason 'first look'; echo "recorded $?"
      baseline record --reason 'again' 2>/dev/null; echo "twice $?"
      baseline check | tail -n 1; baseline check >/dev/null; echo "checked $?"
      parity --baseline b.json; echo "parity $?"
      parity --baseline b.json --min-agreement 100%; echo "share $?"
      sed -i '0,/"atMost":[0-9]*/s//"atMost":0/' b.json
      baseline check > grown.txt; echo "grown $?"; grep -c ^grown grown.txt
      grep -v appAccountToken b.json > c.json; mv c.json b.json
      baseline check | grep ^new; baseline approve --path 'data.*.appAccountToken' --reason 'rewritten' --until 2099-12-31
      baseline approve --path '**' --reason 'all others'; baseline check > /dev/null; echo "approved $?"
      baseline approve --path '**' --reason 'nothing left'; echo "nothing $?"
      slipcast baseline check --baseline b.json --legacy v1-fixed.ndjson --server v2.ndjson | grep -c 'no longer found'
      sed -i 's/2099-12-31/2020-01-31/' b.json; baseline check | grep -c 'counted no longer'; baseline check >/dev/null; echo "expired $?"
      """)
    #expect(
      run.output.hasPrefix(
        "recorded 0\ntwice 2\nholds  "), "\(run.output) \(run.errors)")
    #expect(run.output.contains("checked 0\nparity 0\nshare 0\ngrown 1\n1\nnew  "), "\(run.output)")
    #expect(run.output.contains("approved 0\nnothing 1\n"), "\(run.output)")
    #expect(run.output.hasSuffix("1\n1\nexpired 1\n"), "\(run.output)")
  }

  /// The renewal that V2 has an hour earlier is due at that time; the refund that only V2 has comes weeks later.
  @Test func theVerdictAgreesWithItselfAboutAccess() throws {
    let run = try shell(
      """
      loose='--max-missing 100% --max-missing-refunds 1 --max-end-changes 100%'
      when="--as-of 2025-03-25T18:42:00Z --min-agreement 10% $loose"
      parity $when --report r.json --report r.xml --report r.md; echo "default $?"
      grep -c '"verdict": "conflict"' r.json; grep -c 'name":"access","holds":false' r.json
      grep -c '<testcase name="access" .*gate' r.xml; grep -A1 '<testcase name="access"' r.xml | grep -c '<failure'
      head -n 1 r.md | grep -c Conflict
      parity $when --max-access-changes 0; echo "none $?"
      parity $when --max-access-changes 1; echo "one $?"
      slipcast parity --legacy v1.ndjson --server v2.ndjson $when --max-access-changes 1 | grep -c '^ACCESS'
      parity $loose --min-agreement 10% --report r.txt; echo "last state $?"
      tr -s ' \\n' ' ' < r.txt | grep -c 'at the time of the events access'
      """)
    #expect(
      run.output == "default 1\n1\n1\n1\n1\n1\nnone 1\none 0\n0\nlast state 0\n1\n", "\(run.output) \(run.errors)")
  }

  @Test func aWholeTypeWithoutACounterpartFails() throws {
    let run = try shell(
      """
      grep -v '"subtype":"INITIAL_BUY"' v2.ndjson > without.ndjson
      slipcast parity --quiet --legacy v1-fixed.ndjson --server without.ndjson --min-agreement 50% --max-missing 50% \
        --report r.txt
      echo "status $?"; grep -c 'FAILS  missing: all 16 INITIAL_BUY of V1 are missing in V2' r.txt
      """)
    #expect(run.output == "status 1\n1\n", "\(run.output) \(run.errors)")
  }

  @Test func resultsNameTheirInputsOptionsAndRules() throws {
    let run = try shell(
      """
      mkdir v1; gzip -c v1.ndjson > v1/a.ndjson.gz; cp v1-fixed.ndjson v1/b.ndjson
      slipcast parity --quiet --legacy v1 --server - --report r.json --report r.xml --jobs 2 --max-rejects 1% \
        --tolerance data.transactionInfo.expiresDate=1h < v2.ndjson
      sha256sum v1/a.ndjson.gz v1/b.ndjson v2.ndjson | cut -c 1-64 > sums
      python3 - <<'END'
      import json
      r = json.load(open("r.json"))
      both = r["inputs"]["legacy"] + r["inputs"]["server"]
      print([(i["name"], i["kind"], i["records"]) for i in both])
      print([i["sha256"] for i in both] == open("sums").read().split())
      print(r["options"], sorted(r["rules"]), len(r["rules"]["digest"]))
      END
      grep -c '<property name="input' r.xml
      """)
    #expect(
      run.output == """
        [('v1/a.ndjson.gz', 'file', 90), ('v1/b.ndjson', 'file', 94), ('standard input', 'stream', 92)]
        True
        {'max-rejects': ['1%'], 'tolerance': ['data.transactionInfo.expiresDate=1h']} ['digest', 'version'] 64
        3

        """, "\(run.output) \(run.errors)")
  }

  @Test func aTrailingPartOfACompressedFileBelongsToItsDigest() throws {
    let run = try shell(
      """
      (gzip -c v1.ndjson; printf 'trailing bytes') > v1.gz; tar -cf v2.tar v2.ndjson
      slipcast parity --quiet --legacy v1.gz --server v2.tar --report r.json
      sha256sum v1.gz v2.tar | cut -c 1-64 > sums
      python3 - <<'END'
      import json
      r = json.load(open("r.json"))["inputs"]
      print([i["sha256"] for i in r["legacy"] + r["server"]] == open("sums").read().split())
      END
      """)
    #expect(run.output == "True\n", "\(run.output) \(run.errors)")
  }

  @Test func anOldBaselineAcceptsNothingUntilItIsRecordedAnew() throws {
    let run = try shell(
      """
      baseline record --reason 'kept reason' --until 2099-01-31
      sed -i 's/"kind":"[A-Za-z0-9]*",//' b.json
      parity --baseline b.json 2> words; echo "old $?"; grep -o 'slipcast baseline record --force' words
      baseline record --force --reason 'another'; parity --baseline b.json; echo "new $?"
      grep -c 'kept reason' b.json; grep -c another b.json
      sed -i 's/"lockedOut"/"servedForFree"/' b.json; baseline check | grep -c '^new  entitlement conflict (locked out)'
      """)
    #expect(
      run.output == "old 1\nslipcast baseline record --force\nnew 0\n40\n0\n2\n", "\(run.output) \(run.errors)")
  }

  /// A line of an older version stands for what no line of today names.
  @Test func anApprovedLineKeepsItsReasonBesideAnOldOne() throws {
    let run = try shell(
      """
      baseline record --reason 'old'
      sed -i '/appAccountToken/s/"kind":"[A-Za-z0-9]*",//' b.json
      baseline approve --path '**' --reason 'approved now' --until 2099-06-30
      baseline record --force --reason 'another'; grep -c appAccountToken b.json
      grep appAccountToken b.json | grep -c 'approved now.*2099-06-30'; grep -c another b.json
      : > none; slipcast baseline check --baseline b.json --legacy none --server v2.ndjson | grep -c 'no longer found'
      """)
    let counts = run.output.split(separator: "\n").map(String.init)
    #expect(counts.count == 4 && counts[0] == counts[1] && counts[0] != "0", "\(run.output) \(run.errors)")
    #expect(counts.suffix(2) == ["0", "0"], "\(run.output)")
  }

  @Test func sharesTakeThePlaceOfFailingOnEveryConflict() throws {
    let run = try shell(
      """
      loose='--max-missing 100% --max-missing-refunds 1 --max-end-changes 100%'
      parity $loose --min-agreement 10%; echo "low $?"
      parity --min-agreement 10% --max-missing 100% --max-end-changes 100%; echo "a refund $?"
      parity --min-agreement 10% --max-missing-refunds 1 --max-end-changes 100%; echo "others $?"
      parity --min-agreement 10% --max-missing 100% --max-missing-refunds 1; echo "ends $?"
      parity $loose --min-agreement 99.9%; echo "high $?"
      parity $loose --min-agreement 10% --min-agreement data.transactionInfo.productId=100%; echo "path $?"
      parity $loose --min-agreement entitlement=13%; echo "access $?"
      parity $loose --min-agreement entitlement=14%; echo "access $?"
      parity --min-agreement data.transactionInfo.nothing=1%; echo "absent $?"
      parity --strict semantic --min-agreement 1%; echo "strict $?"
      parity --exit-zero; echo "zero $?"
      """)
    #expect(
      run.output
        == "low 0\na refund 1\nothers 1\nends 1\nhigh 1\npath 0\naccess 0\naccess 1\nabsent 1\nstrict 1\nzero 0\n",
      "\(run.output) \(run.errors)")
  }

  @Test(arguments: [
    ("slipcast parity --legacy v1.ndjson", "--server is missing"),
    ("slipcast parity v1.ndjson v2.ndjson", "expected --legacy INPUT --server INPUT"),
    ("slipcast parity --legacy - --server -", "standard input can be read only once"),
    ("slipcast parity --legacy none.ndjson --server v2.ndjson", "none.ndjson"),
    ("parity --min-agreement 101%", "--min-agreement is a share with its percent sign, such as 99.9%"),
    ("parity --min-agreement often", "--min-agreement is a share with its percent sign, such as 99.9%"),
    ("parity --tolerance data.transactionInfo.expiresDate", "--tolerance is PATH=DURATION"),
    ("parity --tolerance data.transactionInfo.expiresDate=5", "--tolerance is PATH=DURATION"),
    ("parity --tolerance data.transactionInfo.expiresDat=5s", "did you mean data.transactionInfo.expiresDate?"),
    ("parity --tolerance data.transactionInfo.productId=5s", "is not a date"),
    ("parity --max-access-changes some", "--max-access-changes is a number from 0 on"),
    ("parity --max-missing-refunds 1%", "--max-missing-refunds is a number from 0 on"),
    ("parity --max-end-changes some", "--max-end-changes is a number or a share"),
    ("parity --as-of yesterday", "--as-of is milliseconds or seconds"),
    ("parity --report out.doc", "unknown extension; expected one of"),
    ("parity --baseline v1.ndjson", "v1.ndjson is not a baseline: byte"),
    ("parity --report v2.json --rejects v1.ndjson", "is also an input"),
    ("baseline record", "--reason is missing"),
    ("baseline record --reason x --until soon", "--until is a day"),
    ("baseline record --reason x --until 2020-01-31", "--until 2020-01-31 is over"),
    ("baseline record --reason ' '", "--reason is missing"),
    (
      "baseline record --reason x; cp b.json old; : > none; slipcast baseline record --force --baseline b.json --reason x "
        + "--legacy none --server v2.ndjson; cmp b.json old && (exit 2)", "nothing was compared"
    ),
    ("slipcast baseline check --legacy v1.ndjson --server v2.ndjson", "--baseline is missing"),
    ("baseline approve --reason x", "--path is missing"),
    ("slipcast baseline", "it is one of baseline record"),
  ])
  func whatCannotBeDoneIsSaid(_ command: String, _ words: String) throws {
    let run = try shell("\(command); echo \"status $?\"")
    #expect(run.output.hasSuffix("status 2\n"), "\(run.output)")
    #expect(run.errors.contains(words), "\(run.errors)")
  }

  @Test func everyReportIsWrittenAndNoneHoldsTheSecret() throws {
    let run = try shell(
      """
      echo '{"notification_type":"x","password":"SHARED-SECRET' >> v1.ndjson
      parity --report r.html --report r.md --report r.xml --report r.txt --report r.json --rejects rejects.ndjson
      slipcast parity --legacy v1.ndjson --server v2.ndjson --verbose > r.out 2> r.err
      wc -c r.html r.md r.xml r.txt r.json rejects.ndjson | awk '$1 < 100 { print "short", $2 }'
      grep -l -i -e 'SHARED-SECRET' -e "$(python3 -c 'import json; print(json.loads(open("v1.ndjson").readline())["password"])')" r.* rejects.ndjson
      grep -c 'default-src .none' r.html
      """)
    #expect(run.output == "1\n", "\(run.output) \(run.errors)")
  }
}
