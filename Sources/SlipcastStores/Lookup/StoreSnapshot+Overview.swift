/// The whole store in numbers.
package struct StoreOverview: Sendable {
  package struct Cell: Hashable, Sendable {
    /// Months since January of the year 0, by UTC.
    package var month: Int
    package var name: String
    package var count: Int
    /// Which records are counted.
    package var side: StoreSide
  }

  package var counts = StoreCounts()
  /// Notifications that Apple made, which are among the counts too.
  package var serverNotifications = 0
  /// The latest date of any record, in milliseconds since 1970 UTC: answers are of that time.
  package var latest: Int64?
  package var earliest: Int64?
  /// Events per month by V2 type.
  package var months: [Cell] = []
  /// Events that no month and no day has: no record states a date that a calendar has.
  package var undated: [StoreSide: Int] = [:]
  /// Records of V1 by confidence.
  package var confidence: [(name: String, count: Int)] = []
  /// V1's ambiguous events by type.
  package var ambiguous: [(name: String, count: Int)] = []
  package var rejects: [(name: String, count: Int)] = []
  package var findings: [(name: String, count: Int, message: String)] = []
  /// Days since 1970 by UTC with the number of their messages.
  package var days: [(day: Int, count: Int)] = []
  /// Subscriptions with access at the end of each month, and of the last one at the latest date of the store; empty where
  /// the store keeps no states.
  package var active: [(month: Int, count: Int)] = []
  /// How far V1's end of a period is from V2's, for transactions that both have, in milliseconds.
  package var differences: [(milliseconds: Int64, count: Int)] = []
  package var hasServerRecords = false

  package init() {}
}

extension StoreSnapshot {
  private static let day: Int64 = 86_400_000

  /// Counts everything: it reads indexes from end to end, so a large store takes seconds.
  package func overview() throws(StoreError) -> StoreOverview {
    var view = StoreOverview()
    view.counts = StoreCounts(
      notifications: Int(try database.number("SELECT count(*) FROM notifications")),
      answers: Int(try database.number("SELECT count(*) FROM answers")),
      rejects: Int(try database.number("SELECT count(*) FROM rejects")))
    try addDays(&view)
    let v1 = isOf(.v1, "n")
    view.confidence = try counted(
      "SELECT coalesce(n.confidence, 'not stated'), count(*) FROM notifications n WHERE \(v1) GROUP BY 1 ORDER BY 1")
    view.ambiguous = try counted(
      """
      SELECT coalesce(n.notification_type, n.notificationType, 'unknown'), count(*) FROM notifications n
      WHERE n.confidence = 'ambiguous' AND \(v1) GROUP BY 1 ORDER BY 2 DESC, 1
      """)
    view.rejects = try counted("SELECT code, count(*) FROM rejects GROUP BY 1 ORDER BY 2 DESC, 1")
    view.findings = try all(
      """
      SELECT f.code, count(*), max(c.message) FROM findings f LEFT JOIN finding_codes c ON c.code = f.code
      GROUP BY 1 ORDER BY 2 DESC, 1
      """, columns: 3
    ).map { ($0[0] ?? "", Int(Self.number($0[1]) ?? 0), $0[2] ?? "") }
    try addAnswers(&view)
    // A V1 message is signed when it is received, which a clock may put before the event.
    view.latest = [try latest(), view.earliest].compactMap(\.self).max()
    try addActive(&view)
    try addDifferences(&view)
    return view
  }

  /// The latest date of the store, in milliseconds since 1970 UTC; `nil` for an empty one.
  ///
  /// It is that of the newest signature, found by an index: of a V1 message that is when it was received, else its
  /// event. Answers have no such index, and are read.
  package func latest() throws(StoreError) -> Int64? {
    var times = try column("SELECT max(signedDate) FROM notifications")
    let answers = try column("SELECT max(coalesce(receivedAt, eventTime)) FROM answers")
    if !answers.isEmpty {
      // Answers of Apple's server state when they were signed with their transactions.
      times += try column(
        """
        SELECT max(t.signedDate) FROM transactions t JOIN answers a ON a.place = t.place
        WHERE \(origin("a", isAnswer: true)) = 'v2'
        """)
    }
    let latest = (times + answers).compactMap { Self.number($0) }.max()
    if let latest { return latest }
    let events = try column("SELECT max(coalesce(eventTime, receivedAt)) FROM notifications")
    return Self.number(events.first)
  }

  private func counted(_ sql: String) throws(StoreError) -> [(name: String, count: Int)] {
    try all(sql, columns: 2).map { ($0[0] ?? "", Int(Self.number($0[1]) ?? 0)) }
  }

