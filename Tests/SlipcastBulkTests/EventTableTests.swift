import Foundation
import SlipcastMapping
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastBulk
@testable import SlipcastV2

/// CSV has a column for each member of Apple's objects, or the documentation says that it has none.
@Suite struct EventTableTests {
  /// Objects in rows, and where a notification has them.
  static let places = [
    "responseBodyV2DecodedPayload": "", "data": "data", "summary": "summary",
    "externalPurchaseToken": "externalPurchaseToken", "appData": "appData", "unclaimInfo": "unclaimInfo",
    "JWSAppTransactionDecodedPayload": "appData.appTransactionInfo",
    "JWSTransactionDecodedPayload": "data.transactionInfo", "JWSRenewalInfoDecodedPayload": "data.renewalInfo",
    "TransactionCommitmentInfo": "data.transactionInfo.commitmentInfo",
    "RenewalCommitmentInfo": "data.renewalInfo.commitmentInfo",
    "transactionMultiSeatInfo": "data.transactionInfo.multiSeatInfo",
    "renewalMultiSeatInfo": "data.renewalInfo.multiSeatInfo",
  ]

  /// Objects of answers, of which each row has an item.
  static let answers: Set = [
    "HistoryResponse", "StatusResponse", "subscriptionGroupIdentifierItem", "lastTransactionsItem",
    "SubscriptionGroupIdentifierItem",
  ]

  /// Members without a column; Examples/archives.md names them.
  static let omitted: Set = [
    "data.signedTransactionInfo", "data.signedRenewalInfo", "lastTransactionsItem.signedTransactionInfo",
    "lastTransactionsItem.signedRenewalInfo", "appData.signedAppTransactionInfo", "HistoryResponse.signedTransactions",
    "HistoryResponse.hasMore", "HistoryResponse.revision", "summary.storefrontCountryCodes",
    "unclaimInfo.unclaimSeatIds", "JWSRenewalInfoDecodedPayload.eligibleWinBackOfferIds",
    "transactionMultiSeatInfo.priceTiers", "renewalMultiSeatInfo.renewalPriceTiers",
    "JWSTransactionDecodedPayload.advancedCommerceInfo", "JWSRenewalInfoDecodedPayload.advancedCommerceInfo",
    "migration.accepts", "migration.companions", "migration.inferred", "migrationSettled.by", "migrationSettled.facts",
    "migrationSettled.complete", "migrationAbsorbed.rule", "migrationCandidate.needs",
  ]

  /// Objects without a column: they are inside omitted members, or no record that is converted has them.
  static let omittedModels: Set = [
    "responseBodyV2", "JWSDecodedHeader", "TransactionInfoResponse", "AppTransactionInfoResponse",
    "RefundHistoryResponse", "OrderLookupResponse", "NotificationHistoryResponse", "notificationHistoryResponseItem",
    "sendAttemptItem", "DecodedRealtimeRequestBody", "multiSeatPriceTier", "migrationCompanion", "migrationWitness",
  ]

  /// Members that the last columns hold.
  static let account: Set = [
    "migration.rule", "migration.confidence", "migration.candidates", "migration.autoRenewOnSince",
    "migrationAbsorbed.into", "migrationSettled.from", "migrationCandidate.notificationType",
    "migrationCandidate.subtype",
  ]

  @Test func everyMemberOfEveryModelIsAColumnOrNamedAsOmitted() {
    let columns = Set(EventTable.columns.flatMap(\.sources).map { "\($0.model).\($0.member)" })
    let known = columns.union(Self.account)
    var members: Set<String> = []
    for model in ModelCatalog.models + ModelCatalog.ownModels {
      if Self.omittedModels.contains(model.name) || model.name.hasPrefix("advancedCommerce") { continue }
      let isKnown =
        Self.places[model.name] != nil || Self.answers.contains(model.name) || model.name.hasPrefix("migration")
      #expect(isKnown, "\(model.name) is new: add columns for its members, or name it as omitted")
      for member in model.members {
        let name = "\(model.name).\(member.name)"
        members.insert(name)
        // The members of an object have columns of their own, and lists of answers become rows.
        let isHolder =
          switch member.kind {
          case .object: true
          case .objects: Self.answers.contains(model.name)
          default: false
          }
        let isOmitted = Self.omitted.contains(name)
        #expect(known.contains(name) || isHolder || isOmitted, "\(name): add a column, or name it as omitted")
        #expect(!(known.contains(name) && isOmitted), "\(name) has a column")
      }
    }
    #expect(Self.omitted.union(known).isSubset(of: members), "\(Self.omitted.union(known).subtracting(members))")
  }

