import Foundation
import SlipcastTestSupport
import Testing

/// Messages that repeat another one, and messages that only look like it: every command counts the same.
@Suite struct DuplicateTests {
  /// Some messages of one subscription and what they are: events, and repeated deliveries.
  struct Case: CustomTestStringConvertible {
    /// Letters as in `Deliveries`, each with `@` and the hour of receipt where that is known.
    let messages: String
    let events: Int
    let duplicates: Int
    var findings: [String] = []

    init(_ messages: String, _ events: Int, _ duplicates: Int, _ findings: [String] = []) {
      (self.messages, self.events, self.duplicates, self.findings) = (messages, events, duplicates, findings)
    }

    var testDescription: String { messages }
  }

  static let cases = [
    // A customer changes the plan to A, to B and back to A.
    Case("A B A", 3, 0), Case("A@0 B@1 A@2", 3, 0), Case("A B A B A", 5, 0), Case("A A B B A", 3, 2),
    // One received time for all: the order of the archive decides.
    Case("A@5 B@5 A@5", 3, 0), Case("A@5 A@5", 1, 1),
    // Apple's retries end after 78 hours.
    Case("A A", 1, 1), Case("A@0 A@6", 1, 1), Case("A@0 A@6 A@30 A@78", 1, 3), Case("A@0 A@80", 1, 1),
    Case("A@0 A@81", 2, 0), Case("A@0 A@50 A@100", 2, 1),
    // Another message shows another state in between.
    Case("A x A", 3, 0), Case("A@0 x@1 A@2", 3, 0), Case("x A A x", 2, 2),
    // The archive need not be in the order of receipt.
    Case("A@2 B@1 A@0", 3, 0), Case("B@1 A@0 A@2", 3, 0), Case("A@90 A@0", 2, 0), Case("B@7 A@6 A@0 B@8", 2, 2),
    // Received times that only some messages have.
    Case("A@0 B A@2", 3, 0), Case("A A@6", 1, 1), Case("A@6 A", 1, 1),
    // Consent asked for, given, asked for again.
    Case("0 1", 2, 0), Case("0 1 0", 3, 0), Case("0 0", 1, 1), Case("0@0 1@24 1@30", 2, 1), Case("0@0 0@100", 2, 0),
    // Apple repeats consumption requests on purpose.
    Case("C C", 2, 0, ["repeatPossible"]), Case("C@0 C@6", 1, 1), Case("C@0 C@81", 2, 0), Case("C@0 D@6", 2, 0),
    Case("C@0 D@6 C@12 D@18", 2, 2), Case("C@0 C", 2, 0, ["repeatPossible"]),
    // Of a REFUND without an id, the list tells only what was refunded last.
    Case("f f", 1, 1), Case("f@0 f@6", 1, 1), Case("f@0 f@1", 2, 0), Case("f@0 f@2000", 2, 0),
    Case("f@0 f@6 f@2000 f@2006", 2, 2),
    // Dated messages: the key alone decides.
    Case("x x", 1, 1), Case("x@0 x@200", 1, 1), Case("x A x", 2, 1),
    // The same key with other content.
    Case("x y", 1, 1, ["repeatDiffers"]), Case("y x", 1, 1, ["repeatDiffers"]),
    Case("x x y y", 1, 3, ["repeatDiffers"]),
    // Other receipts and later purchases are no other content.
    Case("k l", 1, 1), Case("l k", 1, 1), Case("A r", 1, 1),
  ]

