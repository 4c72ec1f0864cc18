/// A run that wrote to a store.
package struct StoredRun: Sendable {
  package var run: Int64
  package var startedAt: Int64?
  package var finishedAt: Int64?
  package var state: String
  package var version: String
  package var sources: String
  package var read: Int64
  package var converted: Int64
  package var duplicate: Int64
  package var rejected: Int64
  package var ambiguous: Int64
  package var absorbed: Int64
}

/// A record that could not be converted; its input is not among it.
package struct StoredReject: Sendable {
  package var source: String
  package var record: Int64
  package var id: String?
  package var stage: String
  package var code: String
  package var path: String
  package var message: String
}

extension StoreSnapshot {
  /// The runs, the newest first.
  package func runs(limit: Int) throws(StoreError) -> [StoredRun] {
    let sql = """
      SELECT run, startedAt, finishedAt, state, version, sources, read, converted, duplicate, rejected, ambiguous,
      absorbed FROM runs ORDER BY run DESC LIMIT \(limit)
      """
    return try all(sql, columns: 12).map { row in
      func number(_ place: Int) -> Int64 { Self.number(row[place]) ?? 0 }
      return StoredRun(
        run: number(0), startedAt: Self.number(row[1]), finishedAt: Self.number(row[2]), state: row[3] ?? "",
        version: row[4] ?? "", sources: row[5] ?? "", read: number(6), converted: number(7), duplicate: number(8),
        rejected: number(9), ambiguous: number(10), absorbed: number(11))
    }
  }

  /// Rejects in their order, of one code or of all.
  package func rejects(code: String?, from start: Int, limit: Int) throws(StoreError) -> [StoredReject] {
    let condition = code == nil ? "" : "WHERE code = $1"
    let sql = """
      SELECT source, record, id, stage, code, path, message FROM rejects \(condition)
      ORDER BY run, source, record LIMIT \(limit) OFFSET \(start)
      """
    return try all(sql, [code].compactMap(\.self), columns: 7).map { row in
      StoredReject(
        source: row[0] ?? "", record: Self.number(row[1]) ?? 0, id: row[2], stage: row[3] ?? "", code: row[4] ?? "",
        path: row[5] ?? "", message: row[6] ?? "")
    }
  }

  /// Records with a finding, by their events.
  package func records(withFinding code: String, limit: Int) throws(StoreError) -> [(uuid: String, id: String?)] {
    let sql = """
      SELECT n.notificationUUID, n.originalTransactionId FROM findings f JOIN notifications n ON n.place = f.place
      WHERE f.code = $1 LIMIT \(limit)
      """
    return try all(sql, [code], columns: 2).map { ($0[0] ?? "", $0[1]) }
  }

  /// What no other store has: pseudonyms of its ids are made with it.
  package func fingerprint() throws(StoreError) -> String {
    let rows = try all("SELECT fingerprint, startedAt FROM runs ORDER BY run LIMIT 1", columns: 2)
    return rows.first.map { "\($0[0] ?? "") \($0[1] ?? "")" } ?? ""
  }

  /// A number that changes with the records of the store.
  package func revision() throws(StoreError) -> Int64 { try database.number(StoreQueries.nextPlace) }
}
