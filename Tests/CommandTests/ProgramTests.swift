import Foundation
import SlipcastBulk
import SlipcastTestSupport
import Testing

@testable import SlipcastCommand

/// The program from the outside: words, streams, exit status.
@Suite(.serialized) struct ProgramTests {
  static let fixtures = Folder.package("Fixtures")

  @Test func withoutArgumentsItShowsWhatPeopleComeFor() throws {
    let run = try Program.shell("slipcast")
    #expect(run.status == 0)
    for word in ["convert", "diff", "explain", "mappings check", "slipcast explain price_consent_status"] {
      #expect(run.output.contains(word))
    }
  }

  @Test(arguments: ["convert", "diff", "sign", "identity", "explain", "mappings check"])
  func everyCommandHasHelpWithAllItsOptions(_ name: String) throws {
    let run = try Program.shell("slipcast \(name) --help")
    #expect(run.status == 0)
    let command = try #require(Slipcast.commands.map { $0.description }.first { $0.name == name })
    for option in command.options { #expect(run.output.contains("--" + option.name)) }
    for example in command.examples { #expect(run.output.contains(example.says.split(separator: " ")[0])) }
    #expect(run.output.contains("Exit status"))
    #expect((try Program.shell("slipcast help \(name)")).output == run.output)
  }

  @Test(arguments: [
    ("slipcast convrt", "unknown command"), ("slipcast convert --rejcts x", "did you mean --rejects?"),
    ("slipcast convert --jobs none", "--jobs is a number"), ("slipcast convert --emit all", "--emit is one of"),
    ("slipcast convert --body payload/body", "a JSON pointer such as /payload/body"),
    ("slipcast convert --plain=1", "takes no value"),
    ("slipcast convert --jobs 1 --jobs 2", "given twice"), ("slipcast convert --rejects", "needs a value"),
    ("slipcast convert --max-rejects many", "a number or a share"),
    ("slipcast convert /nowhere/at-all.ndjson", "cannot open: No such file or directory"),
    ("slipcast convert --products /nowhere.json /dev/null", "cannot open"),
    ("slipcast convert --provenance /nowhere/p.ndjson /dev/null", "cannot create"),
    ("slipcast convert --mappings /nowhere /dev/null", "cannot open"),
    ("slipcast explain prise_consent_status", "did you mean price_consent_status?"),
    ("slipcast explain", "expected a name"), ("slipcast mappings check", "expected one folder"),
    ("slipcast mappings", "did you mean mappings check?"),
  ])
  func aWrongCallEndsWithTwoAndSaysWhatToDo(_ line: String, _ words: String) throws {
    let run = try Program.shell(line)
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test func standardInputIsTheDefault() throws {
    let run = try Program.shell("cat \(Self.fixtures)/streams/lines.ndjson | slipcast convert --quiet")
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(run.output.split(separator: "\n").count >= 2)
  }

  @Test func rejectsGiveStatusOneUnlessToldOtherwise() throws {
    let file = "\(Self.fixtures)/rejects/half-right/input.ndjson"
    #expect(try Program.shell("slipcast convert --quiet \(file)").status == 1)
    #expect(try Program.shell("slipcast convert --quiet --exit-zero \(file)").status == 0)
    #expect(try Program.shell("slipcast convert --quiet --on-error skip \(file)").status == 0)
    #expect(try Program.shell("slipcast convert --quiet --on-error stop \(file)").status == 1)
    #expect(try Program.shell("slipcast convert --quiet --max-rejects 0 \(file)").status == 2)
    #expect(try Program.shell("slipcast convert --quiet --max-rejects 60% \(file)").status == 1)
  }

  @Test func theClosingTableAddsUp() throws {
    let run = try Program.shell("slipcast convert \(Self.fixtures)/rejects/half-right/input.ndjson")
    for row in ["read", "converted", "duplicate", "rejected", "ambiguous", "findings", "records/s", "MB/s"] {
      #expect(run.errors.contains(row))
    }
    #expect(run.errors.contains("rejected") && run.errors.contains("input.ndjson:1"))
  }

  /// What an earlier run had read does not count for the speed of this one.
  @Test func aResumedRunCountsItsOwnBytesForItsSpeed() throws {
    var before = RunCounts()
    (before.read, before.bytes) = (900, 90_000_000)
    var counts = before
    (counts.read, counts.bytes) = (1000, 100_000_000)
    let table = ClosingTable(counts: counts, names: [], seconds: 10, before: before)
    #expect(table.megabytesPerSecond == 1 && table.recordsPerSecond == 10)
    #expect(ClosingTable(counts: counts, names: [], seconds: 10).megabytesPerSecond == 10)
  }

  @Test func aClosedPipeIsSilent() throws {
    let line =
      "set -o pipefail; slipcast convert --quiet \(Self.fixtures)/notifications --include v1.json | head -n 1 >/dev/null"
    let run = try Program.shell(line)
    #expect(run.errors.isEmpty)
    #expect(run.status == 2)
  }

  @Test func aDirectoryIsReadInStableOrder() throws {
    let one = try Program.shell("slipcast convert --quiet \(Self.fixtures)/notifications --include v1.json --jobs 1")
    let two = try Program.shell("slipcast convert --quiet \(Self.fixtures)/notifications --include v1.json --jobs 4")
    #expect(one.output == two.output)
    #expect(one.output.split(separator: "\n").count >= 100)
  }

  @Test func aProductCatalogueNamesWhatV1CannotTell() throws {
    let run = try Program.shell(
      """
      products=$(mktemp)
      name=$(slipcast convert --quiet \(Self.fixtures)/notifications/refund-non-consumable/v1.json | grep -o '"productId":"[^"]*"' | cut -d'"' -f4)
      echo "{\\"$name\\":\\"Non-Consumable\\"}" > $products
      slipcast convert --quiet --products $products \(Self.fixtures)/notifications/refund-non-consumable/v1.json
      echo '{"x":"Sort"}' > $products; slipcast convert --products $products /dev/null; echo $?; rm $products
      """)
    #expect(run.output.contains("\"type\":\"Non-Consumable\""))
    #expect(run.errors.contains("expected one of Auto-Renewable Subscription"))
    #expect(run.output.hasSuffix("2\n"))
  }

  @Test(arguments: [
    ("price_consent_status", "renewal.priceIncreaseStatus"), ("priceIncreaseStatus", "1: Consented"),
    ("DID_CHANGE_RENEWAL_STATUS", "EXPIRED/BILLING_RETRY"), ("EXPIRED/VOLUNTARY", "never sends it"),
    ("transaction.expiresDate", "expires_date_ms"), ("status=4", "grace"), ("21007", "Sandbox"), ("password", "secret"),
    ("offerID", "offerIdentifier"), ("compare.skew", "6000 ms"),
    ("data.renewalInfo.priceIncreaseStatus", "renewal.priceIncreaseStatus"),
    ("unified_receipt.latest_receipt_info[3].expires_date_ms", "transaction.expiresDate"),
    ("transactions[0].price", "transaction.price"), ("offers-on-inactive", "2024-01-23"),
    ("FREE_TRIAL", "offerDiscountType"),
  ])
  func explainsAnyName(_ name: String, _ words: String) throws {
    let run = try Program.shell("slipcast explain '\(name)'")
    #expect(run.status == 0)
    #expect(run.output.localizedStandardContains(words), "\(run.output)")
    #expect(run.output.contains("source"))
  }

  @Test(arguments: ["conflict", "timeDependent", "semantic", "derived", "legacyOnly", "serverOnly", "representation"])
  func explainsAClassOfDifference(_ name: String) throws {
    let run = try Program.shell("slipcast explain \(name)")
    #expect(run.status == 0)
    #expect(run.output.contains("a class of diff") && run.output.contains("means"))
  }

  @Test func listsTheWholeMappingInEveryFormat() throws {
    let text = try Program.shell("slipcast explain --list").output.split(separator: "\n").count
    let json = try Program.shell(
      "slipcast explain --list --format json | python3 -c 'import json,sys; print(len(json.load(sys.stdin)[\"rules\"]))'"
    )
    let markdown = try Program.shell("slipcast explain --list --format markdown").output.split(separator: "\n")
    #expect(text > 150)
    #expect(json.output == "\(text)\n")
    #expect(markdown.count == text + 2)
    #expect(markdown[1] == "|---|---|---|---|---|---|---|---|---|---|")
  }
}
