internal import SlipcastBulk
internal import SlipcastDigest

/// The identity of a run, so that only the same run is resumed.
package struct RunDescription: Hashable, Sendable {
  /// A digest of everything that the run depends on: its sources, options and rules.
  package var fingerprint: String
  /// The sources, for people who read the table of runs.
  package var sources: String
  /// The version of slipcast.
  package var version: String
  /// The remedy when the store's disk is full.
  package var adviceWhenFull: String
  /// Others read the store while the run writes, for as long as a server runs.
  package var isLive = false
  /// Only this process reads the store, and only its events and their number: it has no parts of records, no indexes, and
  /// need not survive the process.
  package var isTemporary = false

  package init(
    fingerprint: String, sources: String, version: String, adviceWhenFull: String = "make room and run it again"
  ) {
    (self.fingerprint, self.sources, self.version) = (fingerprint, sources, version)
    self.adviceWhenFull = adviceWhenFull
  }
}

/// The progress of a run in a store; kept in its row of `runs` with every commit.
struct RunProgress {
  var run: Int64 = 1
  /// The place of the run's first record.
  var firstPlace: Int64 = 1
  /// Records that arrived, including duplicates and rejected ones: they count the places.
  var handed: Int64 = 0
  /// Records that are in the store.
  var stored: Int64 = 0
  /// Rows in `rejects`.
  var keptRejects: Int64 = 0
  /// The bodies of all stored records in the order of their places.
  var digest = SHA256Stream()

  /// The place of the next record.
  mutating func nextPlace() -> Int64 {
    defer { handed += 1 }
    return firstPlace + handed
  }

  /// Counts a record that is in the store now.
  mutating func add(_ body: Span<UInt8>) {
    stored += 1
    digest.add(body)
    digest.add(Self.lineFeed)
  }

  private static let lineFeed = "\n"

  /// The values of the columns that `columns` names, in their order.
  func values(_ state: String, _ counts: RunCounts) -> [Int64] {
    RunCounts.ofRecords.map { Int64(counts[keyPath: $0.place]) }
      + [Int64(counts.bytes), handed, stored, keptRejects]
  }

  /// Columns of `runs` with numbers that change with every commit.
  static let columns = RunCounts.ofRecords.map(\.name) + ["bytes", "handed", "stored", "keptRejects"]
}

/// What a store kept of an unfinished run.
struct UnfinishedRun {
  var progress: RunProgress
  var fingerprint: String
  var sources: String
  var sha256: String
  var checkpoint: String

  /// Columns of `runs`, in the order in which `init` reads them.
  ///
  /// Only the newest run can be resumed: a later one has used the places after it.
  static let query = """
    SELECT run, firstPlace, handed, stored, keptRejects, fingerprint, sources, sha256, checkpoint FROM runs
    WHERE state <> 'finished' AND checkpoint IS NOT NULL AND run = (SELECT max(run) FROM runs)
    """

  init(numbers: [Int64], texts: [String]) {
    progress = RunProgress()
    if numbers.count == 5 {
      (progress.run, progress.firstPlace, progress.handed) = (numbers[0], numbers[1], numbers[2])
      (progress.stored, progress.keptRejects) = (numbers[3], numbers[4])
    }
    let texts = texts + Array(repeating: "", count: max(0, 4 - texts.count))
    (fingerprint, sources, sha256, checkpoint) = (texts[0], texts[1], texts[2], texts[3])
  }

  /// Rejects a run with other sources, options or rules.
  func check(_ description: RunDescription, _ location: String) throws(StoreError) {
    guard fingerprint != description.fingerprint else { return }
    let reason =
      sources == description.sources
      ? "the options or the rules are not those of the interrupted run"
      : "the interrupted run read \(sources), and this one reads \(description.sources)"
    throw StoreError(
      .cannotResume, location, "resume", reason, advice: "repeat the same command with --resume, or begin a new run")
  }

  /// Rejects a store that lacks records which are marked as done.
  func check(stored: Int64, digest: SHA256Stream, rejects: Int64, _ location: String) throws(StoreError) {
    guard stored == progress.stored, rejects == progress.keptRejects else {
      throw StoreError(
        .damaged, location, "resume",
        "\(progress.stored) records and \(progress.keptRejects) rejects are marked as done, and \(stored) and \(rejects) are there",
        advice: "the store was changed after the interruption; begin again in a new one")
    }
    guard digest.hexadecimal == sha256 else {
      throw StoreError(
        .damaged, location, "resume", "what is stored is not what was written: its SHA-256 differs",
        advice: "the store was changed after the interruption; begin again in a new one")
    }
  }

  static func none(_ location: String) -> StoreError {
    StoreError(
      .cannotResume, location, "resume", "it has no unfinished run with a checkpoint", advice: "leave out --resume")
  }
}
