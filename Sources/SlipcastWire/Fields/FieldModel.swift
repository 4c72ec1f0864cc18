/// A member of an object that this version does not know, kept as the JSON text it had.
public struct UnrecognizedField: Hashable, Sendable {
  /// The member's name.
  public var name: String
  /// The member's value as JSON text, unchanged.
  public var json: String

  /// Creates a member from its name and its value's JSON text.
  public init(name: String, json: String) {
    self.name = name
    self.json = json
  }
}

/// The value of one field without its type, for comparing and reporting.
public enum FieldValue: Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case boolean(Bool)
  case texts([String])
  /// The present members of an object, in table order.
  case object([NamedValue])
  case objects([[NamedValue]])
  /// A member that no table lists, as JSON text.
  case json(String)

  /// A present member.
  public struct NamedValue: Hashable, Sendable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: FieldValue

    /// Creates a member.
    public init(name: String, value: FieldValue) {
      self.name = name
      self.value = value
    }
  }
}

/// A JSON object with a fixed set of optional fields, which keeps unknown members.
///
/// The static table is the only description of the object. Reading, writing, rule checking, comparing and the generated
/// lists of fields use it, in Apple's key order. To other coders (`Codable`) a model is the object that its JSON is.
public protocol FieldModel: Hashable, Sendable, Codable {
  /// An object without any member.
  init()
  /// Apple's document of the object.
  static var document: String { get }
  /// Apple's name of the object.
  static var modelName: String { get }
  /// The table, in the order in which members are written.
  static var fields: [Field<Self>] { get }
  /// Members that the table does not list, in document order; written after the known ones.
  var unrecognized: [UnrecognizedField] { get set }
}

extension FieldModel {
  /// The part of `document` after its comma; a model without such a document has the name of its type.
  public static var modelName: String {
    let comma = document.utf8.firstIndex(of: UInt8(ascii: ","))
    return comma.map { String(document[$0...].dropFirst(2)) } ?? Field<Self>.name(of: Self.self)
  }

  /// The present members: those of the table in its order, then unknown ones.
  public var namedValues: [FieldValue.NamedValue] {
    Self.fields.compactMap { field in field.value(self).map { FieldValue.NamedValue(name: field.name, value: $0) } }
      + unrecognized.map { FieldValue.NamedValue(name: $0.name, value: .json($0.json)) }
  }
}
