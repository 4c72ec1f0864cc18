@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

/// A model without its type, for what holds of every model.
struct ModelCase: Sendable, CustomTestStringConvertible {
  let name: String
  let fieldCount: Int
  let keys: [String]
  let kinds: [FieldKind]
  let documents: [String]
  /// The names of the stored properties, in order.
  let properties: [String]
  /// Reads a document and writes it again.
  let rewrite: @Sendable (String) throws -> String

  var testDescription: String { name }

  init<Model: FieldModel>(_ model: Model.Type, fields count: Int) {
    name = Model.modelName
    fieldCount = count
    keys = Model.fields.map(\.name)
    kinds = Model.fields.map(\.kind)
    documents = Model.fields.map(\.document)
    properties = Mirror(reflecting: Model()).children.compactMap(\.label)
    rewrite = { try Model(json: $0).json }
  }

  static let all: [ModelCase] = [
    ModelCase(ResponseBodyV2.self, fields: 1),
    ModelCase(ResponseBodyV2DecodedPayload.self, fields: 11),
    ModelCase(NotificationData.self, fields: 10),
    ModelCase(Summary.self, fields: 8),
    ModelCase(ExternalPurchaseToken.self, fields: 6),
    ModelCase(AppData.self, fields: 4),
    ModelCase(UnclaimInfo.self, fields: 1),
    ModelCase(Migration.self, fields: 10),
    ModelCase(MigrationCandidate.self, fields: 3),
    ModelCase(MigrationAbsorbed.self, fields: 2),
    ModelCase(MigrationCompanion.self, fields: 3),
    ModelCase(MigrationSettled.self, fields: 4),
    ModelCase(MigrationWitness.self, fields: 2),
    ModelCase(JWSDecodedHeader.self, fields: 4),
    ModelCase(JWSTransactionDecodedPayload.self, fields: 36),
    ModelCase(TransactionCommitmentInfo.self, fields: 4),
    ModelCase(TransactionMultiSeatInfo.self, fields: 3),
    ModelCase(JWSRenewalInfoDecodedPayload.self, fields: 26),
    ModelCase(RenewalCommitmentInfo.self, fields: 5),
    ModelCase(RenewalMultiSeatInfo.self, fields: 1),
    ModelCase(MultiSeatPriceTier.self, fields: 2),
    ModelCase(AppTransaction.self, fields: 14),
    ModelCase(StatusResponse.self, fields: 5),
    ModelCase(SubscriptionGroupIdentifierItem.self, fields: 2),
    ModelCase(LastTransactionsItem.self, fields: 6),
    ModelCase(HistoryResponse.self, fields: 8),
    ModelCase(TransactionInfoResponse.self, fields: 1),
    ModelCase(AppTransactionInfoResponse.self, fields: 1),
    ModelCase(RefundHistoryResponse.self, fields: 3),
    ModelCase(OrderLookupResponse.self, fields: 2),
    ModelCase(NotificationHistoryResponse.self, fields: 3),
    ModelCase(NotificationHistoryResponseItem.self, fields: 2),
    ModelCase(SendAttemptItem.self, fields: 2),
    ModelCase(DecodedRealtimeRequestBody.self, fields: 7),
    ModelCase(AdvancedCommerceTransactionInfo.self, fields: 8),
    ModelCase(AdvancedCommerceTransactionItem.self, fields: 7),
    ModelCase(AdvancedCommerceRenewalInfo.self, fields: 6),
    ModelCase(AdvancedCommerceRenewalItem.self, fields: 6),
    ModelCase(AdvancedCommercePriceIncreaseInfo.self, fields: 3),
    ModelCase(AdvancedCommerceDescriptors.self, fields: 2),
    ModelCase(AdvancedCommerceOffer.self, fields: 4),
    ModelCase(AdvancedCommerceRefund.self, fields: 4),
  ]
}

extension ModelCase {
  /// Every member once, as JSON text; each value differs from the others of its kind, words and codes are unknown ones.
  var members: [String] {
    zip(keys, kinds).enumerated().map { place, member in "\"\(member.0)\":\(Self.sample(member.1, place))" }
  }

  static func object(_ members: [String]) -> String { "{" + members.joined(separator: ",") + "}" }

  private static func sample(_ kind: FieldKind, _ place: Int) -> String {
    switch kind {
    case .text, .word: "\"text \(place) / é\""
    case .uuid: "\"7e3fb20b-4cdb-47CC-936d-99d65f6081\(place + 10)\""
    case .integer32, .code: "\(1000 + place)"
    case .integer64, .milliunits: "\(9_007_199_254_740_993 + place)"
    case .milliseconds: "\(1_700_000_000_000 + place)"
    case .boolean: "true"
    case .texts: "[\"first \(place)\",\"second\"]"
    case .object: "{}"
    case .objects: "[{},{}]"
    }
  }
}