  @Test(arguments: cases)
  func everyCommandKeepsEachEventOnce(_ example: Case) throws {
    let run = try Deliveries(example.messages).shell(
      """
      count() { awk '$1 == "converted" || $1 == "duplicate" { gsub(",", ""); printf "%s ", $2 }' "$1"; }
      ids() { grep -o '"notificationUUID":"[^"]*"' "$1" | sort -u | wc -l; }
      slipcast convert $how in.ndjson > plain.ndjson 2> t; ids plain.ndjson
      slipcast convert $how --dedupe in.ndjson 2> dedupe.txt > deduped.ndjson; count dedupe.txt; ids deduped.ndjson
      slipcast convert $how in.ndjson --to s.sqlite --execute 2> store.txt; count store.txt; echo
      slipcast convert s.sqlite 2> t > back.ndjson; ids back.ndjson
      slipcast timeline $how in.ndjson --format json 2> t | grep -c '"kind":"event"'
      sort plain.ndjson deduped.ndjson back.ndjson | cut -c 1-4000 | grep -o '"notificationUUID":"[^"]*"' | sort -u | wc -l
      """)
    let lines: [String] = run.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    let both = "\(example.events) \(example.duplicates)"
    try #require(lines.count == 6, "\(run.output)\n\(run.errors)")
    #expect(lines[0] == "\(example.events)", "different ids of plain lines")
    #expect(lines[1] == "\(both) \(example.events)", "--dedupe")
    #expect(lines[2] == both, "a store")
    #expect(lines[3] == "\(example.events)", "lines of the store")
    #expect(lines[4] == "\(example.events)", "events of the timeline")
    #expect(lines[5] == "\(example.events)", "all outputs have the same ids")
  }

  @Test(arguments: cases.filter { !$0.findings.isEmpty })
  func theClosingTableNamesWhatIsNoPlainDuplicate(_ example: Case) throws {
    let run = try Deliveries(example.messages).shell(
      """
      slipcast convert $how --dedupe in.ndjson 2>&1 > /dev/null; echo
      slipcast convert $how in.ndjson --to s.sqlite --execute 2>&1
      slipcast convert $how --group in.ndjson 2>&1 >/dev/null
      """)
    for finding in example.findings {
      let count = run.output.ranges(of: finding).count
      #expect(count == 3, "\(finding) three times in \(run.output)")
    }
  }

  @Test func aStoreKeepsATraceOfWhatDiffers() throws {
    let run = try Deliveries("x y y").shell(
      """
      slipcast convert $how in.ndjson --to s.sqlite --execute --quiet
      python3 -c "
      import sqlite3
      print(sqlite3.connect('s.sqlite').execute('''SELECT f.code, f.occurrences, n.record FROM findings f
        JOIN notifications n ON n.place = f.place WHERE f.code = 'repeatDiffers' ''').fetchall())"
      """)
    #expect(run.output == "[('repeatDiffers', 2, 1)]\n", "\(run.output) \(run.errors)")
  }

  @Test func aMessageThatComesTooLateToPartTwoOthersIsAFinding() throws {
    let run = try Deliveries("A@0 A@2 B@1").shell("slipcast convert $how --dedupe in.ndjson 2>&1 >/dev/null")
    #expect(run.output.contains("repeatUndecided"))
  }

  /// Source: evidence §10, "between" is decided by received time where it is known; mapping D, order of an archive.
  @Test(arguments: ["A@0 B@1 A@2 B@3", "A@0 A@2 B@1 B@3", "B@3 A@2 B@1 A@0", "A@2 A@0 B@3 B@1"])
  func whereAnArchiveIsReadTwiceItsOrderDoesNotMatter(_ messages: String) throws {
    let run = try Deliveries(messages).shell(
      """
      slipcast timeline $how --quiet --format json in.ndjson | grep -c '"kind":"event"'
      slipcast convert $how --quiet --group in.ndjson | wc -l
      slipcast convert $how --quiet --settle --dedupe in.ndjson | wc -l
      slipcast convert $how --quiet --settle in.ndjson | grep -o '"notificationUUID":"[^"]*"' | sort -u | wc -l
      """)
    #expect(run.output == "4\n4\n4\n4\n", "\(run.output)\(run.errors)")
  }

  /// The event has the time of the first delivery, and the ids of requests follow each other in time.
  @Test(arguments: ["C@0 C@6 C@100", "C@6 C@100 C@0", "C@100 C@6 C@0"])
  func aTimelineHasTheTimesOfFirstDeliveries(_ messages: String) throws {
    let show = "slipcast timeline $how --quiet --format json in.ndjson | grep '\"kind\":\"event\"'"
    let sorted = try Deliveries("C@0 C@100").shell(show)
    #expect(try Deliveries(messages).shell(show).output == sorted.output)
  }

