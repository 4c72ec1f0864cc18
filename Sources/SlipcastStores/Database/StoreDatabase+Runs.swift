internal import SlipcastBulk
internal import SlipcastDigest
internal import SlipcastMapping
internal import SlipcastWire

// The run that writes to a store; the caller holds the store's lock.
extension StoreDatabase {
  /// Updates the schema, and resumes the interrupted run, after checking what it wrote, or begins one.
  ///
  /// - Returns: the state of the run, and the checkpoint to resume from.
  func start(
    _ description: RunDescription, resume: Bool
  ) throws(StoreError) -> (progress: RunProgress, checkpoint: [UInt8]?) {
    try migrate()
    if description.isLive { try execute(SchemaVersion.indexes) }
    if resume, let found = try unfinishedRun(description) {
      // A run that settles reads all lists again; a live run continues.
      if !description.isLive { try removeListedPeriods(of: found.progress.run) }
      return found
    }
    let progress = try beginRun(description)
    if description.isLive { try execute("UPDATE runs SET listedPeriods = 0, judged = 0 WHERE run = \(progress.run)") }
    return (progress, nil)
  }

  private func beginRun(_ description: RunDescription) throws(StoreError) -> RunProgress {
    // A run that was killed before its first commit left only its row.
    try execute("DELETE FROM runs WHERE state <> 'finished' AND checkpoint IS NULL AND handed = 0")
    var progress = RunProgress()
    progress.run = try number("SELECT coalesce(max(run), 0) + 1 FROM runs")
    progress.firstPlace = try number(StoreQueries.nextPlace)
    // Another run that still counts as running was killed.
    try execute("UPDATE runs SET state = 'interrupted' WHERE state = 'running'")
    let numbers = zip(RunProgress.columns, progress.values(RunCounts()))
    try run(
      """
      INSERT INTO runs (run, startedAt, firstPlace, \(numbers.map(\.0).joined(separator: ", ")),
      state, version, fingerprint, sources, sha256)
      VALUES (\(progress.run), \(Timestamp.now.milliseconds), \(progress.firstPlace),
      \(numbers.map { "\($0.1)" }.joined(separator: ", ")), 'running', $1, $2, $3, $4)
      """, [description.version, description.fingerprint, description.sources, progress.digest.hexadecimal],
      for: "begin a run")
    return progress
  }

  /// The newest run, if it can be resumed: a later one has used the places after it.
  private func unfinishedRun(
    _ description: RunDescription
  ) throws(StoreError) -> (progress: RunProgress, checkpoint: [UInt8]?)? {
    let rows = try rows(
      """
      SELECT run, firstPlace, handed, stored, keptRejects, fingerprint, sources, sha256, checkpoint FROM runs
      WHERE state <> 'finished' AND checkpoint IS NOT NULL AND run = (SELECT max(run) FROM runs)
      """, for: "resume")
    guard try rows.step() else { return nil }
    var progress = RunProgress()
    (progress.run, progress.firstPlace) = (rows.number(0) ?? 0, rows.number(1) ?? 0)
    (progress.handed, progress.keptRejects) = (rows.number(2) ?? 0, rows.number(4) ?? 0)
    let (stored, digest) = (rows.number(3) ?? 0, rows.text(7))
    let (fingerprint, sources, checkpoint) = (rows.text(5), rows.text(6) ?? "", CheckpointText.decode(rows.text(8)))
    guard fingerprint == description.fingerprint else {
      let reason =
        sources == description.sources
        ? "the options or the rules are not those of the interrupted run"
        : "the interrupted run read \(sources), and this one reads \(description.sources)"
      throw StoreError(
        .cannotResume, name, "resume", reason, advice: "repeat the same command with --resume, or begin a new run")
    }
    try readBodies(of: &progress)
    let rejects = try number("SELECT count(*) FROM rejects WHERE run = \(progress.run)")
    guard progress.stored == stored, rejects == progress.keptRejects else {
      throw changed(
        "\(stored) records and \(progress.keptRejects) rejects are marked as done, and \(progress.stored) and \(rejects) are there"
      )
    }
    guard progress.digest.hexadecimal == digest else {
      throw changed("what is stored is not what was written: its SHA-256 differs")
    }
    guard let checkpoint else {
      throw StoreError(
        .cannotResume, name, "resume", "it has no unfinished run with a checkpoint", advice: "leave out --resume")
    }
    return (progress, checkpoint)
  }

  private func readBodies(of progress: inout RunProgress) throws(StoreError) {
    let bodies = try rows(
      """
      SELECT place, body FROM notifications WHERE run = \(progress.run)
      UNION ALL SELECT place, body FROM answers WHERE run = \(progress.run) ORDER BY place
      """, for: "resume")
    while try bodies.step() { progress.add(bodies.content(1).span) }
  }

  private func changed(_ reason: String) -> StoreError {
    StoreError(
      .damaged, name, "resume", reason,
      advice: "the store was changed after the interruption; begin again in a new one")
  }

  /// Writes how far a run is: with a checkpoint at a commit, without one at its end.
  func note(
    _ progress: RunProgress, state: String, _ counts: RunCounts, checkpoint: [UInt8]? = nil
  ) throws(StoreError) {
    let numbers = zip(RunProgress.columns, progress.values(counts)).map { "\($0) = \($1)" }.joined(separator: ", ")
    let last = checkpoint == nil ? "finishedAt = \(Timestamp.now.milliseconds)" : "checkpoint = $3"
    try run(
      "UPDATE runs SET state = $1, sha256 = $2, \(numbers), \(last) WHERE run = \(progress.run)",
      [state, progress.digest.hexadecimal] + (checkpoint.map { [CheckpointText.encode($0)] } ?? []), for: "commit")
  }

  /// Stores what a resumed run, and later runs, need of the events so far.
  func write(events: [UInt8], of run: Int64) throws(StoreError) {
    try self.run(
      """
      INSERT INTO run_events (run, part, body)
      SELECT \(run), (SELECT 1 + coalesce(max(part), 0) FROM run_events WHERE run = \(run)), $1
      """, [Hexadecimal.encode(events)])
  }

  /// - Parameter own: the run that is open.
  func forEachEvents(own: Int64, _ use: (StoredEvents) throws -> Void) throws {
    let rows = try rows("SELECT run, body FROM run_events ORDER BY run, part", for: "read the events of earlier runs")
    while try rows.step() {
      let run = rows.number(0) ?? 0
      try use(StoredEvents(bytes: Hexadecimal.decode(rows.text(1) ?? "") ?? [], run: run, isOwn: run == own))
    }
  }

  /// Adds the codes of findings that the store may not have yet.
  func write(codes: [RepeatedFinding]) throws(StoreError) {
    for finding in codes {
      try run(
        "INSERT INTO finding_codes (code, severity, message) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        [finding.code, finding.severity, finding.message])
    }
  }
}

/// Checkpoints as text: unchanged when both databases can store them, otherwise in base64.
enum CheckpointText {
  private static let mark = "base64:"

  static func encode(_ bytes: [UInt8]) -> String {
    if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix(mark) { return text }
    return mark + Base64.encode(bytes)
  }

  static func decode(_ text: String?) -> [UInt8]? {
    guard let text else { return nil }
    return text.hasPrefix(mark) ? Base64.decode(Array(text.utf8).dropFirst(mark.utf8.count)) : Array(text.utf8)
  }
}
