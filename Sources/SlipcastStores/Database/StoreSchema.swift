package import SlipcastBulk
internal import SlipcastV2
internal import SlipcastWire

/// The tables of a store with the types of their columns, read from the steps of the schema.
package enum StoreSchema {
  /// All tables in the order in which the steps create them.
  package static let tables = names.map { name in
    TableDescription(name, about: comment(above: name), columns: columns(of: name))
  }

  private static var names: [String] {
    SchemaVersion.all.flatMap { $0.sql.matches(of: /CREATE TABLE (\w+)/).map { String($0.output.1) } }
  }

  /// The comment next to a table in the step that creates it.
  private static func comment(above table: String) -> String {
    let texts = SchemaVersion.all.map(\.sql).filter { $0.contains("CREATE TABLE \(table) (") }
    let lines = texts.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false) }
      .prefix { $0 != "CREATE TABLE \(table) (" }
    return joined(lines.reversed().prefix { $0.hasPrefix("--") }.reversed())
  }

  private static func columns(of table: String) -> [TableColumn] {
    var columns: [TableColumn] = []
    var comments: [Substring] = []
    for line in SchemaVersion.lines(of: table) {
      if let words = SchemaVersion.wordsOfColumn(line) {
        let about = comments.isEmpty ? member(words[0], of: table) : joined(comments)
        columns.append(TableColumn(words[0], type(words[1]), about: about))
        comments = []
      } else if line.contains("--") {
        comments.append(line)
      }
    }
    return columns
  }

  private static func joined(_ comments: some Sequence<Substring>) -> String {
    comments.map { $0.trimmingPrefix(/[\s-]+/) }.joined(separator: " ")
  }

  private static func type(_ word: String) -> ColumnType {
    switch word {
    case "bigint": .integer64
    case "boolean": .boolean
    case "json": .json
    default: .text
    }
  }

  /// The member of V2 that a column holds, with its unit; empty where it holds none.
  private static func member(_ column: String, of table: String) -> String {
    let parts: [ObjectPart] =
      switch table {
      case "notifications": [.notification, .data, .transaction]
      case "answers": [.history, .statuses]
      case "transactions": [.transaction]
      case "renewal_infos": [.renewal, .item]
      default: []
      }
    for part in parts {
      guard let slot = part.schema.slot(column) else { continue }
      let unit: String? =
        switch part.schema.fields[slot].kind {
        case .milliseconds: "milliseconds since 1970 UTC"
        case .milliunits: "thousandths of the currency unit"
        default: nil
        }
      return [ObjectPart.path(of: part.number(of: slot)), unit].compactMap(\.self).joined(separator: ", ")
    }
    return ""
  }
}
