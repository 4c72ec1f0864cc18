/// Statements over the store's own tables that both databases run.
enum StoreQueries {
  /// The place after the last record.
  static let nextPlace = """
    SELECT 1 + coalesce(max(place), 0) FROM
    (SELECT max(place) AS place FROM notifications UNION ALL SELECT max(place) FROM answers) AS places
    """

  /// Statistics of PostgreSQL for the columns with indexes; the server collects those of the others later by itself.
  static let analyze = [
    "ANALYZE notifications (place, originalTransactionId, notificationType, subtype, signedDate)",
    "ANALYZE transactions (place, originalTransactionId, transactionId, webOrderLineItemId)",
    "ANALYZE answers (place), renewal_infos (place), candidates (place), findings (place, code)",
  ]

  /// All records after a place with their notes, for `DatabaseRows`.
  ///
  /// - Parameter version: of the store's schema.
  static func records(_ dialect: SQLDialect, after place: Int64, of side: StoreSide, version: Int) -> String {
    let (join, character) = dialect == .sqlite ? ("group_concat", "char") : ("string_agg", "chr")
    let unit = " || \(character)(31) || "
    let parts = ["f.code", "f.severity", "CAST(f.occurrences AS text)", "f.path", "coalesce(c.message, '')"]
    let findings = """
      (SELECT \(join)(\(parts.joined(separator: unit)), \(character)(30)) FROM findings f
      LEFT JOIN finding_codes c ON c.code = f.code WHERE f.place = r.place) AS remarks
      """
    let columns = "r.place, r.source, r.record, r.id, r.eventTime, r.receivedAt"
    func select(_ table: String, _ own: String) -> String {
      let origin = origin(in: table, version: version)
      return "SELECT \(columns), \(own), \(findings), r.body, \(origin) AS side FROM \(table) r "
        + "WHERE r.place > \(place)" + side.condition(on: origin)
    }
    return select("notifications", "r.notification_type") + " UNION ALL "
      + select("answers", "CAST(NULL AS text)") + " ORDER BY place"
  }

  /// The events of one subscription after another: ids are unique only in one environment of one app.
  static let subscriptions = "originalTransactionId, environment, bundleId, "

  /// The events that fulfill a condition, in the order of time after that of some columns.
  static func events(where condition: String, sorted first: String = "") -> String {
    """
    SELECT place, originalTransactionId, notification_type, eventTime, receivedAt, body, environment, bundleId
    FROM notifications WHERE \(condition) ORDER BY \(first)coalesce(eventTime, signedDate, 0), coalesce(receivedAt, 0), place
    """
  }

  /// The names of a table's columns, for messages.
  static func columns(_ dialect: SQLDialect) -> String {
    switch dialect {
    case .sqlite: "SELECT name FROM pragma_table_info($1)"
    case .postgreSQL:
      "SELECT column_name FROM information_schema.columns WHERE table_name = $1 ORDER BY ordinal_position"
    }
  }

  /// The columns of a table's primary key.
  static func primaryKey(_ dialect: SQLDialect) -> String {
    switch dialect {
    case .sqlite: "SELECT name FROM pragma_table_info($1) WHERE pk > 0"
    case .postgreSQL:
      "SELECT k.column_name FROM information_schema.table_constraints c "
        + "JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name, table_name) "
        + "WHERE c.constraint_type = 'PRIMARY KEY' AND table_name = $1"
    }
  }

  /// The names of the tables that a user has made, for messages.
  static func tables(_ dialect: SQLDialect) -> String {
    switch dialect {
    case .sqlite:
      "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name"
    case .postgreSQL:
      "SELECT table_name FROM information_schema.tables WHERE table_schema NOT IN ('pg_catalog', 'information_schema') "
        + "ORDER BY table_name"
    }
  }
}
