import Foundation
import SlipcastTestSupport
import Testing

/// Subscriptions of archives and stores, and groups as lines.
@Suite struct TimelineCommandTests {
  private func shell(_ lines: String) throws -> Program {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let fixtures = Fixture.root.appendingPathComponent("notifications").path
    return try Program.shell("export TMPDIR='\(folder.path)'; F='\(fixtures)'; cd '\(folder.path)'\n\(lines)")
  }

  /// A store has no lists, so it does not show periods that no message is about.
  @Test func aStoreAndTheFilesBehindItGiveTheSameEvents() throws {
    let run = try shell(
      """
      slipcast convert --settle --quiet --include v1.json "$F" --to a.sqlite --execute
      slipcast timeline --quiet --include v1.json "$F" > all; echo "status $?"
      grep -E '"kind":"(event|companion)"' all > files.ndjson; rm all
      slipcast timeline --quiet a.sqlite > all; echo "status $?"
      grep -E '"kind":"(event|companion)"' all > store.ndjson; rm all
      cmp files.ndjson store.ndjson && echo same
      slipcast timeline a.sqlite --format text 2>&1 | tail -n 1
      ls
      """)
    #expect(run.output.hasPrefix("status "), "\(run.errors)")
    #expect(run.output.contains("same\n"))
    #expect(run.output.contains(" subscriptions, ") && run.output.contains(" never sent by V1, "))
    #expect(run.output.hasSuffix("a.sqlite\nfiles.ndjson\nstore.ndjson\n"), "temporary stores are gone: \(run.output)")
  }

  @Test func oneSubscriptionIsChosenByItsId() throws {
    let run = try shell(
      """
      slipcast convert --quiet --include v1.json "$F" --to a.sqlite --execute
      id=$(slipcast timeline --quiet a.sqlite | grep -o '"kind":"subscription"' -m1 >/dev/null; slipcast timeline --quiet a.sqlite | python3 -c 'import json,sys; print(json.loads(sys.stdin.readline())["originalTransactionId"])')
      slipcast timeline --quiet a.sqlite --original-transaction-id "$id" | python3 -c '
      import json, sys
      ids = {json.loads(line).get("originalTransactionId") for line in sys.stdin}
      print(len(ids - {None}))'
      slipcast timeline a.sqlite --original-transaction-id 1; echo "status $?"
      slipcast timeline none.sqlite; echo "status $?"
      slipcast timeline a.sqlite --as-of yesterday; echo "status $?"
      """)
    #expect(run.output == "1\nstatus 1\nstatus 2\nstatus 2\n", "\(run.output)")
    #expect(run.errors.contains("no notification of the subscription 1 found"))
    #expect(run.errors.contains("--as-of is milliseconds or seconds"))
  }

  /// Source: mapping D, environment and app are part of the identity.
  @Test func subscriptionsOfTwoEnvironmentsWithOneIdStayApart() throws {
    let run = try shell(
      """
      sed 's/"environment": *"PROD"/"environment": "Sandbox"/; s/"environment": *"Production"/"environment": "Sandbox"/' \
        "$F/did-renew/v1.json" > sandbox.json
      slipcast timeline --quiet "$F/did-renew/v1.json" sandbox.json | grep -o '"environment":"[A-Za-z]*"'
      slipcast convert --group --quiet "$F/did-renew/v1.json" sandbox.json | wc -l
      """)
    #expect(run.output == "\"environment\":\"Production\"\n\"environment\":\"Sandbox\"\n2\n", "\(run.errors)")
  }

  @Test func groupsCountEveryMessageOnce() throws {
    let run = try shell(
      """
      slipcast convert --quiet --include v1.json "$F" --to a.sqlite --execute
      slipcast convert --group --include v1.json "$F" --summary s.json > files.ndjson 2>/dev/null
      slipcast convert --group a.sqlite --to store.ndjson.gz --quiet; gzip -dc store.ndjson.gz | cmp - files.ndjson && echo same
      python3 - <<'END'
      import json
      summary = json.load(open("s.json"))
      print(summary["read"] == summary["converted"] + summary["duplicate"] + summary["rejected"])
      lines = [json.loads(line) for line in open("files.ndjson")]
      companions = sum(len(line["migration"].get("companions", [])) for line in lines)
      print(len(lines) == summary["events"], companions == summary["foldedIn"])
      END
      for option in '--plain' '--checkpoint c' '--to x.sqlite' '--emit history'; do slipcast convert --group $option a.sqlite; echo "status $?"; done
      """)
    #expect(
      run.output == "same\nTrue\nTrue True\nstatus 2\nstatus 2\nstatus 2\nstatus 2\n", "\(run.output)\(run.errors)")
  }

  @Test func answersOfAStoreAreNamedWhereTheyAreLeftOut() throws {
    let run = try shell(
      """
      slipcast convert --quiet "$F/did-renew/v1.json" "$F/../receipts/history-production/v1.json" --to a.sqlite --execute
      slipcast convert --group a.sqlite 2>&1 >/dev/null | grep -c '1 receipt answer is not an event and was left out'
      slipcast timeline a.sqlite 2>&1 >/dev/null | grep -c '1 receipt answer is not an event and was left out'
      """)
    #expect(run.output == "1\n1\n", "\(run.output)\(run.errors)")
  }
}
