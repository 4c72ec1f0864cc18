package import SlipcastBulk
internal import SlipcastMapping
internal import SlipcastWire

/// Rows of a database, read in one pass of one snapshot: legacy records of a table or query, or the records of a store.
///
/// Legacy records with a key come in key order, and `position` is the last key. A key that is NULL or occurs twice is an
/// error, because a resumed run could lose rows. Without a key, they come in the database's order. Records of a store
/// come in the order of their places.
package final class DatabaseRows: RowFeed {
  package var name: String { database.name }
  package var holdsConverted: Bool { selection == nil }
  package private(set) var position: String?
  package var isOrdered: Bool { selection == nil || selection?.key != nil }

  private let database: any StoreDatabase
  private let selection: StoreLocation.Selection?
  private var rows: (any StoreRows)?
  private var isAtEnd = false
  /// Pages that were looked at, and are to be read.
  private var ahead: [RowPage] = []
  private static let mostBytesAhead = 32 << 20

  /// Which records of a store are read, and how many are left out.
  package let chosen: ChosenSide
  /// The version of the schema of a store.
  private let version: Int

  /// The records of a store, whose snapshot its reader has begun.
  init(of store: StoreReader, _ chosen: ChosenSide) throws(StoreError) {
    (database, selection, self.chosen, version) = (store.database, nil, chosen, store.version)
    // The index has the order of places, so no sort is needed.
    if database.dialect == .postgreSQL {
      try database.execute("SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off")
    }
  }

  init(_ database: any StoreDatabase, _ selection: StoreLocation.Selection) throws(StoreError) {
    (self.database, self.selection, chosen, version) = (database, selection, ChosenSide(.both), 0)
    try database.beginReading(isSorted: selection.key != nil)
    // A wrong name is reported at once, not after the run has started.
    do throws(StoreError) { try database.check(selection.sql(database.dialect)) } catch {
      throw error.naming(selection.origin, in: database)
    }
  }

  package func resume(at position: String) throws {
    (ahead, isAtEnd) = ([], false)
    if let selection {
      guard selection.key != nil,
        let found = try database.rows(selection.sql(database.dialect, isResumed: true), afterKey: position)
      else {
        throw StoreError(
          .cannotResume, name, "resume", "the rows have no key to resume after", advice: "add key=COLUMN")
      }
      rows = found
    } else {
      guard let place = Int64(position) else {
        throw StoreError(.cannotResume, name, "resume", "the checkpoint does not name a position in a store")
      }
      rows = try database.rows(records(after: place))
    }
    self.position = position
  }

  package func rewind() { (position, rows, isAtEnd, ahead) = (nil, nil, false, []) }

  package func look(at rows: Int) throws -> [RowPage] {
    func isEnough() -> Bool {
      ahead.reduce(0) { $0 + $1.rows.count } >= rows || ahead.reduce(0) { $0 + $1.bytes.count } >= Self.mostBytesAhead
    }
    while !isEnough() {
      let page = RowPage()
      guard try readNext(into: page) else { break }
      ahead.append(page)
    }
    return ahead
  }

  package func read(into page: RowPage) throws -> Bool {
    guard !ahead.isEmpty else { return try readNext(into: page) }
    let next = ahead.removeFirst()
    (page.bytes, page.rows) = (next.bytes, next.rows)
    position = next.rows.last?.position
    return true
  }

  private func readNext(into page: RowPage) throws -> Bool {
    let rows =
      try rows
      ?? database.rows(selection?.sql(database.dialect) ?? records(after: 0))
    self.rows = rows
    let before = page.rows.count
    while !isAtEnd, page.bytes.count < 1 << 20, page.rows.count < 4096 {
      isAtEnd = try !rows.step()
      if isAtEnd { break }
      if let selection { try append(rows, selection, to: page) } else { append(record: rows, to: page) }
    }
    return page.rows.count > before
  }

  private func append(
    _ row: any StoreRows, _ selection: StoreLocation.Selection, to page: RowPage
  ) throws(StoreError) {
    var id: String?
    if selection.key != nil {
      guard let key = row.key(1) else {
        throw badKey("the key of a row is NULL, so a run could not resume after it", "another column")
      }
      guard key.position != position else {
        throw badKey(
          "two rows have the same key, so a run that resumes after it could lose one", "a column of unique values")
      }
      (position, id) = (key.position, key.text)
    }
    let column = selection.key == nil ? 1 : 2
    let time = selection.receivedAt.flatMap { _ in row.text(column) }.flatMap(ReceivedTime.milliseconds)
    page.append(row.content(0).span, id: id, receivedAt: time)
    page.rows[page.rows.count - 1].position = selection.key == nil ? nil : position
    page.rows[page.rows.count - 1].isNull = row.isNull(0)
    page.rows[page.rows.count - 1].isTimeUnreadable = selection.receivedAt != nil && time == nil
  }

  private func badKey(_ reason: String, _ remedy: String) -> StoreError {
    StoreError(
      .badKey, name, "read rows", reason, advice: "name \(remedy) with key=…, or read without a key")
  }

  private func records(after place: Int64) -> String {
    StoreQueries.records(database.dialect, after: place, of: chosen.side, version: version)
  }

  private func append(record row: any StoreRows, to page: RowPage) {
    var note = RecordNote()
    position = row.text(0)
    (note.source, note.record) = (row.text(1) ?? "", Int(row.number(2) ?? 0))
    (note.id, note.notification_type) = (row.text(3), row.text(6))
    (note.eventTime, note.receivedAt) = (row.number(4), row.number(5))
    note.findings = (row.text(7) ?? "").split(separator: "\u{1E}").compactMap { RepeatedFinding(stored: $0) }
    note.origin = RecordOrigin(rawValue: row.text(9) ?? "") ?? .v1
    page.append(row.content(8).span, id: note.id, receivedAt: note.receivedAt, note: note)
    page.rows[page.rows.count - 1].position = position
  }
}

