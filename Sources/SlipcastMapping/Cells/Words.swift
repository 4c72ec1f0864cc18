internal import SlipcastV2

/// Words of V2's vocabularies that transforms conclude, for cells to point to; the spelling is V2's.
enum Words {
  static let production = Literal(Environment.production.rawValue)
  static let sandbox = Literal(Environment.sandbox.rawValue)
  static let xcode = Literal(Environment.xcode.rawValue)
  static let purchased = Literal(InAppOwnershipType.purchased.rawValue)
  static let familyShared = Literal(InAppOwnershipType.familyShared.rawValue)
  static let purchase = Literal(TransactionReason.purchase.rawValue)
  static let renewal = Literal(TransactionReason.renewal.rawValue)
  static let freeTrial = Literal(OfferDiscountType.freeTrial.rawValue)
  static let autoRenewableSubscription = Literal(ProductType.autoRenewableSubscription.rawValue)
  private static let productTypes = Dictionary(
    uniqueKeysWithValues: ProductType.allCases.map { ($0, Literal($0.rawValue)) })

  static func productType(_ type: ProductType) -> Literal {
    guard let word = productTypes[type] else { fatalError("a product type has no word") }
    return word
  }
}
