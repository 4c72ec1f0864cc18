public import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What the caller knows and the records do not say.
public struct ConversionOptions: Sendable {
  /// The app's id in the App Store; V1 notifications do not carry it.
  public var appAppleId: Int64?
  /// Product types by product id; V1 does not distinguish consumables from non-consumables.
  public var products: [String: ProductType] = [:]

  /// Nothing known.
  public init(appAppleId: Int64? = nil, products: [String: ProductType] = [:]) {
    self.appAppleId = appAppleId
    self.products = products
  }

  func productType(_ product: JSONText) -> ProductType? {
    products.isEmpty ? nil : products[product.string]
  }
}
