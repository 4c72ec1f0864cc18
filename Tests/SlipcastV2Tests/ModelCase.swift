@_spi(Slipcast) import SlipcastWire
import Testing

@testable import SlipcastV2

/// A model without its type, for what holds of every model.
struct ModelCase: Sendable, CustomTestStringConvertible {
  let name: String
  let keys: [String]
  let kinds: [FieldKind]
  let documents: [String]
  /// The names of the stored properties, in order.
  let properties: [String]
  /// Reads a document and writes it again.
  let rewrite: @Sendable (String) throws -> String

  var testDescription: String { name }

  init<Model: FieldModel>(_ model: Model.Type) {
    name = Model.modelName
    keys = Model.fields.map(\.name)
    kinds = Model.fields.map(\.kind)
    documents = Model.fields.map(\.document)
    properties = Mirror(reflecting: Model()).children.compactMap(\.label)
    rewrite = { try Model(json: $0).json }
  }

  static let all = (ModelCatalog.types + ModelCatalog.ownTypes).map { ModelCase($0) }
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
