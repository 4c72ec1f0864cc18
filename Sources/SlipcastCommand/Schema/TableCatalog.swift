import SlipcastBulk
import SlipcastStores
import SlipcastTimeline
import SlipcastWire

/// The tables that `schema --sql` describes: CSV files, NDJSON files, and the tables of a store.
///
/// Each comes from the description that its writer uses.
struct TableCatalog {
  let tables: [TypedTable]

  init(_ schemas: SchemaCatalog) throws(JSONError) {
    let files = [EventTable.description, StatesTable.description, TimelineWriter.table, AccessTable.description]
    let lines = try schemas.lines + [StatesTable.description]
    tables =
      files.map { TypedTable(.csv, $0) } + lines.map { TypedTable(.ndjson, $0) }
      + StoreSchema.tables.map { TypedTable(.store, $0) }
  }

  /// The tables of a name: one, or all of a store.
  ///
  /// A name without its form means CSV before NDJSON before a store.
  func named(_ name: String) -> [TypedTable] {
    if name == TypedTable.Form.store.rawValue { return tables.filter { $0.form == .store } }
    return [tables.first { $0.name == name } ?? tables.first { $0.description.name == name }].compactMap(\.self)
  }

  /// What can be asked for, each with what a row is.
  var list: [(name: String, about: String)] {
    tables.map { ($0.name, $0.description.about) }
      + [(TypedTable.Form.store.rawValue, "All tables of a store.")]
  }
}

/// A table in one form.
struct TypedTable {
  enum Form: String { case csv, ndjson, store }

  let form: Form
  let description: TableDescription

  init(_ form: Form, _ description: TableDescription) { (self.form, self.description) = (form, description) }

  /// `events.csv`, `states.ndjson`, `store.transactions`.
  var name: String { form == .store ? "store.\(description.name)" : "\(description.name).\(form.rawValue)" }

  /// Its name in SQL.
  var table: String { description.name.replacing("-", with: "_") }

  /// The type of a column in this form.
  func type(_ column: TableColumn) -> ColumnType {
    switch (form, column.type) {
    case (.ndjson, .time): .milliseconds
    case (.ndjson, .list): .json
    case (_, .list): .text
    default: column.type
    }
  }
}
