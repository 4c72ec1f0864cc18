import SlipcastMapping
import SlipcastReports
import Testing

@testable import SlipcastComparison

@Suite struct TextReportTests {
  private let full = Samples.full.report(.text)

  @Test func theVerdictStandsBeforeEveryField() throws {
    let lines = full.split(separator: "\n").map(String.init)
    #expect(lines[0] == "V1  archive/2021/price-increase.json     version 1 notification PRICE_INCREASE_CONSENT")
    #expect(lines[2] == "warning  The signature of the V2 record was not checked.")
    #expect(lines[4] == "CONFLICT  2 of 15 fields fail")
    #expect(lines[5].hasPrefix("  3 conflict (1 ignored), 1 timeDependent, 2 semantic (1 ignored), 1 derived"))
    #expect(lines[6] == "  serverOnly, 2 representation, 1 identical")
  }

  @Test func valuesStandUnderEachOther() {
    let block = """
        data.renewalInfo.priceIncreaseStatus
          V1    "0"  unified_receipt.pending_renewal_info[0].price_consent_status
          cast  0
          V2    1
          V1 says that the customer was asked and has not answered; V2 says that the customer consented,
          or was told without having to consent.
          StoreKit  priceIncreaseStatus: pending (cast) / agreed (V2)
      """
    #expect(full.contains(block.split(separator: "\n").joined(separator: "\n") + "\n"))
    #expect(full.contains("    V1    absent\n    V2    1700000000000\n"))
    #expect(full.contains("    ignored (accepted.txt, line 3, until 2026-01-31): refunded by hand\n"))
  }

  @Test func aListIsNotCalledAbsent() {
    let verbose = Samples.full.report(.text, style: ReportStyle(isVerbose: true))
    #expect(verbose.contains("    V1    list or object  latest_receipt_info\n    cast  1590000000000\n"))
  }

  @Test func classesComeInTheOrderOfTheirSeriousness() {
    let headings = full.split(separator: "\n").compactMap { line in
      DifferenceClass(rawValue: String(line.prefix { $0 != " " }))
    }
    #expect(headings == DifferenceClass.allCases.filter { $0.isCompared && Samples.full.counts[$0, default: 0] > 0 })
  }

  @Test func fieldsThatAgreeAreOneLinePerClass() {
    #expect(full.contains("representation  2 fields: the same fact, written in another way\n"))
    #expect(!full.contains("data.environment"))
    let verbose = Samples.full.report(.text, style: ReportStyle(isVerbose: true))
    #expect(verbose.contains("data.environment"))
  }

  @Test func fieldsOfOneSideAreCountedUnlessTheyFail() {
    #expect(full.contains("serverOnly      3 fields: V2 alone says it\n"))
    #expect(!full.contains("9990"))
    var strict = Samples.full
    strict.strict = [.serverOnly]
    let report = strict.report(.text)
    #expect(report.contains("by --strict serverOnly"))
    #expect(report.contains("serverOnly  3 fields (failing here): V2 alone says it"))
    #expect(report.contains("    V2    9990\n"))
  }

  @Test func rulesAndSourcesComeOnlyWhenAskedFor() {
    let verbose = Samples.full.report(.text, style: ReportStyle(isVerbose: true))
    #expect(
      full.hasSuffix("\n--verbose lists every field with its rule and sources; slipcast explain RULE shows details\n"))
    #expect(!verbose.contains("--verbose"))
    #expect(!full.contains("rule  "))
    #expect(verbose.contains("    rule    renewal/priceIncreaseStatus, documented\n    trap    Absent means"))
    #expect(verbose.contains("    source  WWDC, 2020/10661, https://developer.apple.com/videos/play/10661\n"))
  }

  @Test func longValuesAreCutAndShowWhereTheyDiffer() {
    let long = String(repeating: "a", count: 90)
    var pair = Samples.empty
    pair.fields = [
      Samples.field("x", "x", v1: "\"\(long)1\"", cast: "\"\(long)1\"", v2: "\"\(long)2\"", .conflict, "Differs.")
    ]
    let lines = pair.report(.text).split(separator: "\n")
    let values = lines.filter { $0.hasPrefix("    V") }
    #expect(values.allSatisfy { $0.contains("…") && $0.count < 80 })
    #expect(values[0].hasSuffix("1\"") && values[1].hasSuffix("2\""))
    #expect(pair.report(.text, style: ReportStyle(isVerbose: true)).contains(long))
    pair.fields = [
      Samples.field("x", "x", v1: "\"\(long)\"", cast: "\"\(long)\"", v2: "\"\(long)\"", .semantic, "Wider.")
    ]
    #expect(pair.report(.text).contains("    V1    \"aaa"))
  }

  @Test func aFieldThatFailsIsNeverHidden() {
    var strict = Samples.parity
    strict.strict = [.representation]
    let text = strict.report(.text)
    #expect(text.contains("CONFLICT  2 of 5 fields fail"))
    #expect(text.contains("representation  2 fields (failing here)"))
    #expect(text.contains("data.environment"))
  }

  @Test func coloursComeOnlyWhenAskedFor() {
    #expect(!full.contains("\u{1B}"))
    let colored = Samples.full.report(.text, style: ReportStyle(isColored: true))
    #expect(colored.contains("\u{1B}[1;31mCONFLICT\u{1B}[0m"))
    // Without the report's own colours nothing of a record's is left.
    let plain = colored.replacing(#/\u{1B}\[[0-9;]+m/#, with: "")
    #expect(plain == full)
  }

  @Test func nothingMovesTheCursorOrTurnsTheWritingRound() {
    let verbose = Samples.full.report(.text, style: ReportStyle(isVerbose: true))
    for text in [full, verbose] {
      let dangerous = text.unicodeScalars.filter { scalar in
        scalar.value < 0x20 && scalar != "\n" || (0x7F...0x9F).contains(scalar.value)
          || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      }
      #expect(dangerous.isEmpty)
    }
    #expect(verbose.contains("\\u001b[31m\\u007f\\u009b2J\\u202e\\u2066end\\n\\r\\tlast\\u0000"))
  }
}