  @Test(arguments: ["", "--dedupe", "--plain", "--split 5 --to folder"])
  func theBytesDependOnNoNumberOfWorkers(_ options: String) throws {
    let run = try Deliveries(mixed).shell(
      """
      for i in 1 2 3; do cat in.ndjson; head -c 300000 /dev/zero | tr '\\0' ' '; echo; done > long.ndjson
      for jobs in 1 2 3 4; do
        rm -rf folder; slipcast convert --quiet $how \(options) --jobs $jobs long.ndjson > out.$jobs
        [ -d folder ] && cat folder/* > out.$jobs
        cmp out.1 out.$jobs && wc -l < out.$jobs
      done
      """)
    let lines: [Substring] = run.output.split(separator: "\n")
    let different = Set(lines)
    #expect(lines.count == 4, "\(run.output) \(run.errors)")
    #expect(different.count == 1, "\(run.output) \(run.errors)")
  }

  /// Enough of everything to be cut anywhere.
  private let mixed = String(repeating: "A@0 B@1 A@2 A@8 0@3 1@4 0@5 C@6 C@7 C@100 x@9 A@10 ", count: 3)

  @Test(arguments: [
    "--to o.ndjson --checkpoint c.json", "--to o.ndjson --dedupe --checkpoint c.json", "--to s.sqlite --execute",
  ])
  func aResumedRunEndsLikeOneThatNobodyDisturbed(_ target: String) throws {
    let run = try Deliveries(mixed).shell(
      """
      for i in $(seq 40); do echo in.ndjson; done | xargs cat > long.ndjson
      show() { if [ -f s.sqlite ]; then slipcast convert --quiet s.sqlite; else cat o.ndjson; fi; }
      slipcast convert --quiet $how long.ndjson \(target) --checkpoint-every 0 --jobs 2; show > whole
      stopped=0
      for block in 1 3 6; do
        rm -f o.ndjson* c.json* s.sqlite*
        timeout -s INT 0.0$((block * 4)) env '\(Program.path)' convert --quiet $how long.ndjson \(target) --checkpoint-every 0 --jobs 2 2>/dev/null \\
          || stopped=$((stopped + 1))
        slipcast convert --quiet $how long.ndjson \(target) --checkpoint-every 0 --jobs 3 --resume
        show | cmp - whole && echo same
      done
      ls
      """)
    #expect(run.output.hasPrefix("same\nsame\nsame\n"), "\(run.output) \(run.errors)")
    #expect(!run.output.contains("c.json.events"))
  }

  @Test func aMessageConvertedAloneHasTheIdOfTheFirstEvent() throws {
    let run = try Deliveries("A B A").shell(
      """
      id() { grep -o '"notificationUUID":"[^"]*"'; }
      slipcast convert --quiet $how in.ndjson | id > all
      for n in 1 2 3; do sed -n ${n}p in.ndjson | slipcast convert --quiet $how | id; done > alone
      cmp <(sed -n 1,2p all) <(sed -n 1,2p alone) && echo same
      cmp <(sed -n 1p alone) <(sed -n 3p alone) && echo again
      """)
    #expect(run.output == "same\nagain\n", "\(run.output) \(run.errors)")
  }

  @Test func signedLinesHaveTheSameIds() throws {
    let run = try Deliveries("A B A A").shell(
      """
      slipcast identity --quiet identity > /dev/null
      slipcast convert --quiet $how in.ndjson | grep -o '"notificationUUID":"[^"]*"' > plain
      slipcast convert --quiet $how --sign identity in.ndjson > signed.ndjson
      slipcast verify --quiet --root identity/root.der signed.ndjson > verdicts; echo "status $?"
      python3 -c '
      import base64, json, sys
      for line in open("signed.ndjson"):
        part = json.loads(line)["signedPayload"].split(".")[1]
        print(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode())' \
        | grep -o '"notificationUUID":"[^"]*"' > inspected
      cmp plain inspected && echo same; sort -u plain | wc -l | tr -d ' '
      """)
    #expect(run.output == "status 0\nsame\n3\n", "\(run.output) \(run.errors)")
  }
}