extension StoreLocation.Selection {
  /// The statement that selects the body, then the key and the time where they are named.
  ///
  /// Columns are qualified: SQLite reads an unqualified quoted name as a text if no column has it.
  fileprivate func sql(_ dialect: SQLDialect, isResumed: Bool = false) -> String {
    let columns = [body, key, receivedAt].compactMap { $0 }.map { "rows." + SQLDialect.quote($0) }
    var sql = "SELECT \(columns.joined(separator: ", ")) FROM "
    switch origin {
    case .table(let table):
      sql += table.split(separator: ".").map { SQLDialect.quote(String($0)) }.joined(separator: ".")
    case .query(let query):
      // Without its final semicolon, it can be put in parentheses.
      let end = query.lastIndex { !$0.isWhitespace && $0 != ";" }
      sql += "(\(end.map { String(query[...$0]) } ?? "")\n)"
    }
    sql += " AS rows"
    if key != nil {
      // Two keys that differ only for a person must not be one here.
      let key = columns[1] + (dialect == .sqlite ? " COLLATE BINARY" : "")
      sql += (isResumed ? " WHERE \(key) > $1" : "") + " ORDER BY \(key)"
    }
    return sql
  }
}

extension StoreError {
  /// The same error with the names that exist, where a table or a column does not.
  ///
  /// The most common mistake: names are case-sensitive here, and PostgreSQL has folded those of most tables to lower case.
  fileprivate func naming(_ origin: StoreLocation.Selection.Origin, in database: any StoreDatabase) -> StoreError {
    let isUnknown = sqlState.map { ["42703", "42P01"].contains($0) } ?? reason.hasPrefix("no such ")
    guard isUnknown else { return self }
    // PostgreSQL answers nothing more in a transaction that has failed.
    if database.dialect == .postgreSQL { try? database.execute("ROLLBACK") }
    let table =
      if case .table(let name) = origin { name.split(separator: ".").last.map(String.init) } else { String?.none }
    let columns = table.map { database.names(StoreQueries.columns(database.dialect), [$0]) } ?? []
    let tables = columns.isEmpty ? database.names(StoreQueries.tables(database.dialect), []) : []
    var words: [String] = []
    if !columns.isEmpty { words.append("its columns are \(columns.joined(separator: ", "))") }
    if !tables.isEmpty { words.append("its tables are \(tables.joined(separator: ", "))") }
    if sqlState != nil {
      words.append("PostgreSQL folds names that were not quoted to lower case; spell them as the database does")
    }
    var error = self
    error.advice = words.joined(separator: "; ")
    return error
  }
}

extension RepeatedFinding {
  /// Another program may have changed the database; no record has more, and counts of all records cannot overflow.
  private static let most = 1 << 31

  /// Reads a finding as `StoreQueries.records` joins it: with a unit separator between its parts.
  fileprivate init?(stored finding: Substring) {
    let parts = finding.split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 5, let occurrences = Int(parts[2]) else { return nil }
    self.init(
      code: parts[0], severity: parts[1], occurrences: min(max(0, occurrences), Self.most), path: parts[3],
      message: parts[4])
  }
}

extension StoreDatabase {
  /// The first column of a few rows; none where the statement fails.
  fileprivate func names(_ sql: String, _ parameters: [String?]) -> [String] {
    guard let rows = try? rows(sql, parameters, for: "read") else { return [] }
    var names: [String] = []
    while names.count < 40, (try? rows.step()) == true, let name = rows.text(0) {
      names.append(ShownName(name).description)
    }
    return names
  }
}
