import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import Testing

/// Events that line item, kind and time do not distinguish are paired by their contents, in whatever order they come.
@Suite struct TieTests {
  /// A pair of the fixtures, and the same pair with other values: another event of the period.
  private struct Tie {
    let legacy: [String]
    let server: [String]

    init(_ pair: String, legacy changes: [(String, String)], server others: [(String, String)]) throws {
      var archives = Archives()
      try archives.add(pair: pair)
      func change(_ line: String, _ changes: [(String, String)]) throws -> String {
        try changes.reduce(line) { line, change in
          try #require(line.contains(change.0), "\(change.0)")
          return line.replacing(change.0, with: change.1)
        }
      }
      legacy = [archives.legacy[0], try change(archives.legacy[0], changes)]
      server = [archives.server[0], try change(archives.server[0], others)]
    }

    static let consents = Result {
      try Tie(
        "price-increase-pending", legacy: [(#""price_consent_status": "0""#, #""price_consent_status": "1""#)],
        server: [
          (#""priceIncreaseStatus": 0"#, #""priceIncreaseStatus": 1"#), ("4c937f3e", "4c937f3f"),
          ("1743580801236", "1743681601236"),
        ])
    }

    static let preferences = Result {
      try Tie(
        "downgrade-chosen",
        legacy: [
          (#""auto_renew_status": "true""#, #""auto_renew_status": "false""#),
          (#""auto_renew_status": "1""#, #""auto_renew_status": "0""#),
        ],
        server: [
          (#""autoRenewStatus": 1"#, #""autoRenewStatus": 0"#), ("7bbf224e", "7bbf224f"),
          ("1709719202000", "1709819202000"),
        ])
    }

    static let environments = Result {
      try Tie(
        "environment-production", legacy: [(#""PROD""#, #""Sandbox""#), (#""Production""#, #""Sandbox""#)],
        server: [(#""Production""#, #""Sandbox""#), ("8c4e18e1", "8c4e18e2")])
    }
  }

  /// Source: facts comparison §2, "Order in the files means nothing"; facts evidence §10, the renewal state identifies
  /// messages without a date.
  @Test(
    arguments: ["consents", "preferences", "environments"],
    [([0, 1], [0, 1]), ([0, 1], [1, 0]), ([1, 0], [0, 1]), ([1, 0], [1, 0])])
  func theOrderOfTheFilesDecidesNothing(_ name: String, _ orders: (legacy: [Int], server: [Int])) async throws {
    let ties = ["consents": Tie.consents, "preferences": Tie.preferences, "environments": Tie.environments]
    let tie = try #require(ties[name]).get()
    var archives = Archives()
    archives.legacy = orders.legacy.map { tie.legacy[$0] }
    archives.server = orders.server.map { tie.server[$0] }
    let result = try await archives.compare()
    let conflicts = result.fields.filter { $0.count(.conflict) > 0 }.map(\.path)
    #expect((result.pairs.matched, result.pairs.conflicting) == (2, 0), "\(conflicts)")
  }

  /// Apple delivers a message for up to 78 hours: one that came when the next event happened is still that of its state.
  @Test(arguments: [[0, 1], [1, 0]])
  func aLateMessageIsPairedByItsState(_ order: [Int]) async throws {
    let tie = try Tie.consents.get()
    let late = [1_743_580_801_236 + 30 * 3_600_000, 1_743_681_601_236 + 30 * 3_600_000]
    var archives = Archives()
    archives.legacy = order.map { "{\"at\":\(late[$0]),\"body\":\(tie.legacy[$0])}" }
    archives.server = tie.server
    let result = try await archives.compare(receivedAt: "/at")
    #expect((result.pairs.matched, result.pairs.conflicting) == (2, 0))
  }

  /// Source: RFC 9562: the letters of a UUID are read without regard to case.
  @Test(arguments: [true, false])
  func anIdInOtherLettersIsTheSameContent(_ isCapitalFirst: Bool) async throws {
    var archives = Archives()
    try archives.add(pair: "refund")
    let id = "cd0092f5-f261-4e96-b91e-32a64fb27cd2"
    let other = archives.server[0].replacing(id, with: id.uppercased())
    #expect(other != archives.server[0])
    archives.server = isCapitalFirst ? [other, archives.server[0]] : [archives.server[0], other]
    let result = try await archives.compare()
    #expect((result.pairs.duplicates.server, result.pairs.repeatDiffers.server) == (1, 0))
    archives.server[1] = archives.server[1].replacing("\"price\": 4990", with: "\"price\": 4991")
    let changed = try await archives.compare()
    #expect((changed.pairs.duplicates.server, changed.pairs.repeatDiffers.server) == (1, 1))
  }
}
