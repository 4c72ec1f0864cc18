@_spi(Slipcast) internal import SlipcastWire

/// One side's value of a field.
public enum ComparedValue: Hashable, Sendable {
  /// A value, as JSON text.
  case json(String)
  /// An array or object, which is not shown.
  case several
  /// A value that is not shown, because it could hold a secret.
  case withheld

  /// The JSON text, when it is shown.
  public var json: String? {
    if case .json(let text) = self { text } else { nil }
  }
}

extension FieldValue {
  /// The value as reports show it; of unknown members only values that cannot contain a secret.
  var compared: ComparedValue {
    guard case .json(let text) = self else { return .json(json) }
    if text.hasPrefix("{") || text.hasPrefix("[") { return .several }
    return text.lowercased().contains("password") ? .withheld : .json(text)
  }

  /// The same value with its JSON text in one spelling: members in the order of their names, no blanks.
  var canonical: FieldValue {
    guard case .json(let text) = self else { return self }
    // In a separate list, because the tape has only the kind of a bare scalar.
    let buffer = JSONBuffer("[\(text)]".utf8)
    let reader = JSONReader(names: [])
    guard let tape = try? reader.read(buffer),
      let element = JSONElement(tape: tape).children.first
    else { return self }
    let writer = JSONWriter(capacity: text.utf8.count + 16)
    element.writeCanonical(to: writer)
    return .json(writer.string)
  }
}

extension JSONElement {
  fileprivate func writeCanonical(to writer: JSONWriter) {
    switch kind {
    case .object:
      writer.object {
        for child in children.sorted(by: { $0.name < $1.name }) {
          writer.key(child.name)
          child.writeCanonical(to: writer)
        }
      }
    case .array: writer.array(children) { $0.writeCanonical(to: writer) }
    case .string: writer.text(string ?? "")
    default: writer.raw(json)
    }
  }
}
