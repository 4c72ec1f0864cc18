public import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Product types by product id, as a JSON object: `{"com.example.coins": "Consumable"}`.
///
/// V1 does not distinguish consumables, non-consumables and non-renewing subscriptions; the catalogue does.
public struct ProductCatalogue: Sendable {
  /// The types by product id.
  public let products: [String: ProductType]

  /// Why a text is not a catalogue.
  public struct Fault: Error, Sendable, CustomStringConvertible {
    /// What was expected and what stood there, with its place.
    public let description: String
  }

  /// Reads a catalogue.
  ///
  /// - Throws: `Fault` with the place of what is wrong.
  public init(json: [UInt8]) throws(Fault) {
    let text = JSONBuffer(json)
    let reader = JSONReader(names: [])
    let root: JSONElement
    do throws(JSONError) {
      root = JSONElement(tape: try reader.read(text))
    } catch {
      throw Fault(description: "byte \(error.offset): \(error.message)")
    }
    guard root.kind == .object else {
      throw Fault(description: "expected a JSON object {\"product id\": \"type\"}, found \(root.kind)")
    }
    var products: [String: ProductType] = [:]
    for child in root.children {
      guard let type = child.string.flatMap(ProductType.init(rawValue:)) else {
        let kinds = ProductType.allCases.map(\.rawValue)
        let hint = child.string.map { RuleCheck.suggestion($0, kinds) } ?? ""
        throw Fault(description: "\"\(child.name)\": expected one of \(kinds.joined(separator: ", "))\(hint)")
      }
      products[child.name] = type
    }
    self.products = products
  }
}
