import Foundation
import SlipcastLegacy
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
@_spi(Slipcast) import SlipcastWire
import Testing

@Suite struct AccountTests {
  /// Every leaf of a body is in the account: as a source, as a loss, or below a row that is named as a whole.
  @Test(arguments: Fixture.cases("notifications") + Fixture.cases("receipts"))
  func namesEveryLegacyValue(_ fixture: Fixture) throws {
    guard !(try fixture.arguments.contains("--body")) else { return }
    let bytes = try fixture.bytes("v1.json")
    let account = try Shared.converter.convert(bytes).account
    let named = Set(account.fields.compactMap(\.v1Path) + account.unmapped.map(\.v1Path))
    let isPart = account.findings.contains { $0.code == "partialAnswer" }
    // The paths are those of the values inside a text.
    let isText = account.findings.contains { $0.code == "textForContainer" }
    for path in try Self.leaves(isText ? try Self.opened(bytes) : bytes) {
      // The values of a part are named where they are in a whole answer.
      let isNamed =
        named.contains(path) || isPart && named.contains { $0.hasSuffix("." + path) || $0.hasSuffix("]" + path) }
        || named.contains { path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
      #expect(isNamed, "\(path) is neither mapped nor named")
    }
  }

  /// The record with objects and lists in the place of texts that contain them.
  private static func opened(_ bytes: [UInt8]) throws -> [UInt8] {
    func open(_ value: Any) -> Any {
      if let members = value as? [String: Any] { return members.mapValues(open) }
      if let elements = value as? [Any] { return elements.map(open) }
      guard let text = value as? String, "{[\"".contains(text.prefix(1)), !text.isEmpty,
        let inner = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
      else { return value }
      return open(inner)
    }
    let record = try JSONSerialization.jsonObject(with: Data(bytes))
    return Array(try JSONSerialization.data(withJSONObject: open(record)))
  }

  /// Each V2 value of the output is in the account exactly once, with its rule, and `migration.inferred` names
  /// those that are conclusions.
  @Test(arguments: Fixture.cases("notifications") + Fixture.cases("receipts"), [Emission.auto, .history, .statuses])
  func namesEveryValueOfTheOutput(_ fixture: Fixture, _ emission: Emission) throws {
    guard !(try fixture.arguments.contains("--body")) else { return }
    let cast = try Shared.converter.convert(try fixture.bytes("v1.json"), into: emission)
    let written = try Self.leaves(Array(cast.json.utf8)).filter { !$0.hasPrefix("migration") }
    let lists = ["transactions", "data"]
    #expect(cast.account.fields.map(\.v2Path).sorted() == written.filter { !lists.contains($0) }.sorted())
    // How sure type and subtype are, `migration.confidence` says.
    let fields = cast.account.fields.filter { $0.v2Path != "notificationType" && $0.v2Path != "subtype" }
    let inferred = fields.filter { $0.confidence == .inferred }.map(\.v2Path)
    #expect(inferred.sorted() == cast.migration?.inferred?.sorted())
  }

  @Test(arguments: Fixture.cases("notifications") + Fixture.cases("receipts"))
  func namesUnmappedValuesInTheOrderOfTheRecord(_ fixture: Fixture) throws {
    guard !(try fixture.arguments.contains("--body")) else { return }
    let bytes = try fixture.bytes("v1.json")
    let leaves = try Self.leaves(bytes)
    let places = try Shared.converter.convert(bytes).account.unmapped.compactMap { loss in
      leaves.firstIndex { $0 == loss.v1Path || $0.hasPrefix(loss.v1Path + ".") || $0.hasPrefix(loss.v1Path + "[") }
    }
    #expect(places == places.sorted())
  }

  @Test func theSharedSecretHasNoValueInTheAccount() throws {
    let record = #"{"notification_type":"DID_RENEW","password":"hush","unified_receipt":{"password":"hush"}}"#
    let account = try Shared.converter.convert(record).account
    let secrets = account.lost.filter { $0.v1Path.hasSuffix("password") }
    #expect(secrets.count == 2)
    #expect(secrets.allSatisfy { $0.v1Value == nil })
  }

  @Test func aBodyWithEveryKeyIsAccountedForKeyByKey() throws {
    // An upgraded period needs a separate body: is_upgraded would change what the other keys mean.
    let accounts = try ["every-key", "cancel-upgraded-period"].map { name in
      try Shared.converter.convert(try Fixture.named("notifications/" + name).bytes("v1.json")).account
    }
    let account = try #require(accounts.first)
    let paths = accounts.flatMap { $0.fields.compactMap(\.v1Path) + $0.unmapped.map(\.v1Path) }
    let text = paths.joined(separator: "\n")
    let scopes: [LegacyScope] = [.responseBodyV1, .unified_receipt, .latest_receipt_info, .pending_renewal_info]
    for scope in scopes {
      // Only answers made of app receipts have a product_type.
      for field in scope.fields
      where field.kind != .object && field.kind != .objects && field.key != .product_type {
        if !text.contains(field.key.name) { Issue.record("\(scope.rawValue).\(field.key.name) is not named") }
      }
    }
    #expect(account.lost.contains { $0.v1Path == "password" })
  }

  @Test func everyAbsentFieldHasAReason() throws {
    let account = try Shared.converter.convert(try Fixture.named("notifications/did-renew").bytes("v1.json")).account
    func reason(_ path: String) -> Account.Absence.Reason? { account.absent.first { $0.v2Path == path }?.reason }
    #expect(reason("data.transactionInfo.price") == .noV1Source)
    #expect(reason("data.transactionInfo.isUpgraded") == .absentInV1)
    #expect(reason("data.transactionInfo.offerType") == .noneInV1)
    let flat = try Shared.converter.convert(try Fixture.named("notifications/cancel-flat-2018").bytes("v1.json"))
      .account
    #expect(flat.absent.contains { $0.reason == .objectAbsentInV1 })
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
