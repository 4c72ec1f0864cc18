import Foundation
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// Windows and limits one second inside, at, and outside of their ends, in production and in the Sandbox.
@Suite struct WindowEdgeTests {
  private static let second: Int64 = 1000

  /// What only archives are read with, and the test of its edge.
  private static let ofArchives = [
    "decision.window.recovery": "Tests/SlipcastTimelineTests/GroupingWindowTests.swift",
    "decision.window.settled": "Tests/SlipcastTimelineTests/GapTests.swift",
    "decision.window.margin": "Tests/SlipcastComparisonTests/CommonTimeTests.swift",
    "decision.window.firstRetry": "Tests/SlipcastBulkTests/EventSequenceTests.swift",
  ]
  /// The only limit that is a number; `aListOfAsManyPeriodsAsAppleListsMayBeCut` has its edge.
  private static let limits = ["decision.list.limit"]

  @Test func everyWindowAndLimitHasAnEdge() throws {
    let measured = BuiltIn.rules.decisions.filter { rule in
      if case .order = rule.value { false } else { true }
    }
    let tried = Set(WindowEdge.all.map(\.window) + Self.ofArchives.keys + Self.limits)
    #expect(Set(measured.map(\.id)) == tried)
    for (window, file) in Self.ofArchives {
      #expect(try String(contentsOfFile: Folder.package(file), encoding: .utf8).contains(window), "\(window): \(file)")
    }
  }

  @Test(arguments: WindowEdge.all, [false, true])
  func aWindowEndsWhereItsRuleSays(_ edge: WindowEdge, _ isSandbox: Bool) throws {
    let rule = try #require(BuiltIn.rules.decisions.first { $0.id == edge.window })
    guard case .window(let production, let sandbox) = rule.value else { return }
    let length = isSandbox ? sandbox ?? production : production
    let around = rule.tolerance.map { isSandbox ? $0.sandbox ?? $0.milliseconds : $0.milliseconds } ?? 0
    for (offset, word) in edge.points(around) {
      let distance = length + offset
      let received = edge.received.map { Timestamp(milliseconds: Lines.start + $0(distance, isSandbox)) }
      let cast = try Shared.converter.convert(
        edge.record(distance, isSandbox), receivedAt: received, into: edge.emission)
      #expect(edge.read(cast) == word, "\(offset) ms outside")
    }
  }

  /// Beside the purchases there is room for so many, before the list may be cut.
  @Test(arguments: [(-1, Confidence.documented), (0, .inferred), (1, .inferred)])
  func aListOfAsManyPeriodsAsAppleListsMayBeCut(_ more: Int, _ confidence: Confidence) throws {
    let rule = try #require(BuiltIn.rules.decisions.first { $0.id == Self.limits[0] })
    guard case .limit(let count) = rule.value else {
      Issue.record("no limit")
      return
    }
    let others = (1..<count + more).map { number in
      """
      {"product_id":"com.example.slipcast.coins","transaction_id":"\(73_000_170_000 + number)","quantity":"1",\
      "original_transaction_id":"\(73_000_170_000 + number)","purchase_date_ms":"\(Lines.start - Int64(number) * 1000)",\
      "original_purchase_date_ms":"\(Lines.start - Int64(number) * 1000)"}
      """
    }
    let record = Lines.note("INITIAL_BUY", [Lines.row(1, at: 0, false)] + others, false)
    #expect(try Shared.converter.convert(record).confidence == confidence)
  }

  /// However near the end, another product is no renewal while the period runs.
  @Test(arguments: [false, true]) func anotherProductIsARenewalFromTheEndOn(_ isSandbox: Bool) throws {
    for (begins, expected) in [(-1, "PURCHASE"), (0, "RENEWAL"), (1, "RENEWAL")] {
      let record = Lines.second(Int64(begins) * Self.second, isSandbox, product: "yearly")
      #expect(WindowEdge.reason(try Shared.converter.convert(record)) == expected, "\(begins) s after the end")
    }
  }
}
