@_spi(Slipcast) internal import SlipcastWire

/// Product types by product id, as a JSON object: `{"com.example.coins": "Consumable"}`.
///
/// V1 cannot tell a consumable from a non-consumable or a non-renewing subscription; the catalogue can.
public struct ProductCatalogue: Sendable {
  /// The types by product id.
  public let products: [String: CatalogueProductType]

  /// Why a text is no catalogue.
  public struct Fault: Error, Sendable, CustomStringConvertible {
    /// What was expected and what stood there, with its place.
    public let description: String
  }

  /// Reads a catalogue.
  ///
  /// - Throws: `Fault` with the place of what is wrong.
  public init(json: [UInt8]) throws(Fault) {
    var text = json
    text.append(contentsOf: repeatElement(0, count: JSONReader.padding))
    let reader = JSONReader(names: [])
    let kinds = CatalogueProductType.allCases.map(\.rawValue).joined(separator: ", ")
    let result: Result<[String: CatalogueProductType], Fault> = text.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else {
        return .failure(Fault(description: "expected a JSON object, found nothing"))
      }
      do throws(JSONError) {
        let root = JSONElement(tape: try reader.read(base, count: json.count))
        guard root.kind == .object else {
          return .failure(Fault(description: "expected a JSON object {\"product id\": \"type\"}, found \(root.kind)"))
        }
        var products: [String: CatalogueProductType] = [:]
        for child in root.children {
          guard let type = child.string.flatMap(CatalogueProductType.init(rawValue:)) else {
            return .failure(Fault(description: "\"\(child.name)\": expected one of \(kinds)"))
          }
          products[child.name] = type
        }
        return .success(products)
      } catch {
        return .failure(Fault(description: "byte \(error.offset): \(error)"))
      }
    }
    products = try result.get()
  }
}