  /// Events by day and type, which months are added up from.
  private func addDays(_ view: inout StoreOverview) throws(StoreError) {
    let time = "coalesce(n.eventTime, n.signedDate, n.receivedAt)"
    let sql = """
      SELECT CASE WHEN \(time) >= 0 THEN \(time) / \(Self.day) END, coalesce(n.notificationType, 'unknown'), count(*),
      min(\(time)), \(origin("n")) FROM notifications n GROUP BY 1, 2, 5 ORDER BY 1, 2, 5
      """
    var months: [StoreOverview.Cell: Int] = [:]
    for row in try all(sql, columns: 5) {
      let side = StoreSide(rawValue: row[4] ?? "") ?? .v1
      let count = Self.number(row[2]) ?? 0
      if side == .v2 { view.serverNotifications += Int(count) }
      guard let day = Self.number(row[0]) else {
        view.undated[side, default: 0] += Int(count)
        continue
      }
      if view.days.last?.day == Int(day) {
        view.days[view.days.count - 1].count += Int(count)
      } else {
        view.days.append((Int(day), Int(count)))
      }
      let month = Self.month(ofDay: Int(day))
      months[StoreOverview.Cell(month: month, name: row[1] ?? "", count: 0, side: side), default: 0] += Int(count)
      view.note(Self.number(row[3]))
    }
    view.months = months.map { key, count in
      StoreOverview.Cell(month: key.month, name: key.name, count: count, side: key.side)
    }.sorted { ($0.month, $0.name) < ($1.month, $1.name) }
  }

  private func addAnswers(_ view: inout StoreOverview) throws(StoreError) {
    view.note(Self.number(try column("SELECT min(coalesce(receivedAt, eventTime)) FROM answers").first))
    let found = try column("SELECT 1 FROM notifications n WHERE \(origin("n")) = 'v2' LIMIT 1")
    let answers = try column("SELECT 1 FROM answers a WHERE \(origin("a", isAnswer: true)) = 'v2' LIMIT 1")
    view.hasServerRecords = !found.isEmpty || !answers.isEmpty
    guard !answers.isEmpty else { return }
    let signed = try column(
      "SELECT min(t.signedDate) FROM transactions t JOIN answers a ON a.place = t.place WHERE a.origin = 'v2'")
    view.note(Self.number(signed.first))
  }

  /// Subscriptions with access at the end of each month that the store covers, and at its latest date: nothing is known
  /// of what follows.
  private func addActive(_ view: inout StoreOverview) throws(StoreError) {
    guard hasStates, let first = view.earliest, let last = view.latest, first <= last else { return }
    guard try !column("SELECT 1 FROM states LIMIT 1").isEmpty else { return }
    // What begins and what ends in a month changes the number at its end.
    var changes: [Int: Int] = [:]
    for (column, sign) in [("validFrom", 1), ("validTo", -1)] {
      let sql = """
        SELECT \(column) / \(Self.day), count(*) FROM states WHERE access = 'yes' AND \(column) >= 0 GROUP BY 1
        """
      for row in try all(sql, columns: 2) {
        guard let day = Self.number(row[0]), let count = Self.number(row[1]) else { continue }
        changes[Self.month(ofDay: Int(day)), default: 0] += sign * Int(count)
      }
    }
    let months = Self.month(ofDay: Int(first / Self.day))...Self.month(ofDay: Int(last / Self.day))
    var count = changes.filter { $0.key < months.lowerBound }.values.reduce(0, +)
    for month in months.prefix(600) {
      count += changes[month] ?? 0
      view.active.append((month, count))
    }
    guard view.active.last?.month == months.upperBound else { return }
    view.active[view.active.count - 1].count = Int(
      try database.number(
        """
        SELECT count(*) FROM states
        WHERE access = 'yes' AND validFrom <= \(last) AND (validTo IS NULL OR validTo > \(last))
        """))
  }

  private func addDifferences(_ view: inout StoreOverview) throws(StoreError) {
    guard view.hasServerRecords else { return }
    let sql = """
      SELECT d, count(*) FROM (
        SELECT max(t.expiresDate) - (
          SELECT max(u.expiresDate) FROM transactions u JOIN notifications m ON m.place = u.place
          WHERE u.transactionId = t.transactionId AND \(isOf(.v1, "m"))) AS d
        FROM transactions t LEFT JOIN notifications n ON n.place = t.place LEFT JOIN answers a ON a.place = t.place
        WHERE CASE WHEN n.place IS NULL THEN \(origin("a", isAnswer: true)) ELSE \(origin("n")) END = 'v2'
        AND t.expiresDate IS NOT NULL GROUP BY t.transactionId
      ) AS pairs WHERE d IS NOT NULL GROUP BY 1 ORDER BY 1
      """
    view.differences = try all(sql, columns: 2).compactMap { row in
      Self.number(row[0]).map { ($0, Int(Self.number(row[1]) ?? 0)) }
    }
  }

  /// The month of a day since 1970, as months since January of the year 0.
  package static func month(ofDay day: Int) -> Int {
    // Days since 0000-03-01, in eras of 400 years (Howard Hinnant, "chrono-compatible low-level date algorithms").
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * year + year / 4 - year / 100)
    let month = (5 * ofYear + 2) / 153
    return (year + era * 400) * 12 + month + 2
  }
}

extension StoreOverview {
  fileprivate mutating func note(_ first: Int64?) {
    if let first { earliest = min(earliest ?? first, first) }
  }
}
