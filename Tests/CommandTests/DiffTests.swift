import Foundation
import SlipcastTestSupport
import Testing

/// `slipcast diff` from the outside: forms of input, reports, exit status.
@Suite(.serialized) struct DiffTests {
  static let pairs = Folder.package("Fixtures/pairs")

  static func pair(_ name: String) -> String { "\(pairs)/\(name)/v1.json \(pairs)/\(name)/v2.json" }

  @Test(arguments: [
    ("price-increase-no-consent", "", 0), ("date-expires-off-1-day", "", 1),
    ("date-expires-off-1-day", "--exit-zero", 0),
    ("price-increase-no-consent", "--strict semantic", 1), ("price-increase-no-consent", "--strict derived", 1),
    ("status-at-expiry", "", 0), ("status-at-expiry", "--strict timeDependent", 1),
  ])
  func theExitStatusTellsTheVerdict(_ name: String, _ options: String, _ status: Int32) throws {
    let run = try Program.shell("slipcast diff \(options) \(Self.pair(name))")
    #expect(run.status == status)
    #expect(run.errors.isEmpty)
    #expect(run.output.contains(status == 0 && options != "--exit-zero" ? "PARITY" : "CONFLICT"))
  }

  @Test func theCountsOfTheJSONFormAreItsRows() throws {
    let run = try Program.shell("slipcast diff \(Self.pair("offer-wrong-identifier")) --format json")
    let root = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(root["schema"] as? Int == 1)
    #expect(root["verdict"] as? String == "conflict")
    let fields = try #require(root["fields"] as? [[String: Any]])
    let counts = try #require(root["counts"] as? [String: Int])
    for (name, count) in counts { #expect(fields.count { $0["class"] as? String == name } == count) }
    #expect(counts.values.reduce(0, +) == fields.count)
    let conflict = try #require(fields.first { $0["class"] as? String == "conflict" })
    #expect(conflict["v2Path"] as? String == "data.transactionInfo.offerIdentifier")
    #expect(conflict["v1"] as? String == "first_glaze_50")
    #expect(conflict["v2"] as? String == "first_glaze_30")
    #expect((conflict["source"] as? String)?.contains("https://") == true)
  }

  @Test func severalReportsAreWrittenAtOnceWithTheSameBytesEachTime() throws {
    let run = try Program.shell(
      """
      folder=$(mktemp -d); cd $folder
      for turn in a b; do
        slipcast diff \(Self.pair("refund-reason-swapped")) --storekit --quiet --report $turn.html --report $turn.xml \
          --report $turn.md --report $turn.json --report $turn.txt
        echo $?
      done
      for form in html xml md json txt; do cmp a.$form b.$form && stat -c '%a' a.$form; done
      head -c 15 a.html; grep -c '<testcase' a.xml; rm -r $folder
      """)
    #expect(run.output.hasPrefix("1\n1\n600\n600\n600\n600\n600\n<!DOCTYPE html>"))
    #expect(run.errors.isEmpty)
  }

  @Test func anIgnoreFileTakesADifferenceOutAndItsUnusedLinesWarn() throws {
    let run = try Program.shell(
      """
      list=$(mktemp)
      printf 'data.transactionInfo.expiresDate until=2999-12-31 known\\n**.nothing no longer\\n**.price until=2001-01-01 old\\n' > $list
      slipcast diff --ignore $list \(Self.pair("date-expires-off-1-day")); echo "status $?"
      slipcast diff --quiet --ignore $list \(Self.pair("date-expires-off-1-day")); rm $list
      """)
    #expect(run.output.contains("PARITY"))
    #expect(run.output.contains("line 1, until 2999-12-31): known"))
    let words = run.output.split(separator: "\n").joined(separator: " ")
    #expect(words.contains("matches no difference") && words.contains("expired after 2001-01-01"))
    #expect(run.output.hasSuffix("status 0\n"))
    #expect(run.errors.contains("line 2 of /tmp/"))
  }

  @Test func standardInputMayBeEitherSide() throws {
    let (v1, v2) = ("\(Self.pairs)/status-active/v1.json", "\(Self.pairs)/status-active/v2.json")
    let one = try Program.shell("slipcast diff - \(v2) --format json < \(v1) | grep -v '\"name\"'")
    let two = try Program.shell("slipcast diff \(v1) - --format json < \(v2) | grep -v '\"name\"'")
    #expect(one.output == two.output && one.output.contains("\"parity\""))
  }

  @Test func aCastAgreesWithItsRecordInEveryForm() throws {
    let run = try Program.shell(
      """
      cast=$(mktemp); v1=\(Folder.package("Fixtures/notifications/did-renew/v1.json"))
      slipcast convert --quiet $v1 > $cast
      slipcast diff $v1 $cast --quiet && slipcast diff $cast $cast --quiet && echo agree; rm $cast
      """)
    #expect(run.output == "agree\n")
  }

  @Test func aDeviceColumnIsAddedOnRequest() throws {
    let pair = Self.pair("price-consent-0-v2-1")
    #expect(!(try Program.shell("slipcast diff \(pair)")).output.contains("StoreKit"))
    let output = try Program.shell("slipcast diff --storekit \(pair)").output
    #expect(output.contains("StoreKit  priceIncreaseStatus: pending (cast) / agreed (V2)"))
    let verbose = try Program.shell("slipcast diff --storekit --verbose \(pair)").output
    #expect(verbose.contains("StoreKit  willAutoRenew: true (cast) / true (V2)"))
  }

  @Test(arguments: [
    ("slipcast diff a", "expected two files"), ("slipcast diff - -", "standard input can be read only once"),
    ("slipcast diff --strict conflict a b", "--strict is one of timeDependent"),
    ("slipcast diff --format pdf a b", "--format is one of text, json, markdown, junit, html"),
    ("slipcast diff --report out.pdf /dev/null /dev/null", "unknown extension; expected one of .txt"),
    ("slipcast diff --report x.html --report x.html /dev/null /dev/null", "given twice"),
    ("slipcast diff /nowhere/a /nowhere/b", "cannot open: No such file"),
    ("slipcast diff /dev/null /dev/null", "found nothing"),
    (
      "cp $P/status-active/v1.json /tmp/slipcast-diff-test.json; slipcast diff /tmp/slipcast-diff-test.json $P/status-active/v2.json --report /tmp/slipcast-diff-test.json",
      "also an input"
    ),
    ("slipcast diff $P/status-active/v2.json $P/status-active/v1.json", "the legacy record comes first"),
    ("slipcast diff $P/status-active/v1.json $P/status-active/source.txt", "source.txt:1: byte 0"),
    ("slipcast diff <(echo '{\"notification_type\":') $P/status-active/v2.json", "the record ends inside"),
    (
      "cat $P/status-active/v2.json $P/status-active/v2.json | slipcast diff $P/status-active/v1.json -",
      "expected one record"
    ),
    (
      "echo '{\"notificationType\":\"TEST\",\"data\":{\"status\":\"one\"}}' | slipcast diff $P/status-active/v1.json -",
      "data.status: expected number (32-bit integer), found string"
    ),
    (
      "echo '{\"signedPayload\":\"a.b\"}' | slipcast diff $P/status-active/v1.json -",
      "signedPayload: expected a signed payload"
    ),
    (
      "echo '{\"signedPayload\":\"e30.eyJkYXRhIjoxfQ.AA\"}' | slipcast diff $P/status-active/v1.json -",
      "in the decoded payload"
    ),
    ("echo '{\"signedPayload\":\"e30.e30.AA\"}' | slipcast diff $P/status-active/v1.json -", "an empty object"),
    ("echo '{\"x\":1}' | slipcast diff - $P/status-active/v2.json", "extract a record inside a row first"),
    (
      "slipcast diff $P/history-signed/v1.json $P/status-active/v2.json",
      "a verifyReceipt response and a notification cannot be compared"
    ),
    (
      "echo 'data.status' > /tmp/slipcast-diff-test.txt; slipcast diff --ignore /tmp/slipcast-diff-test.txt $P/status-active/v1.json $P/status-active/v2.json",
      "slipcast-diff-test.txt:1: expected a pattern and a reason"
    ),
    ("slipcast diff --received-at soon $P/status-active/v1.json $P/status-active/v2.json", "--received-at is"),
  ])
  func whatCannotBeComparedEndsWithTwoAndSaysWhy(_ line: String, _ words: String) throws {
    let run = try Program.shell("P=\(Self.pairs); \(line)")
    #expect(run.status == 2)
    #expect(run.errors.contains(words), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: ["text", "json", "markdown", "junit", "html"])
  func noFormShowsTheSharedSecret(_ format: String) throws {
    for name in ["offer-wrong-identifier", "form-signed-payload", "history-signed", "unknown-member-in-v1"] {
      let run = try Program.shell("slipcast diff --verbose --storekit --format \(format) \(Self.pair(name))")
      #expect(run.output.count > 500)
      #expect(!run.output.contains("SECRET-SLIPCAST") && !run.errors.contains("SECRET-SLIPCAST"))
    }
  }

  @Test func coloursComeOnlyWhenAsked() throws {
    let pair = Self.pair("date-expires-off-1-day")
    #expect(!(try Program.shell("slipcast diff \(pair)")).output.contains("\u{1B}["))
    #expect((try Program.shell("slipcast diff --color always \(pair)")).output.contains("\u{1B}[1;31m"))
  }
}
