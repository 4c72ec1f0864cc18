import SlipcastMapping
import SlipcastWire
import Testing

@testable import SlipcastComparison

/// Gates, shares and baselines by themselves.
@Suite struct GateTests {
  static let now = Timestamp(milliseconds: 1_767_225_600_000)

  static func result(conflicting: Int, of all: Int) -> ParityResult {
    var result = ParityResult(
      legacy: ParityResult.Archive(name: "v1", records: all), server: ParityResult.Archive(name: "v2", records: all))
    (result.pairs.matched, result.pairs.conflicting) = (all - conflicting, conflicting)
    result.failingPairs = conflicting
    result.coverage.time = CommonTime(common: 0...1)
    result.coverage.legacy.inside = ParityCoverage.Count(events: all)
    result.coverage.server.inside = ParityCoverage.Count(events: all)
    var field = ParityResult.Field(v2Path: "data.transactionInfo.expiresDate")
    field.counts = [.conflict: conflicting, .representation: all - conflicting]
    result.fields = [field]
    if conflicting > 0 {
      result.differences = [
        ParityResult.FoundDifference(
          path: field.path, differenceClass: "conflict", kind: .earlierInV2, legacy: "DID_RENEW", server: "DID_RENEW",
          count: conflicting)
      ]
    }
    return result
  }

  private static let known = KnownDifference(
    path: "data.transactionInfo.expiresDate", differenceClass: "conflict", kind: .earlierInV2, legacy: "DID_RENEW",
    server: "DID_RENEW", atMost: 5, reason: "the exporter cut milliseconds", until: "2026-01-31")

  @Test func everyConflictFailsUnlessSomethingElseIsAsked() {
    var result = Self.result(conflicting: 1, of: 100)
    ParityGates().judge(&result)
    #expect(result.verdict == .conflict && result.gates.filter { !$0.holds }.map(\.name) == ["conflicts"])
    var fine = Self.result(conflicting: 0, of: 100)
    ParityGates().judge(&fine)
    #expect(fine.verdict == .parity)
  }

