/// A value on its way into a field: JSON, or a value that no JSON was written of.
package enum FieldInput {
  case json(JSONElement)
  case text(String)
  case integer(Int64)
  case boolean(Bool)
  case object(any FieldSource)
  case objects([any FieldSource])

  package var string: String? {
    switch self {
    case .json(let element): element.anyText
    case .text(let text): text
    default: nil
    }
  }

  package var integer: Int64? {
    switch self {
    case .json(let element): element.anyInteger
    case .integer(let number): number
    default: nil
    }
  }

  package var boolean: Bool? {
    switch self {
    case .json(let element): element.anyBoolean
    case .boolean(let value): value
    default: nil
    }
  }

  package var milliseconds: Int64? { if case .json(let element) = self { element.anyMilliseconds } else { integer } }

  func texts() throws(FieldError) -> [String]? {
    guard case .json(let element) = self, element.kind == .array else { return nil }
    var result: [String] = []
    for child in element.children {
      guard let text = child.string else { throw child.wrongKind(.text) }
      result.append(text)
    }
    return result
  }

  func model<Inner: FieldModel>(_ type: Inner.Type) throws(FieldError) -> Inner {
    switch self {
    case .json(let element): return try Inner(element: element)
    case .object(let source): return try source.model()
    default: throw wrongKind(.object(Inner.modelName))
    }
  }

  func models<Inner: FieldModel>(_ type: Inner.Type) throws(FieldError) -> [Inner] {
    var items: [Inner] = []
    switch self {
    case .json(let element) where element.kind == .array:
      for child in element.children { items.append(try Inner(element: child)) }
    case .objects(let sources): for source in sources { items.append(try source.model()) }
    default: throw wrongKind(.objects(Inner.modelName))
    }
    return items
  }

  func wrongKind(_ expected: FieldKind) -> FieldError {
    guard case .json(let element) = self else {
      return FieldError(path: JSONPath(), expected: expected.description, found: "another kind of value", offset: 0)
    }
    return element.wrongKind(expected)
  }
}

/// An object that a model can be filled from, without JSON.
package protocol FieldSource {
  /// The object as a model whose field table it follows.
  func model<Model: FieldModel>() throws(FieldError) -> Model
}