/// `parity` counts what repeats something else before it pairs anything, whatever the order of the files.
@Suite struct RepeatedInParityTests {
  private static let counts = """
    import json, sys
    p = json.load(open(sys.argv[1]))["pairs"]
    both = p["matched"] + p["conflicting"]
    print(both + p["legacyWithoutServer"] + p["absorbed"], p["duplicates"]["legacy"])
    """

  @Test(arguments: DuplicateTests.cases)
  func legacyEventsAreCountedAsConvertCountsThem(_ example: DuplicateTests.Case) throws {
    let run = try Deliveries(example.messages).shell(
      """
      slipcast convert --quiet --plain --dedupe $how in.ndjson > server.ndjson
      cat > counts.py <<'END'
      \(Self.counts)
      END
      slipcast parity --format json --exit-zero $how --legacy in.ndjson --server server.ndjson > r.json 2> t
      python3 counts.py r.json
      """)
    #expect(run.output == "\(example.events) \(example.duplicates)\n", "\(run.output) \(run.errors)")
  }

  @Test func messagesAreTakenByReceivedTimeWhateverTheirOrder() throws {
    for order in ["A@0 B@1 A@2", "A@0 A@2 B@1", "B@1 A@2 A@0", "A@2 A@0 B@1"] {
      let run = try Deliveries(order).shell(
        """
        cat > counts.py <<'END'
        \(Self.counts)
        END
        slipcast convert --quiet --plain $how in.ndjson > server.ndjson
        slipcast parity --format json --exit-zero $how --legacy in.ndjson --server server.ndjson > r.json 2> t
        python3 counts.py r.json
        """)
      #expect(run.output == "3 0\n", "\(order): \(run.output) \(run.errors)")
    }
  }

  /// One side has two records of one event that contradict each other; the other side agrees with one of them.
  @Test(arguments: ["legacy", "server"])
  func contradictoryRecordsGiveOneResultInEitherOrder(_ side: String) throws {
    let run = try Deliveries("x y").shell(
      """
      sed -n 1p in.ndjson > one; sed -n 2p in.ndjson > two
      slipcast convert --quiet --plain $how one > v2.one
      sed 's/"autoRenewStatus":0/"autoRenewStatus":1/' v2.one > v2.two; cmp -s v2.one v2.two && echo unchanged
      if [ \(side) = legacy ]; then l1=one; l2=two; s1=v2.one; s2=; else l1=one; l2=; s1=v2.one; s2=v2.two; fi
      both() {
        slipcast parity --format json $how --legacy $1 --server $2 > $3 2> t; echo "status $?"
        python3 -c '
      import json, sys
      r = json.load(open(sys.argv[1])); p = r["pairs"]
      print(r["verdict"], p["matched"], p["conflicting"], p["duplicates"], p.get("repeatDiffers"), [n["code"] for n in r.get("notes", [])])
      print(sorted((f.get("v2Path") or f.get("v1Path"), f["conflict"]) for f in r["fields"] if f["conflict"]))' $3
      }
      cat $l1 $l2 > l; cat $s1 $s2 > s; both l s first.json > first
      cat $l2 $l1 > l; cat $s2 $s1 > s; both l s second.json > second
      cmp first second && cat first
      """)
    let duplicates = side == "legacy" ? "{'legacy': 1, 'server': 0}" : "{'legacy': 0, 'server': 1}"
    let expected = "status 1\nconflict 0 1 \(duplicates) \(duplicates)"
    #expect(run.output.hasPrefix(expected), "\(run.output) \(run.errors)")
    #expect(run.output.contains("'repeatDiffers'"), "\(run.output) \(run.errors)")
  }
}

