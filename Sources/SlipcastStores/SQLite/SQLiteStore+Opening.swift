internal import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastWire

extension SQLiteStore {
  /// Opens the store of a file for a run, and creates it if it does not exist.
  ///
  /// - Parameter resume: resumes the interrupted run, after checking what it wrote.
  /// - Returns: the store, and the checkpoint to resume from.
  static func open(
    path: String, _ name: String, _ description: RunDescription, resume: Bool
  ) throws(StoreError) -> (sink: SQLiteStore, checkpoint: [UInt8]?) {
    switch StoreFile.look(path) {
    case .other: throw StoreError.notAStore(name, "the file is not a SQLite database")
    case .nothing, .empty: try StoreFile.createPrivately(path)
    case .database: break
    }
    let database = try SQLiteDatabase(path: path, name: name, .readWrite)
    database.adviceWhenFull = description.adviceWhenFull
    // Checked before anything is written: a file of another program stays unchanged.
    _ = try database.schemaVersion()
    try database.execute(
      description.isTemporary ? temporarySettings : description.isLive ? liveSettings : settings)
    // The lock is taken here and kept. No reader can block a commit: none is let in, or it reads a snapshot.
    try database.execute("BEGIN EXCLUSIVE; COMMIT")
    let file = try StoreFile.opened(path, by: database)
    try database.migrate()
    if description.isLive { try database.execute(SchemaVersion.indexes) }
    if resume, let run = try resumed(database, file, description) { return run }
    let progress = try begin(database, description)
    return (try SQLiteStore(database, file, progress, isTemporary: description.isTemporary), nil)
  }

  /// How a run writes; the size of the cache is in kibibytes.
  ///
  /// A rollback journal keeps only old pages, and nearly all pages of a load are new, so each is written once; a
  /// write-ahead log would write each twice. With FULL, the journal is on the disk before the file changes, and the
  /// file before the journal is deleted: after a power loss the store is as it was at a commit.
  private static let settings = """
    PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE;
    PRAGMA synchronous = FULL; PRAGMA cache_size = -65536; PRAGMA temp_store = FILE
    """

  /// With a write-ahead log, readers see the last commit while the run writes.
  private static let liveSettings = """
    PRAGMA page_size = 16384; PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL; PRAGMA cache_size = -16384; PRAGMA temp_store = FILE
    """

  /// Nothing is kept after a power loss.
  private static let temporarySettings = """
    PRAGMA page_size = 16384; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF; PRAGMA cache_size = -32768; PRAGMA temp_store = FILE
    """

  private static func begin(
    _ database: SQLiteDatabase, _ description: RunDescription
  ) throws(StoreError) -> RunProgress {
    var progress = RunProgress()
    // A run that was killed before its first commit left only its row.
    try database.execute(StoreQueries.forgetEmptyRuns)
    progress.run = try database.number("SELECT coalesce(max(run), 0) + 1 FROM runs")
    progress.firstPlace = try database.number(StoreQueries.nextPlace)
    // This run holds the store, so another run that still counts as running was killed.
    try database.execute("UPDATE runs SET state = 'interrupted' WHERE state = 'running'")
    let statement = try database.prepare(StoreQueries.beginRun(mark: { "?\($0)" }), for: "begin a run")
    try statement.bind(progress.run, at: 1)
    try statement.bind(Timestamp.now.milliseconds, at: 2)
    try statement.bind(description.version, at: 3)
    try statement.bind(description.fingerprint, at: 4)
    try statement.bind(description.sources, at: 5)
    try statement.bind(progress.firstPlace, at: 6)
    try statement.bind(progress.digest.hexadecimal, at: 7)
    try statement.run()
    return progress
  }

  private static func resumed(
    _ database: SQLiteDatabase, _ file: StoreFile.Opened, _ description: RunDescription
  ) throws(StoreError) -> (sink: SQLiteStore, checkpoint: [UInt8]?)? {
    let statement = try database.prepare(UnfinishedRun.query, for: "resume")
    guard try statement.step() else { return nil }
    let run = UnfinishedRun(
      numbers: (0..<5).map { statement.integer($0) }, texts: (5..<9).map { statement.text($0) ?? "" })
    statement.reset()
    try run.check(description, database.name)
    var progress = run.progress
    progress.stored = 0
    let bodies = try database.prepare(StoreQueries.bodies(mark: "?1"), for: "resume")
    try bodies.bind(progress.run, at: 1)
    while try bodies.step() { progress.add(bodies.bytes(1).span) }
    let rejects = try database.number("SELECT count(*) FROM rejects WHERE run = \(progress.run)")
    try run.check(stored: progress.stored, digest: progress.digest, rejects: rejects, database.name)
    guard let checkpoint = CheckpointText.decode(run.checkpoint) else { throw UnfinishedRun.none(database.name) }
    return (try SQLiteStore(database, file, progress), checkpoint)
  }
}
