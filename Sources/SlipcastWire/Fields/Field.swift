/// One line of a model's field table.
///
/// A class, because a copy of its three closures would be made for each member that is read.
public final class Field<Model>: Sendable {
  /// The JSON key.
  public let name: String
  /// The kind of the value.
  public let kind: FieldKind
  /// The Apple document that describes it.
  public let document: String
  /// Reads a value into the model.
  package let read: @Sendable (inout Model, FieldInput) throws(FieldError) -> Void
  /// Writes the member when it is present, and returns whether it was.
  let write: @Sendable (Model, JSONWriter) -> Bool
  /// The value, or `nil` when absent.
  public let value: @Sendable (Model) -> FieldValue?

  init(
    name: String, kind: FieldKind, document: String,
    read: @escaping @Sendable (inout Model, FieldInput) throws(FieldError) -> Void,
    write: @escaping @Sendable (Model, JSONWriter) -> Bool, value: @escaping @Sendable (Model) -> FieldValue?
  ) {
    (self.name, self.kind, self.document) = (name, kind, document)
    (self.read, self.write, self.value) = (read, write, value)
  }
}

/// A V2 field whose value has another kind than documented.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the value.
  public var path: JSONPath
  /// The kind that the field's document states.
  public var expected: String
  /// The kind of the value; never the value itself.
  public var found: String
  /// Bytes from the start of the document.
  public var offset: Int

  /// One line that states the expected and the actual kind.
  public var description: String { "\(path): expected \(expected), found \(found)" }
}

/// A value on a tape.
package struct JSONElement {
  package let tape: JSONTape
  package let index: Int

  package init(tape: JSONTape, index: Int = 0) {
    self.tape = tape
    self.index = index
  }

  package var kind: JSONKind { tape[index].kind }
  package var string: String? { kind == .string ? tape.text(index).string : nil }
  package var boolean: Bool? {
    switch kind {
    case .true: true
    case .false: false
    default: nil
    }
  }
  package var integer: Int64? { kind == .number ? Self.integer(tape.text(index)) : nil }

  /// Whole numbers as JSON writes them; other numbers, and those of more than 64 bits, are `nil`.
  private static func integer(_ text: JSONText) -> Int64? {
    guard text.count <= 18 else { return Int64(text.string) }
    let isNegative = text[0] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in (isNegative ? 1 : 0)..<text.count {
      guard 0x30...0x39 ~= text[index] else { return nil }
      value = value * 10 + Int64(text[index] - 0x30)
    }
    return isNegative ? -value : value
  }

  package var json: String {
    tape.json(index).string
  }

  /// The members of an object or the items of an array.
  package var children: [JSONElement] {
    tape.children(of: index).map { JSONElement(tape: tape, index: $0) }
  }

  package var name: String { tape.key(index).string }

  /// The last member of that name, as most JSON readers choose.
  package subscript(name: String) -> JSONElement? {
    guard kind == .object else { return nil }
    var found: JSONElement?
    for child in tape.children(of: index) where tape.key(child).isSame(as: name) {
      found = JSONElement(tape: tape, index: child)
    }
    return found
  }

  /// The fault of a value that is not of the expected kind.
  package func wrongKind(_ expected: FieldKind) -> FieldError {
    FieldError(
      path: JSONPath(tape: tape, index: index), expected: expected.description, found: kind.description,
      offset: tape.range(index).lowerBound)
  }
}