  @Test(arguments: [
    ("99%", 1, 100, true), ("99.01%", 1, 100, false), ("99.0%", 1, 100, true), ("100%", 0, 3, true),
    ("99.9999%", 1, 10_000_000, true), ("100%", 1, 10_000_000, false), ("0%", 3, 3, true), ("100%", 0, 0, false),
  ])
  func aShareIsExact(_ share: String, _ conflicting: Int, _ all: Int, _ holds: Bool) throws {
    var gates = ParityGates()
    gates.agreements = [try #require(AgreementGate(share))]
    var result = Self.result(conflicting: conflicting, of: all)
    gates.judge(&result)
    #expect((result.verdict == .parity) == holds, "\(result.gates.map(\.message))")
  }

  @Test(arguments: [
    "0.95", "1", "99", "x.y=0.95", "%", "101%", "-1%", "a", "", "99.99999%", "=99%", "x=", "99.%", "+5%", "1e1",
    "99.+5%", "99.-0%", "-0%",
  ])
  func whatIsNoShareIsRefused(_ text: String) { #expect(AgreementGate(text) == nil) }

  @Test(arguments: [("99.9%", "99.9%"), ("50%", "50%"), ("x.y=99.0010%", "99.001%")])
  func aShareSaysItself(_ text: String, _ share: String) { #expect(AgreementGate(text)?.share == share) }

  @Test(arguments: [(5, true), (6, false)])
  func aBaselineAcceptsNoMoreThanItSays(_ conflicting: Int, _ holds: Bool) throws {
    var result = Self.result(conflicting: conflicting, of: 100)
    result.differences[0].known = Self.known
    var gates = ParityGates()
    gates.baseline = Baseline(name: "known.json", differences: [Self.known], now: Self.now)
    gates.agreements = [try #require(AgreementGate("data.transactionInfo.expiresDate=100%"))]
    gates.judge(&result)
    #expect(result.gates.prefix(2).map(\.holds) == [holds, holds])
  }

  @Test func aPathHasItsOwnShareAndMustExist() throws {
    var result = Self.result(conflicting: 1, of: 100)
    var gates = ParityGates()
    gates.agreements = [
      try #require(AgreementGate("data.transactionInfo.expiresDate=98%")),
      try #require(AgreementGate("data.transactionInfo.nothing=1%")),
    ]
    gates.judge(&result)
    #expect(result.gates.prefix(2).map(\.holds) == [true, false])
  }

  @Test(arguments: [(5, true, 0), (6, false, 0), (0, true, 1)])
  func aBaselineAcceptsSoManyAndTellsWhatIsGone(_ count: Int, _ holds: Bool, _ notes: Int) {
    var result = Self.result(conflicting: count, of: 100)
    for place in result.differences.indices { result.differences[place].known = Self.known }
    var gates = ParityGates()
    gates.baseline = Baseline(name: "known.json", differences: [Self.known], now: Self.now)
    gates.judge(&result)
    #expect((result.verdict == .parity) == holds)
    #expect(result.notes.count { $0.code == "baselineVanished" } == notes)
  }

  @Test func anExpiredDifferenceIsTold() {
    var result = Self.result(conflicting: 5, of: 100)
    var gates = ParityGates()
    let later = Timestamp(milliseconds: Self.now.milliseconds + 40 * 86_400_000)
    gates.baseline = Baseline(name: "known.json", differences: [Self.known], now: later)
    gates.judge(&result)
    #expect(result.verdict == .conflict)
    #expect(result.notes.map(\.code) == ["baselineExpired"])
  }

  @Test func archivesWithoutACommonEventAreNoParity() throws {
    var result = Self.result(conflicting: 0, of: 0)
    ParityGates().judge(&result)
    #expect(result.verdict == .conflict && result.gates.first?.name == "compared")
  }

  @Test(arguments: [
    (nil, 0, true), (nil, 1, false), ("1", 1, true), ("1", 2, false), ("1%", 2, true), ("1%", 3, false), ("0", 0, true),
  ])
  func unreadableRecordsFail(_ limit: String?, _ count: Int, _ holds: Bool) {
    var result = Self.result(conflicting: 0, of: 100)
    result.pairs.rejected.server = count
    var gates = ParityGates()
    gates.maxRejects = limit.flatMap { EventLimit($0) }
    gates.judge(&result)
    #expect((result.verdict == .parity) == holds, "\(result.gates.map(\.message))")
    #expect(result.gates.contains { $0.name == "maxRejects" } == (limit != nil || count > 0))
  }

  /// Events without a counterpart inside the common time.
  @Test(arguments: [
    (nil, 0, true), (nil, 1, false), ("11", 11, true), ("10", 11, false), ("50%", 50, true), ("49.9999%", 50, false),
    ("0", 0, true), ("0", 1, false), ("100%", 100, true),
  ])
  func eventsWithoutACounterpartFailAboveTheLimit(_ limit: String?, _ count: Int, _ holds: Bool) throws {
    for side in MissingEvent.Side.allCases {
      var result = Self.result(conflicting: 0, of: 100)
      Self.lose(count, of: 100, "DID_RENEW", side, &result)
      var gates = ParityGates()
      gates.maxMissing = limit.flatMap { EventLimit($0) }
      gates.judge(&result)
      let gate = try #require(result.gates.first { $0.name == "missing" })
      #expect(gate.holds == holds && (result.verdict == .parity) == holds, "\(gate.message)")
      if !holds { #expect(gate.message.contains("\(count) DID_RENEW"), "\(gate.message)") }
    }
  }

  /// No option about events lets a refund pass but its own.
  @Test(arguments: [(0, 1, false), (1, 1, true), (1, 2, false), (2, 2, true)], ["REFUND", "REVOKE"])
  func aMissingRefundFailsWhateverShareIsAllowed(_ limit: (most: Int, count: Int, holds: Bool), _ type: String) throws {
    for side in MissingEvent.Side.allCases {
      var result = Self.result(conflicting: 0, of: 100)
      Self.lose(limit.count, of: 100, type, side, &result)
      var gates = ParityGates()
      gates.maxMissing = EventLimit("100%")
      gates.agreements = [try #require(AgreementGate("50%"))]
      gates.maxMissingRefunds = limit.most
      gates.judge(&result)
      let gate = try #require(result.gates.first { $0.name == "missingRefunds" })
      #expect(gate.holds == limit.holds && (result.verdict == .parity) == limit.holds, "\(gate.message)")
      #expect(gate.message.contains("\(limit.count) \(type) missing in \(side == .legacy ? "V2" : "V1")"))
    }
  }

  @Test func aBaselineAcceptsSingleMissingEvents() throws {
    var result = Self.result(conflicting: 0, of: 100)
    Self.lose(2, of: 100, "REFUND", .legacy, &result)
    result.missing.kinds[0].accepted = 1
    ParityGates().judge(&result)
    #expect(result.verdict == .conflict)
    (result.gates, result.missing.kinds[0].accepted) = ([], 2)
    ParityGates().judge(&result)
    #expect(result.verdict == .parity)
    let gate = try #require(result.gates.first { $0.name == "missingRefunds" })
    #expect(gate.message.contains("the baseline accepts 2"), "\(gate.message)")
  }

  private static func lose(
    _ missing: Int, of events: Int, _ event: String, _ side: MissingEvent.Side, _ result: inout ParityResult
  ) {
    var found = ParityCoverage.Side()
    found.inside = ParityCoverage.Count(events: events, missing: missing)
    found.all = found.inside
    found.types = [ParityCoverage.Kind(event: event, inside: found.inside, all: found.all)]
    if side == .legacy { result.coverage.legacy = found } else { result.coverage.server = found }
    guard missing > 0 else { return }
    result.missing.kinds.append(
      MissingEvents.Kind(side: side, type: event, isRefund: EventName(spelled: event).takesBack, count: missing))
  }

  @Test(arguments: [(2, 2, true), (3, 3, false), (3, 4, true)])
  func aTypeThatIsCompletelyMissingFails(_ missing: Int, _ events: Int, _ holds: Bool) throws {
    var result = Self.result(conflicting: 0, of: 100)
    Self.lose(missing, of: 100, "PRICE_INCREASE", .server, &result)
    let count = ParityCoverage.Count(events: events, missing: missing)
    result.coverage.server.types = [ParityCoverage.Kind(event: "PRICE_INCREASE", inside: count, all: count)]
    var gates = ParityGates()
    gates.maxMissing = EventLimit("10%")
    gates.judge(&result)
    let gate = try #require(result.gates.first { $0.name == "missing" })
    #expect(gate.holds == holds, "\(gate.message)")
    if !holds { #expect(gate.message == "all 3 PRICE_INCREASE of V2 are missing in V1") }
    gates.maxMissing = EventLimit("100%")
    result.gates = []
    gates.judge(&result)
    #expect(result.verdict == .parity, "100% allows everything")
  }

  /// Where each event has a counterpart, both archives cover the time of all.
  @Test(arguments: [(0, true), (1, false)])
  func pairsFarApartAreNoLoss(_ missing: Int, _ holds: Bool) throws {
    var result = Self.result(conflicting: 0, of: 1)
    result.coverage.time = CommonTime(common: nil)
    (result.legacy.span, result.server.span) = (0...0, 100_000_000...100_000_000)
    result.coverage.legacy.all = ParityCoverage.Count(events: 1 + missing, missing: missing)
    result.coverage.server.all = ParityCoverage.Count(events: 1)
    ParityGates().judge(&result)
    let gate = try #require(result.gates.first { $0.name == "missing" })
    #expect(gate.holds == holds && (result.verdict == .parity) == holds, "\(gate.message)")
    #expect(gate.message.contains("V2 from 1970-01-02T03:46:40Z") != holds, "\(gate.message)")
    if holds { #expect(gate.message.contains("0 of 1 V1 event ")) }
  }

  @Test func eventsOutsideOfTheCommonTimeDoNotFail() {
    var result = Self.result(conflicting: 0, of: 100)
    result.coverage.server.all = ParityCoverage.Count(events: 200, missing: 100)
    ParityGates().judge(&result)
    #expect(result.verdict == .parity && result.notes.map(\.code) == ["missingOutside"])
  }

  @Test(arguments: [
    (0, 0, 0, 0, true), (1, 0, 0, 0, false), (0, 1, 0, 0, false), (1, 1, 0, 2, true), (1, 2, 0, 2, false),
    (2, 0, 2, 0, true), (2, 1, 2, 0, false),
  ])
  func aChangeOfAccessFails(_ out: Int, _ free: Int, _ accepted: Int, _ allowed: Int, _ holds: Bool) throws {
    var result = Self.result(conflicting: 0, of: 100)
    (result.entitlement.granted, result.entitlement.legacyOnly, result.entitlement.serverOnly) = (90, out, free)
    result.entitlement.accepted = accepted
    var gates = ParityGates()
    gates.maxAccessChanges = allowed
    gates.judge(&result)
    let gate = try #require(result.gates.first { $0.name == "access" })
    #expect(gate.holds == holds && (result.verdict == .parity) == holds, "\(gate.message)")
  }

  @Test(arguments: [
    (0, 0, 0, 0, true), (1, 0, 0, 0, false), (0, 1, 0, 0, false), (1, 1, 0, 2, true), (1, 2, 0, 2, false),
    (2, 0, 2, 0, true), (2, 1, 2, 0, false),
  ])
  func customersCountAtTheirLastKnownState(
    _ out: Int, _ free: Int, _ accepted: Int, _ allowed: Int, _ holds: Bool
  ) throws {
    var result = Self.result(conflicting: 0, of: 100)
    // Pairs that differed at older events do not count.
    (result.entitlement.granted, result.entitlement.legacyOnly) = (90, 7)
    var access = AccessTotals(asOf: 0)
    (access.subscriptions, access.lockedOut, access.servedForFree) = (100, out, free)
    (access.refundReversed, access.unknown, access.accepted) = (5, 5, accepted)
    result.access = access
    var gates = ParityGates()
    gates.maxAccessChanges = allowed
    gates.judge(&result)
    let gate = try #require(result.gates.first { $0.name == "access" })
    #expect(gate.holds == holds && (result.verdict == .parity) == holds, "\(gate.message)")
    #expect(gate.message.contains("7 pairs") == (out + free == 0), "\(gate.message)")
    #expect(!gate.message.contains("--as-of"))
  }

  @Test(arguments: [
    (0, 0, 0, nil, true), (1, 0, 0, nil, false), (0, 1, 0, nil, false), (1, 1, 2, nil, true), (2, 1, 2, nil, false),
    (2, 1, 0, "3", true), (2, 2, 0, "3", false), (5, 5, 0, "10%", false), (5, 4, 0, "10%", true),
  ])
  func accessThatEndsAtAnotherTimeFails(
    _ earlier: Int, _ later: Int, _ accepted: Int, _ limit: String?, _ holds: Bool
  ) throws {
    var result = Self.result(conflicting: 0, of: 100)
    var access = AccessTotals(asOf: 0)
    (access.subscriptions, access.unknown, access.refundReversed) = (100, 9, 3)
    (access.endsEarlier, access.endsLater, access.endsAccepted) = (earlier, later, accepted)
    result.access = access
    var gates = ParityGates()
    gates.maxEndChanges = limit.flatMap { EventLimit($0) }
    gates.judge(&result)
    let gate = try #require(result.gates.first { $0.name == "endChanges" })
    #expect(gate.holds == holds && (result.verdict == .parity) == holds, "\(gate.message)")
  }

  @Test func aShareOfAccessReplacesTheGateOfAccess() throws {
    var result = Self.result(conflicting: 0, of: 100)
    (result.entitlement.granted, result.entitlement.legacyOnly) = (90, 1)
    var gates = ParityGates()
    gates.agreements = [try #require(AgreementGate("entitlement=90%"))]
    gates.judge(&result)
    #expect(result.verdict == .parity && !result.gates.contains { $0.name == "access" })
  }

  @Test func aBaselineWithoutKindsAcceptsNothingAndSaysWhatToDo() throws {
    let text = """
      {"schema":1,"differences":[{"path":"a","class":"conflict","legacy":"b","server":"c","reason":"r"}]}
      """
    let old = try Baseline(json: Array(text.utf8), name: "known.json", now: Self.now)
    #expect(old.differences.map(\.kind) == [nil])
    var result = Self.result(conflicting: 0, of: 100)
    var gates = ParityGates()
    gates.baseline = old
    gates.judge(&result)
    let note = try #require(result.notes.first { $0.code == "baselineOutdated" })
    #expect(note.isWarning && note.message.contains("slipcast baseline record --force"))
  }

  @Test(arguments: ["", "-1", "+1", "1.5", "x%", "101%", "a=1%", "1 %", "0x1", "٣"])
  func whatIsNoLimitIsRefused(_ text: String) { #expect(EventLimit(text) == nil) }

  @Test func accessThatEndsAtAnotherTimeDoesNotAgree() throws {
    var result = Self.result(conflicting: 3, of: 100)
    (result.entitlement.granted, result.entitlement.denied) = (60, 40)
    (result.entitlement.serverEndsEarlier, result.entitlement.serverEndsLater) = (2, 1)
    var gates = ParityGates()
    gates.agreements = [
      try #require(AgreementGate("entitlement=97%")), try #require(AgreementGate("entitlement=97.1%")),
    ]
    gates.judge(&result)
    #expect(result.gates.prefix(2).map(\.holds) == [true, false])
    #expect(
      result.notes.map(\.message) == [
        "V2 ends access earlier than V1 in 2 pairs and later than V1 in 1 pair, but both sides agree at the time compared; "
          + "--as-of TIME sets another"
      ])
  }

  @Test func aBaselineReadsWhatItWrites() throws {
    var other = Self.known
    (other.legacy, other.atMost, other.until) = ("\"quoted\"\n", nil, nil)
    let events = [
      KnownEvent(type: "REFUND", originalTransactionId: "1\"", time: 5, reason: "r", until: "2026-01-31"),
      KnownEvent(type: "DID_RENEW/BILLING_RECOVERY", originalTransactionId: "2", time: nil, reason: "s", until: nil),
    ]
    let baseline = Baseline(name: "b", differences: [Self.known, other], events: events, now: Self.now)
    let again = try Baseline(json: Array(baseline.json.utf8), name: "b", now: Self.now)
    #expect(again == baseline)
  }

  @Test(arguments: [
    ("{", "byte"), ("[]", "expected {\"schema\": 1"), ("{\"schema\":2,\"differences\":[]}", "expected {\"schema\": 1"),
    ("{\"schema\":1,\"differences\":[{}]}", "differences[0]: expected a text \"path\""),
    (
      "{\"schema\":1,\"differences\":[{\"path\":\"a\",\"class\":\"conflict\",\"legacy\":\"b\",\"server\":\"c\"}]}",
      "\"reason\""
    ),
    (
      "{\"schema\":1,\"differences\":[{\"path\":\"a\",\"class\":\"c\",\"legacy\":\"b\",\"server\":\"c\",\"reason\":\"r\",\"until\":\"soon\"}]}",
      "\"until\" is a day"
    ),
    ("{\"schema\":1,\"differences\":[{\"pattern\":\"a\"}]}", "\"pattern\" is not one of"),
    ("{\"schema\":1,\"differences\":[],\"refunds\":[]}", "\"refunds\" is not one of"),
    ("{\"schema\":1,\"differences\":[],\"missing\":[{\"type\":\"REFUND\"}]}", "missing[0]: expected a text"),
    (
      "{\"schema\":1,\"differences\":[],\"missing\":[{\"type\":\"REFUND\",\"originalTransactionId\":\"1\",\"time\":\"any\"}]}",
      "\"time\" is that of one event"
    ),
    (
      "{\"schema\":1,\"differences\":[{\"path\":\"a\",\"class\":\"c\",\"kind\":\"odd\",\"legacy\":\"b\",\"server\":\"c\",\"reason\":\"r\"}]}",
      "\"kind\" is one of"
    ),
  ])
  func aBrokenBaselineIsRefusedWithItsPlace(_ text: String, _ words: String) {
    #expect {
      try Baseline(json: Array(text.utf8), name: "b", now: Self.now)
    } throws: { "\($0)".contains(words) }
  }
}
