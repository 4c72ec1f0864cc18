@_spi(Slipcast) internal import SlipcastWire

/// A product's kind as V2 names it.
public enum CatalogueProductType: String, CaseIterable, Hashable, Sendable {
  case autoRenewable = "Auto-Renewable Subscription"
  case nonConsumable = "Non-Consumable"
  case consumable = "Consumable"
  case nonRenewing = "Non-Renewing Subscription"

  var text: StaticString {
    switch self {
    case .autoRenewable: "Auto-Renewable Subscription"
    case .nonConsumable: "Non-Consumable"
    case .consumable: "Consumable"
    case .nonRenewing: "Non-Renewing Subscription"
    }
  }
}

/// What the caller knows and the records do not say.
public struct CastOptions: Sendable {
  /// The app's id in the App Store; V1 notifications do not carry it.
  public var appAppleId: Int64?
  /// Product types by product id; V1 cannot tell a consumable from a non-consumable.
  public var products: [String: CatalogueProductType] = [:]

  /// Nothing known.
  public init(appAppleId: Int64? = nil, products: [String: CatalogueProductType] = [:]) {
    self.appAppleId = appAppleId
    self.products = products
  }

  func productType(_ product: JSONText) -> CatalogueProductType? {
    products.isEmpty ? nil : products[product.string]
  }
}