  @Test func theDocumentationNamesWhatIsOmittedAndEachColumnGroup() throws {
    let page = Fixture.root.deletingLastPathComponent().appending(path: "Examples/archives.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    for name in Self.omitted.sorted() {
      let member = name.split(separator: ".")[1]
      #expect(text.contains("`\(member)`") || text.contains("`migration.\(member)`"), "\(name) is omitted silently")
    }
    for name in EventTable.columns.map(\.name) + EventTable.accountNames {
      #expect(text.contains("`\(name)`"), "the column \(name) is not documented")
    }
  }

  @Test func eachNameIsOneColumn() {
    let names = EventTable.columns.map(\.name) + EventTable.accountNames
    #expect(Set(names).count == names.count && names.first == "notificationUUID")
  }

  @Test func aColumnHoldsEachOfItsMembers() throws {
    var count = 0
    for column in EventTable.columns {
      for source in column.sources where Self.places[source.model] != nil {
        let model = try #require(ModelCatalog.models.first { $0.name == source.model })
        let kind = try #require(model.members.first { $0.name == source.member }?.kind)
        let (json, text) = Self.value(kind)
        let cells = try Self.row(place: Self.places[source.model] ?? "", member: source.member, json)
        #expect(cells[column.name] == text, "\(source.model).\(source.member) in \(column.name): \(cells)")
        count += 1
      }
    }
    #expect(count > 100)
  }

  // MARK: rows

  private static func value(_ kind: FieldKind) -> (json: String, text: String) {
    switch kind {
    case .milliseconds: ("1700000000123", "2023-11-14T22:13:20.123Z")
    case .integer32, .integer64, .code, .milliunits: ("4990", "4990")
    case .boolean: ("true", "true")
    default: ("\"some text\"", "some text")
    }
  }

  /// The cells of a notification with one member, by column; empty ones are left out.
  private static func row(place: String, member: String, _ json: String) throws -> [String: String] {
    let path = place.split(separator: ".")
    let inner = path.reversed().reduce("{\"\(member)\":\(json)}") { "{\"\($1)\":\($0)}" }
    let isTyped = path.isEmpty && member == "notificationType"
    let text = isTyped ? inner : "{\"notificationType\":\"TEST\"," + inner.dropFirst()
    let writer = JSONWriter()
    let (buffer, reader) = (JSONBuffer(Array(text.utf8)), JSONReader(names: []))
    defer { withExtendedLifetime((buffer, reader)) {} }
    let tape = try reader.read(buffer)
    EventTableRows().write(JSONElement(tape: tape), nil, as: nil, to: writer)
    let names = EventTable.header.dropLast().split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let cells = writer.string.trimmingCharacters(in: .newlines)
      .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    #expect(cells.count == names.count)
    return Dictionary(zip(names, cells)) { first, _ in first }.filter { !$0.value.isEmpty }
  }
}

extension EventColumn {
  /// The members of Apple's objects that it holds.
  fileprivate var sources: [(model: String, member: String)] {
    places.map { place in
      switch place {
      case .cell(let part, let slot): (part.modelName, part.layout.names[slot])
      case .member(let model, let path): (model, path.last ?? "")
      }
    }
  }
}

extension ObjectPart {
  fileprivate var modelName: String {
    switch self {
    case .notification: ResponseBodyV2DecodedPayload.modelName
    case .data: NotificationData.modelName
    case .transaction: JWSTransactionDecodedPayload.modelName
    case .renewal: JWSRenewalInfoDecodedPayload.modelName
    case .history: HistoryResponse.modelName
    case .statuses: StatusResponse.modelName
    case .group: SubscriptionGroupIdentifierItem.modelName
    case .item: LastTransactionsItem.modelName
    }
  }
}
