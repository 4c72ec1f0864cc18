/// The JSON kind of a V2 field, as Apple's server documents it.
public enum FieldKind: Hashable, Sendable, CustomStringConvertible {
  /// A string.
  case text
  /// A string that contains a UUID; its spelling is kept.
  case uuid
  /// A string of an open vocabulary, named here (`environment`, `subtype`, …).
  case word(String)
  /// A 32-bit integer.
  case integer32
  /// A 64-bit integer.
  case integer64
  /// A 32-bit integer of an open vocabulary, named here (`status`, `offerType`, …).
  case code(String)
  /// A 64-bit integer: milliseconds since 1970 UTC.
  case milliseconds
  /// A 64-bit integer: thousandths of the currency unit.
  case milliunits
  /// A boolean.
  case boolean
  /// An array of strings.
  case texts
  /// An object of the named model.
  case object(String)
  /// An array of objects of the named model.
  case objects(String)

  /// The kind in words: the expected value in a message.
  public var description: String {
    switch self {
    case .text: "string"
    case .uuid: "string (UUID)"
    case .word: "string"
    case .integer32, .code: "number (32-bit integer)"
    case .integer64: "number (64-bit integer)"
    case .milliseconds: "number (milliseconds since 1970 UTC)"
    case .milliunits: "number (thousandths of the currency unit)"
    case .boolean: "boolean"
    case .texts: "array of strings"
    case .object: "object"
    case .objects: "array of objects"
    }
  }

  /// An object or an array of objects.
  package var isContainer: Bool {
    switch self {
    case .object, .objects: true
    default: false
    }
  }

  /// A single value: neither an object nor a list.
  package var isScalar: Bool { !isContainer && self != .texts }

  /// The size of a number's type; `nil` for kinds that are no numbers.
  package var bits: Int? {
    switch self {
    case .integer32, .code: 32
    case .integer64, .milliseconds, .milliunits: 64
    default: nil
    }
  }
}
