internal import SlipcastMapping

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

  /// Place and body of a run's records, in the order of their places.
  static func bodies(mark: String) -> String {
    """
    SELECT place, body FROM notifications WHERE run = \(mark)
    UNION ALL SELECT place, body FROM answers WHERE run = \(mark) ORDER BY place
    """
  }

  /// Marks a record whose id also belongs to a record with other content; parameter: its place.
  static func countDifferent(mark: String) -> [String] {
    let row = "place = \(mark) AND code = '\(RepeatFinding.repeatDiffers.rawValue)'"
    return [
      "UPDATE findings SET occurrences = occurrences + 1 WHERE \(row)",
      """
      INSERT INTO findings (place, code, severity, occurrences, path)
      SELECT \(mark), '\(RepeatFinding.repeatDiffers.rawValue)', 'warning', 1, ''
      WHERE NOT EXISTS (SELECT 1 FROM findings WHERE \(row))
      """,
    ]
  }

  /// The stored events of a run, in order.
  static func events(ofRun run: Int64) -> String { "SELECT body FROM run_events WHERE run = \(run) ORDER BY part" }

  /// Adds to that; parameter: the entries.
  static func addEvents(ofRun run: Int64, mark: String) -> String {
    """
    INSERT INTO run_events (run, part, body)
    SELECT \(run), (SELECT 1 + coalesce(max(part), 0) FROM run_events WHERE run = \(run)), \(mark)
    """
  }

  /// A finished run does not need them any more, nor do earlier runs.
  static let forgetEvents = "DELETE FROM run_events"

  /// State, fingerprint and checkpoint of the run that began last.
  static let lastRun = "SELECT state, fingerprint, checkpoint FROM runs ORDER BY run DESC LIMIT 1"

  /// Deletes the rows of runs that were killed before their first commit.
  static let forgetEmptyRuns = "DELETE FROM runs WHERE state <> 'finished' AND checkpoint IS NULL AND handed = 0"

  /// A row of `runs`; parameters: run, startedAt, version, fingerprint, sources, firstPlace, sha256.
  static func beginRun(mark: (Int) -> String) -> String {
    let zeros = RunProgress.columns.map { _ in "0" }.joined(separator: ", ")
    return """
      INSERT INTO runs (run, startedAt, version, fingerprint, sources, firstPlace, sha256, state,
      \(RunProgress.columns.joined(separator: ", ")))
      VALUES (\((1...7).map(mark).joined(separator: ", ")), 'running', \(zeros))
      """
  }

  /// The names of functions that the two databases spell differently.
  struct Dialect {
    /// Joins the texts of a group with a text between them.
    var join: String
    /// The character of a number.
    var character: String

    static let sqlite = Dialect(join: "group_concat", character: "char")
    static let postgreSQL = Dialect(join: "string_agg", character: "chr")
  }

  /// All records after a place with their notes; `StoredRow` reads them.
  static func records(_ dialect: Dialect, mark: String) -> String {
    let unit = " || \(dialect.character)(31) || "
    let parts = ["f.code", "f.severity", "CAST(f.occurrences AS text)", "f.path", "coalesce(c.message, '')"]
    let findings = """
      (SELECT \(dialect.join)(\(parts.joined(separator: unit)), \(dialect.character)(30)) FROM findings f
      LEFT JOIN finding_codes c ON c.code = f.code WHERE f.place = r.place) AS remarks
      """
    let columns = "r.place, r.source, r.record, r.id, r.eventTime, r.receivedAt"
    return """
      SELECT \(columns), r.notification_type, \(findings), r.body FROM notifications r WHERE r.place > \(mark)
      UNION ALL SELECT \(columns), CAST(NULL AS text), \(findings), r.body FROM answers r WHERE r.place > \(mark)
      ORDER BY place
      """
  }

  /// The columns of an event, for `StoredEvent`.
  private static let event = "place, originalTransactionId, notification_type, eventTime, receivedAt, body"
  private static let byTime = "coalesce(eventTime, signedDate, 0), coalesce(receivedAt, 0), place"

  /// All events, one subscription after another, in the order of time.
  static let events = """
    SELECT \(event) FROM notifications WHERE originalTransactionId IS NOT NULL ORDER BY originalTransactionId, \(byTime)
    """

  /// The events that name no subscription, in the order of time.
  static let eventsWithoutSubscription = """
    SELECT \(event) FROM notifications WHERE originalTransactionId IS NULL ORDER BY \(byTime)
    """

  /// The events of one subscription, in the order of time.
  static func events(of mark: String) -> String {
    "SELECT \(event) FROM notifications WHERE originalTransactionId = \(mark) ORDER BY \(byTime)"
  }
}
