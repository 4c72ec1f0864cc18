package import SlipcastWire

/// A table that the program writes: what typed schemas of other programs are made from.
package struct TableDescription: Sendable {
  package let name: String
  /// What a row is.
  package let about: String
  package let columns: [TableColumn]

  package init(_ name: String, about: String, columns: [TableColumn]) {
    (self.name, self.about, self.columns) = (name, about, columns)
  }
}

/// A column of a table: its name in the header, the type of its values, and where they come from.
package struct TableColumn: Sendable {
  package let name: String
  package let type: ColumnType
  /// The member that it holds, or what its values mean; empty where the name says it.
  package let about: String

  package init(_ name: String, _ type: ColumnType, about: String = "") {
    (self.name, self.type, self.about) = (name, type, about)
  }
}

/// The type of the values in a column.
package enum ColumnType: Hashable, Sendable {
  case text, integer32, integer64, decimal, boolean
  /// An instant: ISO 8601 (UTC) in CSV.
  case time
  /// Milliseconds since 1970 UTC, as a number.
  case milliseconds
  /// A list: separated by blanks in CSV, a JSON array elsewhere.
  case list
  /// A JSON object or array.
  case json

  /// The type of the column for a member of a V2 object in CSV.
  package init(_ kind: FieldKind) {
    self =
      switch kind {
      case .text, .uuid, .word: .text
      case .integer32, .code: .integer32
      case .integer64, .milliunits: .integer64
      case .milliseconds: .time
      case .boolean: .boolean
      case .texts: .list
      case .object, .objects: .json
      }
  }
}
