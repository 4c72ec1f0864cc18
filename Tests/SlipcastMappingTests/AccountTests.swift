import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct AccountTests {
  /// Every leaf of a body stands in the account: as a source, as a loss, or below a row that is named as a whole.
  @Test(arguments: Fixture.cases("notifications") + Fixture.cases("receipts"))
  func namesEveryLegacyValue(_ fixture: Fixture) throws {
    guard !(try fixture.arguments.contains("--body")) else { return }
    let bytes = try fixture.bytes("v1.json")
    let account = try Shared.caster.cast(bytes).account
    let named = Set(account.fields.compactMap(\.v1Path) + account.lost.map(\.v1Path))
    for path in try Self.leaves(bytes) {
      let isNamed = named.contains(path) || named.contains { path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
      #expect(isNamed, "\(path) is neither mapped nor named")
    }
  }

  /// Each V2 value of the output stands in the account exactly once, with its rule.
  @Test(arguments: Fixture.cases("notifications"))
  func namesEveryValueOfTheOutput(_ fixture: Fixture) throws {
    guard !(try fixture.arguments.contains("--body")) else { return }
    let cast = try Shared.caster.cast(try fixture.bytes("v1.json"))
    let written = try Self.leaves(Array(cast.json.utf8)).filter { !$0.hasPrefix("migration.") }
    #expect(cast.account.fields.map(\.v2Path).sorted() == written.sorted())
  }

  @Test func aBodyWithEveryKeyIsAccountedForKeyByKey() throws {
    // An upgraded period needs a body of its own: is_upgraded would change what the other keys mean.
    let accounts = try ["every-key", "cancel-upgraded-period"].map { name in
      try Shared.caster.cast(try Fixture.named("notifications/" + name).bytes("v1.json")).account
    }
    let account = try #require(accounts.first)
    let paths = accounts.flatMap { $0.fields.compactMap(\.v1Path) + $0.lost.map(\.v1Path) }
    let text = paths.joined(separator: "\n")
    let scopes: [LegacyScope] = [.responseBodyV1, .unified_receipt, .latest_receipt_info, .pending_renewal_info]
    for scope in scopes {
      for field in scope.fields where field.kind != .object && field.kind != .objects {
        if !text.contains(field.key.name) { Issue.record("\(scope.rawValue).\(field.key.name) is not named") }
      }
    }
    #expect(account.lost.contains { $0.v1Path == "password" })
  }

  @Test func everyAbsentFieldHasAReason() throws {
    let account = try Shared.caster.cast(try Fixture.named("notifications/did-renew").bytes("v1.json")).account
    let reasons = Set(account.absent.map(\.reason))
    #expect(reasons.isSubset(of: ["noV1Source", "absentInV1", "noneInV1", "undetermined"]))
    #expect(account.absent.contains { $0.v2Path == "data.transactionInfo.price" && $0.reason == "noV1Source" })
  }

  /// Dotted paths of all values that are no containers; empty containers count as values.
  private static func leaves(_ json: [UInt8]) throws -> [String] {
    var text = json
    if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
    let count = text.count
    text.append(contentsOf: repeatElement(0, count: JSONReader.padding))
    let reader = JSONReader(names: LegacyKey.names)
    return try text.withUnsafeBufferPointer { buffer throws in
      let tape = try reader.read(try #require(buffer.baseAddress), count: count)
      return (1..<tape.count).filter { index in
        let kind = tape[index].kind
        return (kind != .object && kind != .array) || tape[index].length == 0
      }.map { JSONPath(tape: tape, index: $0).description }
    }
  }
}