/// Deliveries of messages about one subscription, as rows with a body and, where it is known, the time of receipt.
///
/// `A`, `B`: DID_CHANGE_RENEWAL_PREF to a plan; `0`, `1`: PRICE_INCREASE_CONSENT with that consent; `C`, `D`:
/// CONSUMPTION_REQUEST with other content; `f`: REFUND that names no purchase; `x`: DID_CHANGE_RENEWAL_STATUS off; `y`: the same with another refund
/// value of the period; `k`: CANCEL; `l`: the same with a later purchase and another receipt; `r`: `A` with another receipt.
struct Deliveries {
  private let rows: String

  init(_ messages: String) throws {
    rows =
      try messages.split(separator: " ").map { word in
        let parts = word.split(separator: "@")
        var row: [String: Any] = ["body": try Self.body(parts[0])]
        if parts.count == 2, let hour = Int(parts[1]) { row["at"] = 1_657_000_000_000 + hour * 3_600_000 }
        return String(decoding: try JSONSerialization.data(withJSONObject: row, options: .sortedKeys), as: UTF8.self)
      }.joined(separator: "\n") + "\n"
  }

  private typealias Object = [String: Any]

  private static func object(_ name: String) throws -> Object {
    let bytes = try Fixture.named("notifications/\(name)").bytes("v1.json")
    return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Object)
  }

  static func body(_ letter: Substring) throws -> [String: Any] {
    switch letter {
    case "C": return try object("consumption-request-listed")
    case "D":
      var body = try object("consumption-request-listed")
      body["bvrs"] = "999"
      return body
    case "f": return try object("subject-refund-no-id-newest-cancellation")
    case "0", "1":
      return try changed(try object("price-increase-consent-0")) { renewal, _ in
        renewal["price_consent_status"] = String(letter)
      }
    default: break
    }
    let plan = letter == "B" ? "com.example.slipcast.plus.monthly" : "com.example.slipcast.lite.monthly"
    var body = try changed(try object("did-change-renewal-pref-downgrade")) { renewal, rows in
      renewal["auto_renew_product_id"] = plan
      if "xy".contains(letter) { renewal["auto_renew_status"] = "0" }
      if "kl".contains(letter) { rows[0]["cancellation_date_ms"] = "1657000000000" }
      if letter == "y" { rows[0]["is_trial_period"] = "true" }
      if letter == "l", var later = rows.first {
        later["transaction_id"] = "730001200345999"
        later["web_order_line_item_id"] = "730000550345999"
        later["purchase_date_ms"] = "1659625200000"
        later["expires_date_ms"] = "1662303600000"
        let others = ["purchase_date", "purchase_date_pst", "expires_date", "expires_date_pst", "cancellation_date_ms"]
        for key in others { later[key] = nil }
        rows.insert(later, at: 0)
      }
    }
    body["auto_renew_product_id"] = plan
    if "kl".contains(letter) {
      body["notification_type"] = "CANCEL"
      body["web_order_line_item_id"] = "730000550345000"
    }
    if "xy".contains(letter) {
      body["notification_type"] = "DID_CHANGE_RENEWAL_STATUS"
      body["auto_renew_status"] = "false"
      body["auto_renew_status_change_date_ms"] = "1657000000000"
    }
    if "rl".contains(letter), var receipt = body["unified_receipt"] as? Object {
      receipt["latest_receipt"] = "bmV3ZXI="
      body["unified_receipt"] = receipt
    }
    return body
  }

  private static func changed(_ body: Object, _ change: (inout Object, inout [Object]) -> Void) throws -> Object {
    var body = body
    var receipt = try #require(body["unified_receipt"] as? Object)
    var renewals = try #require(receipt["pending_renewal_info"] as? [Object])
    var rows = try #require(receipt["latest_receipt_info"] as? [Object])
    change(&renewals[0], &rows)
    (receipt["pending_renewal_info"], receipt["latest_receipt_info"]) = (renewals, rows)
    body["unified_receipt"] = receipt
    return body
  }

  /// Runs shell lines in a folder that holds the deliveries as `in.ndjson`; `$how` are the options to read them with.
  func shell(_ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write("in.ndjson", rows)
    // A place that no row has is refused.
    let time = rows.contains("\"at\":") ? " --received-at /at" : ""
    return try Program.shell("cd '\(folder.path)'; how='--body /body\(time)'\n\(lines)")
  }
}
