/// One line of a model's field table.
///
/// A class, because a copy of its closures would be made for each member that is read. It requires nothing of the model:
/// at every start Swift would look for the conformance of each model among all conformances of the program.
public final class Field<Model>: Sendable {
  /// The JSON key.
  public let name: String
  /// The kind of the value.
  public let kind: FieldKind
  /// The Apple document that describes it.
  public let document: String
  package let traits: FieldTraits
  package let read: @Sendable (inout Model, FieldInput) throws(FieldError) -> Void
  /// Writes the member when it is present.
  let write: @Sendable (Model, JSONWriter) -> Void
  /// The value, or `nil` when absent.
  public let value: @Sendable (Model) -> FieldValue?

  init(
    name: String, kind: FieldKind, document: String, traits: FieldTraits = FieldTraits(),
    read: @escaping @Sendable (inout Model, FieldInput) throws(FieldError) -> Void,
    write: @escaping @Sendable (Model, JSONWriter) -> Void, value: @escaping @Sendable (Model) -> FieldValue?
  ) {
    (self.name, self.kind, self.document, self.traits) = (name, kind, document, traits)
    (self.read, self.write, self.value) = (read, write, value)
  }
}

/// A V2 field whose value has another kind than documented.
public struct FieldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the value.
  public var path: JSONPath
  /// The kind that the field's document states.
  public var expected: String
  /// The kind of the value, or why a number does not fit; never the value itself.
  public var found: String
  /// Bytes from the start of the document.
  public var offset: Int

  /// One line: where, the expected and the actual kind.
  public var description: String { path.place(at: offset) + "expected \(expected), found \(found)" }
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
  /// A whole number; other numbers, and those of more than 64 bits, are `nil`.
  package var integer: Int64? { kind == .number ? tape.integer(index) : nil }

  /// Whole milliseconds; a fraction, as Xcode writes it, is dropped.
  package var milliseconds: Int64? {
    if let integer { return integer }
    guard kind == .number, let real = Double(tape.text(index).string), real.magnitude < 9e15 else { return nil }
    return Int64(real)
  }

  package var json: String { tape.json(index).string }

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

  package func wrongKind(_ expected: FieldKind) -> FieldError {
    FieldError(
      path: JSONPath(tape: tape, index: index), expected: expected.description, found: found(insteadOf: expected),
      offset: tape.start(index))
  }

  private func found(insteadOf expected: FieldKind) -> String {
    guard kind == .number, let bits = expected.bits else { return kind.description }
    let isWhole = integer != nil || (Double(tape.text(index).string) ?? 0).magnitude >= 0x1p63
    return isWhole ? "a number of more than \(bits) bits" : "a number with a fraction"
  }
}
