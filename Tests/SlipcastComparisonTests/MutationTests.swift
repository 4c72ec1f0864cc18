import Foundation
import SlipcastComparison
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import SlipcastWire
import Testing

/// Properties of every cast of the fixtures: compared with itself, and with itself but for one value.
@Suite struct MutationTests {
  static let fixtures = (Fixture.cases("notifications") + Fixture.cases("receipts")).filter { fixture in
    ((try? fixture.arguments) ?? []).isEmpty
  }

  /// The fixtures that values are changed in: every sixth, or all with `SLIPCAST_MUTATIONS=all`, as `make test-all` has it.
  static let mutated: [Fixture] = {
    if ProcessInfo.processInfo.environment["SLIPCAST_MUTATIONS"] == "all" { return fixtures }
    return fixtures.enumerated().filter { $0.offset % 6 == 0 }.map(\.element)
  }()

  /// The legacy record of a fixture and its cast without Slipcast's own account, as Apple would have sent it.
  static func pair(_ fixture: Fixture) throws -> (legacy: [UInt8], server: [UInt8]) {
    let legacy = try fixture.bytes("v1.json")
    let converter = Shared.converter
    let cast = try converter.convert(legacy)
    switch cast.value {
    case .notification(var value):
      value.migration = nil
      return (legacy, Array(value.json.utf8))
    case .history(var value):
      value.migration = nil
      return (legacy, Array(value.json.utf8))
    case .statuses(var value):
      value.migration = nil
      return (legacy, Array(value.json.utf8))
    case .appTransaction(var value):
      value.migration = nil
      return (legacy, Array(value.json.utf8))
    }
  }

  /// The record shows a purchase, a cancellation or a change that is later than V2's signature: what follows from it cannot
  /// be in V2, and differs by time (evidence: three times).
  private static func isWrittenLater(_ legacy: [UInt8], than server: [UInt8]) throws -> Bool {
    let (legacy, server) = (String(decoding: legacy, as: UTF8.self), String(decoding: server, as: UTF8.self))
    let dates = legacy.matches(
      of: /"(?:purchase_date_ms|cancellation_date_ms|auto_renew_status_change_date_ms)": *"?(\d+)/
    ).compactMap { Int64($0.output.1) }
    guard let signed = server.firstMatch(of: /"signedDate":(\d+)/).flatMap({ Int64($0.output.1) }) else { return false }
    return dates.contains { $0 > signed }
  }

  @Test(arguments: fixtures)
  func aRecordAgreesWithItsOwnCast(_ fixture: Fixture) throws {
    let (legacy, server) = try Self.pair(fixture)
    let comparison = try Shared.comparer.compare(legacy: legacy, server: server)
    // What cannot be read agrees with nothing, and of two offers Apple's record would have had one.
    let odd = comparison.fields.filter {
      [.conflict, .timeDependent].contains($0.differenceClass) && !$0.isUnreadable && !($0.cast == nil && $0.v2 == nil)
    }
    #expect(odd.isEmpty, "\(odd.map { "\($0.path): \($0.explanation)" })")
    #expect(comparison.fields.allSatisfy { $0.v2 == nil || $0.cast == $0.v2 })
  }

  @Test(arguments: fixtures)
  func aCastIsIdenticalToItself(_ fixture: Fixture) throws {
    let server = try Self.pair(fixture).server
    let comparison = try Shared.comparer.compare(legacy: server, server: server)
    #expect(comparison.verdict == .parity)
    #expect(comparison.counts[.identical] == comparison.fields.count)
  }

  /// Changing one mapped value to another valid one causes a difference at that path and nowhere else.
  @Test(arguments: mutated)
  func oneChangedValueIsOneDifference(_ fixture: Fixture) throws {
    let (legacy, server) = try Self.pair(fixture)
    let before = try classes(legacy, server)
    let isLater = try Self.isWrittenLater(legacy, than: server)
    var random = Self.random(fixture)
    for _ in 0..<6 {
      guard let change = try Mutation.change(server, &random) else { continue }
      let after = try classes(legacy, change.json)
      let moved = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      #expect(moved == [change.path], "\(change.path): \(moved.sorted())")
      #expect(after[change.path] != .identical && after[change.path] != nil)
      let isTimeDependent = isLater && after[change.path] == .timeDependent
      if !change.isTolerated, !isTimeDependent { #expect(after[change.path] == .conflict, "\(change.path)") }
    }
  }

  @Test(arguments: mutated)
  func aMappedValueThatV2LacksIsAConflictThere(_ fixture: Fixture) throws {
    let (legacy, server) = try Self.pair(fixture)
    let before = try classes(legacy, server)
    let isLater = try Self.isWrittenLater(legacy, than: server)
    var random = Self.random(fixture)
    for _ in 0..<4 {
      guard let change = try Mutation.remove(server, &random) else { continue }
      // A cancellation that may be an upgrade's is a conclusion: V2 need not state a revocation.
      if change.path.contains("revocation"), before[change.path] == .derived { continue }
      let after = try classes(legacy, change.json)
      let moved = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
      #expect(moved == [change.path], "\(change.path): \(moved.sorted())")
      let isRight =
        after[change.path] == .conflict || isLater && after[change.path] == .timeDependent
        || change.mayLack && after[change.path] ?? .legacyOnly == .legacyOnly
      #expect(change.isTolerated || isRight, "\(change.path) is \(String(describing: after[change.path]))")
    }
  }

  /// Between two V2 records a contradiction is one from either side, and what one has alone the other lacks.
  @Test(arguments: mutated)
  func twoV2RecordsDifferAlikeFromEitherSide(_ fixture: Fixture) throws {
    let server = try Self.pair(fixture).server
    var random = Self.random(fixture)
    let changes = [try Mutation.change(server, &random), try Mutation.remove(server, &random)]
    for other in changes.compactMap({ $0?.json }) { try compareBothWays(server, other) }
  }

  private func compareBothWays(_ server: [UInt8], _ other: [UInt8]) throws {
    let (one, two) = (try classes(server, other), try classes(other, server))
    let turned = two.mapValues { value -> DifferenceClass in
      switch value {
      case .legacyOnly: .serverOnly
      case .serverOnly: .legacyOnly
      default: value
      }
    }
    let apart = Set(one.keys).union(turned.keys).filter { one[$0] != turned[$0] }
    #expect(apart.isEmpty, "\(apart.map { "\($0): \(String(describing: one[$0])), \(String(describing: two[$0]))" })")
  }

  /// Random numbers of the fixture's own.
  private static func random(_ fixture: Fixture) -> SeededGenerator {
    SeededGenerator(seed: UInt64(fixture.name.utf8.reduce(7) { $0 &* 31 &+ Int($1) }.magnitude))
  }

  private func classes(_ legacy: [UInt8], _ server: [UInt8]) throws -> [String: DifferenceClass] {
    let fields = try Shared.comparer.compare(legacy: legacy, server: server).fields
    return Dictionary(fields.map { ($0.path, $0.differenceClass) }, uniquingKeysWith: { first, _ in first })
  }
}
