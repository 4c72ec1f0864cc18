internal import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastWire

extension PostgreSQLStore {
  /// Opens the store in a database's current schema for a run, and creates it if it does not exist.
  ///
  /// - Parameter resume: resumes the interrupted run, after checking what it wrote.
  /// - Returns: the store, and the checkpoint to resume from.
  static func open(
    _ text: ConnectionText, _ name: String, _ description: RunDescription, resume: Bool
  ) throws(StoreError) -> (sink: PostgreSQLStore, checkpoint: [UInt8]?) {
    let connection = try PostgreSQLConnection(text, name: name)
    try lock(connection)
    try connection.migrate()
    if description.isLive { try connection.execute(SchemaVersion.indexes) }
    if resume, let run = try resumed(connection, text, description) { return run }
    let progress = try begin(connection, description)
    return (try PostgreSQLStore(connection, text, progress), nil)
  }

  /// Takes the lock of the current schema, which ends with the connection.
  private static func lock(_ connection: PostgreSQLConnection) throws(StoreError) {
    // 1397508432 is SLIP in ASCII.
    let taken = try connection.query(
      "SELECT pg_try_advisory_lock(1397508432, hashtext(current_schema())) AS taken", for: "lock the store")
    guard taken.text(0, 0) == "t" else {
      throw StoreError(
        .locked, connection.name, "open the store", "another run writes there", advice: "try again when it has ended")
    }
  }

  private static func begin(
    _ connection: PostgreSQLConnection, _ description: RunDescription
  ) throws(StoreError) -> RunProgress {
    var progress = RunProgress()
    // A run that was killed before its first commit left only its row.
    try connection.execute(StoreQueries.forgetEmptyRuns)
    progress.run = try connection.query("SELECT coalesce(max(run), 0) + 1 FROM runs").integer(0, 0) ?? 1
    progress.firstPlace = try connection.query(StoreQueries.nextPlace).integer(0, 0) ?? 1
    // This run holds the lock, so another run that still counts as running was killed.
    try connection.execute("UPDATE runs SET state = 'interrupted' WHERE state = 'running'")
    let values = [
      String(progress.run), String(Timestamp.now.milliseconds), description.version, description.fingerprint,
      description.sources,
      String(progress.firstPlace), progress.digest.hexadecimal,
    ]
    _ = try connection.query(StoreQueries.beginRun(mark: { "$\($0)" }), values, for: "begin a run")
    return progress
  }

  private static func resumed(
    _ connection: PostgreSQLConnection, _ text: ConnectionText, _ description: RunDescription
  ) throws(StoreError) -> (sink: PostgreSQLStore, checkpoint: [UInt8]?)? {
    let found = try connection.query(UnfinishedRun.query, for: "resume")
    guard found.rows == 1 else { return nil }
    let run = UnfinishedRun(
      numbers: (0..<5).map { found.integer(0, $0) ?? 0 }, texts: (5..<9).map { found.text(0, $0) ?? "" })
    try run.check(description, connection.name)
    var progress = run.progress
    progress.stored = 0
    try connection.stream(StoreQueries.bodies(mark: "$1"), [String(progress.run)], types: [20], for: "resume")
    while let row = try connection.nextRow(for: "resume") { progress.add(row.bytes(0, 1).span) }
    let rejects = try connection.query("SELECT count(*) FROM rejects WHERE run = \(progress.run)").integer(0, 0) ?? 0
    try run.check(stored: progress.stored, digest: progress.digest, rejects: rejects, connection.name)
    guard let checkpoint = CheckpointText.decode(run.checkpoint) else { throw UnfinishedRun.none(connection.name) }
    return (try PostgreSQLStore(connection, text, progress), checkpoint)
  }
}
