import Foundation
@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

@Suite struct FieldTableTests {
  @Test(arguments: ModelCase.all)
  func noTableNamesAFieldTwice(_ model: ModelCase) {
    #expect(Set(model.keys).count == model.keys.count)
  }

  @Test(arguments: ModelCase.all)
  func everyStoredPropertyHasItsLineInTheSameOrder(_ model: ModelCase) {
    #expect(model.properties == model.keys + ["unrecognized"])
  }

  @Test(arguments: ModelCase.all)
  func everyFieldNamesItsDocument(_ model: ModelCase) {
    #expect(model.documents.allSatisfy { !$0.isEmpty })
  }

  @Test(arguments: ModelCase.all)
  func everyInnerObjectIsAModelOfThisModule(_ model: ModelCase) {
    let names = Set(ModelCase.all.map(\.name))
    for kind in model.kinds {
      switch kind {
      case .object(let inner), .objects(let inner): #expect(names.contains(inner))
      case .word(let vocabulary), .code(let vocabulary): #expect(!vocabulary.isEmpty)
      default: break
      }
    }
  }

  @Test func theCatalogListsEveryModelAndVocabulary() throws {
    let folder = URL(filePath: #filePath).appending(path: "../../../Sources/SlipcastV2").standardized
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var models: Set<String> = []
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      models.formUnion(text.matches(of: /struct (\w+): FieldModel/).map { String($0.output.1) })
    }
    #expect(models.count > 40 && models == Set((ModelCatalog.types + ModelCatalog.ownTypes).map { "\($0)" }))
    #expect(ModelCatalog.vocabularies.count == VocabularyTests.vocabularies.count - 1)
  }

  @Test func noTwoModelsShareAName() {
    #expect(Set(ModelCase.all.map(\.name)).count == ModelCase.all.count)
  }

  @Test(arguments: [
    (
      "responseBodyV2DecodedPayload",
      "notificationType subtype notificationUUID version signedDate data summary externalPurchaseToken appData "
        + "unclaimInfo migration"
    ),
    (
      "data",
      "appAppleId bundleId bundleVersion environment status transactionInfo renewalInfo signedTransactionInfo "
        + "signedRenewalInfo consumptionRequestReason"
    ),
    ("migration", "rule confidence candidates absorbed settled narrowed accepts autoRenewOnSince companions inferred"),
    (
      "HistoryResponse",
      "environment bundleId appAppleId hasMore transactions revision signedTransactions migration"
    ),
    ("StatusResponse", "environment bundleId appAppleId data migration"),
    (
      "lastTransactionsItem",
      "status originalTransactionId transactionInfo renewalInfo signedTransactionInfo signedRenewalInfo"
    ),
  ])
  func outputHasItsMembersInThisOrder(_ name: String, _ keys: String) throws {
    let model = try #require(ModelCase.all.first { $0.name == name })
    #expect(model.keys.joined(separator: " ") == keys)
  }
}
