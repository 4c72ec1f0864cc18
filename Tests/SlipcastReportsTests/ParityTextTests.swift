import SlipcastMapping
import SlipcastReports
import Testing

@testable import SlipcastComparison

@Suite struct ParityTextTests {
  private let findings = ParitySamples.findings.report(.text)
  private let verbose = ParitySamples.findings.report(.text, style: ReportStyle(isVerbose: true))

  @Test func theVerdictIsTheFirstLine() {
    #expect(
      findings.hasPrefix(
        "CONFLICT  99.87% of 984,311 events agree, 1,204 conflict (12 accepted); 340 V1 events have no"))
    #expect(ParitySamples.green.report(.text).hasPrefix("PARITY  all 1,240 events agree\n"))
    #expect(ParitySamples.empty.report(.text).hasPrefix("PARITY  no event is present in both archives\n"))
  }

  @Test func linesFitATerminal() {
    for text in [findings, verbose] {
      // Paths and values are not cut into pieces; sources have addresses. The verdict is one line.
      let long = text.split(separator: "\n").dropFirst().filter {
        $0.count > 100 && $0.contains(" ") && !$0.contains("MIIU")
      }
      #expect(long.isEmpty, "\(long)")
    }
  }

  @Test func columnsAddUpToTheRecordsOfEachSide() throws {
    let lines = findings.split(separator: "\n")
    let first = try #require(lines.firstIndex { $0.hasPrefix("records  ") })
    let rows = lines[(first + 1)...].prefix { $0.hasPrefix("  ") }.map { line in
      line.split(separator: " ").suffix(2).map { Int($0.replacing(",", with: "")) ?? 0 }
    }
    for side in 0...1 { #expect(rows.dropLast().reduce(0) { $0 + $1[side] } == rows.last?[side]) }
    #expect(rows.last == [ParitySamples.findings.legacy.records, ParitySamples.findings.server.records])
  }

  @Test func theWorstPathComesFirst() throws {
    let order = ["priceIncreaseStatus  (fails)", "expiresDate  (fails)", "notificationType  (fails)", "(12 accepted)"]
    let body = findings[(findings.firstRange(of: "\n")?.upperBound ?? findings.startIndex)...]
    let places = try order.map { try #require(body.firstRange(of: $0), "\($0)").lowerBound }
    #expect(places == places.sorted())
  }

  @Test func onePairShowsEachConflictUnlessAllAreAskedFor() {
    #expect(findings.ranges(of: "V1 ends a day later").count == 1)
    #expect(verbose.ranges(of: "V1 ends a day later").count == 20)
    #expect(findings.hasSuffix("the HTML form shows sampled pairs in full\n") && !verbose.contains("--verbose"))
  }

  @Test func aClassThatMustNotOccurIsNamedWhereItDoes() {
    let result = ParitySamples.green.with {
      $0.gates.append(.init(name: "strict semantic", holds: false, message: "340 pairs are semantic."))
    }
    #expect(result.report(.text).contains("notificationType  (fails by 340 semantic)"))
    #expect(result.verdict == .conflict)
  }

  @Test func whatIsNotKnownIsNoAllClear() {
    let result = ParitySamples.empty.with { $0.entitlement.unknown = 12 }
    #expect(
      result.report(.text).contains("access  no pair has enough data to compare access\n           12  unknown: "))
  }

  @Test func anAllClearTellsOfAccessThatEndsAtAnotherTime() {
    let result = ParitySamples.green.with {
      ($0.entitlement.serverEndsEarlier, $0.entitlement.serverEndsLater) = (3, 1)
    }
    let words = result.report(.text).replacing(#/\s+/#, with: " ")
    #expect(
      words.contains("in all 1,240 pairs with enough data, but access ends at another time in 4 of them"), "\(words)")
    #expect(
      words.contains(
        "1,100 access in both 3 access ends earlier in V2: of those with access in both 1 access ends later in V2"),
      "\(words)")
    let html = result.report(.html)
    #expect(html.contains("<div class=\"panel timeDependent\">") && html.contains("of those with access in both"))
  }

  @Test func coloursComeOnlyWhenAskedFor() {
    #expect(!findings.contains("\u{1B}"))
    let colored = ParitySamples.findings.report(.text, style: ReportStyle(isColored: true))
    #expect(colored.hasPrefix("\u{1B}[1;31mCONFLICT\u{1B}[0m"))
    #expect(colored.replacing(#/\u{1B}\[[0-9;]+m/#, with: "") == findings)
  }
}
