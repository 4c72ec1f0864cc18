import SlipcastMapping
import SlipcastTestSupport
import SlipcastWire
import Testing

@testable import SlipcastComparison

/// Archives are compared as images: these must give, path for path, what one pair gives with words.
@Suite struct ImageTests {
  private let images = ImagePair()

  static let fixtures = MutationTests.fixtures.filter { $0.name.hasPrefix("notifications/") }
  static let pairs = Fixture.cases("pairs").filter { pair in
    guard ((try? pair.arguments) ?? []).isEmpty, let server = try? pair.text("v2.json") else { return false }
    return server.contains("\"notificationType\"") || server.contains("\"signedPayload\"")
  }

  private func expectSame(_ legacy: [UInt8], _ server: [UInt8], _ what: String) throws {
    let spelled = try images.spelled(legacy, server)
    let counted = try images.counted(legacy, server)
    let odd = Set(spelled.keys).union(counted.keys).filter { spelled[$0] != counted[$0] }.sorted()
    let words = odd.map { path in
      "\(path): \(spelled[path]?.rawValue ?? "none") with words, \(counted[path]?.rawValue ?? "none") without"
    }
    #expect(odd.isEmpty, "\(what): \(words)")
  }

  @Test(arguments: fixtures)
  func aRecordBesideItsOwnCastGivesTheSameClasses(_ fixture: Fixture) throws {
    let (legacy, server) = try MutationTests.pair(fixture)
    try expectSame(legacy, server, "cast")
  }

  @Test(arguments: fixtures)
  func anEarlierCastInThePlaceOfTheLegacyRecordGivesTheSameClasses(_ fixture: Fixture) throws {
    let (legacy, server) = try MutationTests.pair(fixture)
    let cast = Array(try Shared.caster.cast(legacy).json.utf8)
    try expectSame(cast, server, "earlier cast")
    try expectSame(server, server, "V2 beside V2")
    try expectSame(cast, cast, "two casts")
  }

  @Test(arguments: fixtures)
  func changedAndMissingValuesGiveTheSameClasses(_ fixture: Fixture) throws {
    let (legacy, server) = try MutationTests.pair(fixture)
    let cast = Array(try Shared.caster.cast(legacy).json.utf8)
    var random = SeededGenerator(seed: 6)
    for _ in 0..<3 {
      if let change = try Mutation.change(server, &random) {
        try expectSame(legacy, change.json, "\(change.path) changed")
        try expectSame(cast, change.json, "\(change.path) changed beside an earlier cast")
        try expectSame(server, change.json, "\(change.path) changed beside V2")
      }
      if let change = try Mutation.remove(server, &random) {
        try expectSame(legacy, change.json, "\(change.path) left out")
      }
    }
  }

  @Test(arguments: pairs)
  func aPairOfTheFixturesGivesTheSameClasses(_ pair: Fixture) throws {
    try expectSame(try pair.bytes("v1.json"), try pair.bytes("v2.json"), pair.name)
  }
}
