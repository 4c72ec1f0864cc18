/// A record of a customer that a search has found.
package struct FoundID: Hashable, Sendable {
  /// What the given text is.
  package enum Kind: String, CaseIterable, Sendable {
    case originalTransactionId, transactionId, webOrderLineItemId, appAccountToken, appTransactionId, productId
    case notificationUUID
    case order = "order id"
  }

  package var kind: Kind
  /// The whole id that was found, which may be longer than the given text.
  package var value: String
  /// The customer; `nil` for an event that belongs to none.
  package var originalTransactionId: String?
  package var isExact: Bool
}

extension StoreSnapshot {
  /// Searches all ids of a store, exact matches first, then ids that begin with the text.
  ///
  /// - Parameters:
  ///   - text: an id as a person has it.
  ///   - limit: the most matches.
  package func find(_ text: String, limit: Int) throws(StoreError) -> [FoundID] {
    guard !text.isEmpty, !text.utf8.contains(0) else { return [] }
    var found = try exact(text, limit)
    if text.utf8.count >= Self.leastPrefix, found.count < limit { found += try beginning(text, limit) }
    var seen: Set<FoundID> = []
    return Array(found.filter { seen.insert($0.plain).inserted }.prefix(limit))
  }

  /// Shorter texts begin too many ids.
  private static let leastPrefix = 4

  private func exact(_ text: String, _ limit: Int) throws(StoreError) -> [FoundID] {
    var found: [FoundID] = []
    // Ids of 36 characters are UUIDs, which may be written in capitals or not.
    let spellings = text.utf8.count == 36 ? Set([text, text.lowercased(), text.uppercased()]) : [text]
    for text in spellings.sorted() {
      for (kind, sql) in try queries(.originalTransactionId, text, isExact: true) {
        found += try rows(kind, sql, for: text, limit: limit)
      }
    }
    return found + (try orders(text, limit))
  }

  /// The customers of an order, by what `fetch orders` wrote.
  ///
  /// No index has orders: only answers of Apple's server are read, and only for a text that looks like an order id.
  private func orders(_ text: String, _ limit: Int) throws(StoreError) -> [FoundID] {
    guard text.wholeMatch(of: /[0-9A-Z]{6,32}/) != nil, text.contains(where: \.isLetter),
      version >= SchemaVersion.ofOrigins
    else { return [] }
    // The text holds letters and digits alone, so it cannot act as a pattern.
    let mark = "%\"slipcast\":{\"endpoint\":\"orders\",\"id\":\"\(text)\"%"
    let sql = """
      SELECT DISTINCT t.originalTransactionId FROM answers a JOIN transactions t ON t.place = a.place
      WHERE a.origin = 'v2' AND CAST(a.body AS text) LIKE $1 LIMIT \(limit)
      """
    return try column(sql, [mark]).map { owner in
      FoundID(kind: .order, value: text, originalTransactionId: owner, isExact: true)
    }
  }

  /// Statements that return the id that was found and its customer.
  private func queries(
    _ first: FoundID.Kind, _ text: String, isExact: Bool
  ) throws(StoreError) -> [(FoundID.Kind, String)] {
    func transactions(_ column: String) -> String {
      "SELECT DISTINCT \(column), originalTransactionId FROM transactions WHERE \(column) = $1"
    }
    var queries: [(FoundID.Kind, String)] = [
      (
        first,
        "SELECT originalTransactionId, originalTransactionId FROM notifications WHERE originalTransactionId = $1"
      ),
      (first, transactions("originalTransactionId")),
      (.transactionId, transactions("transactionId")),
      (.webOrderLineItemId, transactions("webOrderLineItemId")),
      (
        .notificationUUID,
        "SELECT notificationUUID, originalTransactionId FROM notifications WHERE notificationUUID = $1"
      ),
    ]
    if isIndexed("transactions_by_token") { queries.append((.appAccountToken, transactions("appAccountToken"))) }
    if isIndexed("transactions_by_app_transaction") {
      queries.append((.appTransactionId, transactions("appTransactionId")))
    }
    if isIndexed("transactions_by_product") { queries.append((.productId, transactions("productId"))) }
    return queries
  }

  /// Ids that begin with the text; each column has an index that is sorted by bytes.
  private func beginning(_ text: String, _ limit: Int) throws(StoreError) -> [FoundID] {
    var columns: [(FoundID.Kind, String, String)] = [
      (.originalTransactionId, "transactions", "originalTransactionId"),
      (.transactionId, "transactions", "transactionId"),
      (.notificationUUID, "notifications", "notificationUUID"),
    ]
    // PostgreSQL sorts the others by the language of the database.
    if database.dialect == .sqlite {
      columns.append((.webOrderLineItemId, "transactions", "webOrderLineItemId"))
      if isIndexed("transactions_by_product") { columns.append((.productId, "transactions", "productId")) }
    }
    var found: [FoundID] = []
    for (kind, table, column) in columns {
      let sql = """
        SELECT DISTINCT \(column), originalTransactionId FROM \(table)
        WHERE \(column) > $1 AND \(column) < $2 ORDER BY \(column)
        """
      found += try rows(kind, sql, for: text, limit: limit, upTo: text + "\u{10FFFF}")
    }
    return found
  }

  private func rows(
    _ kind: FoundID.Kind, _ sql: String, for text: String, limit: Int, upTo end: String? = nil
  ) throws(StoreError) -> [FoundID] {
    let rows = try all("\(sql) LIMIT \(limit)", [text] + [end].compactMap(\.self), columns: 2)
    return rows.compactMap { row in
      guard let value = row[0] else { return nil }
      return FoundID(kind: kind, value: value, originalTransactionId: row[1], isExact: end == nil)
    }
  }

  /// Whether the store has an index; runs into a store make the missing ones.
  private func isIndexed(_ name: String) -> Bool {
    let sql =
      database.dialect == .sqlite
      ? "SELECT name FROM sqlite_master WHERE type = 'index' AND name = $1"
      : "SELECT indexname FROM pg_indexes WHERE indexname = $1"
    return (try? database.value(sql, [name])) != nil
  }

  /// Ids that this store cannot search quickly, because it was last written by an older program.
  package var unsearchable: [FoundID.Kind] {
    [
      (FoundID.Kind.appAccountToken, "transactions_by_token"), (.appTransactionId, "transactions_by_app_transaction"),
      (.productId, "transactions_by_product"),
    ].filter { !isIndexed($0.1) }.map(\.0)
  }
}

extension FoundID {
  /// The same without what distinguishes two equal matches.
  fileprivate var plain: FoundID {
    var plain = self
    plain.isExact = true
    return plain
  }
}
