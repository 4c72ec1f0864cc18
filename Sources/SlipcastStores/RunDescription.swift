internal import SlipcastBulk
internal import SlipcastDigest

/// The identity of a run, so that only the same run is resumed.
struct RunDescription {
  /// A digest of everything that the run depends on: its sources, options and rules.
  var fingerprint: String
  /// The sources, for people who read the table of runs.
  var sources: String
  var version: String
  /// The remedy when the store's disk is full.
  var adviceWhenFull = "make room and run it again"
  /// Others read the store while the run writes, for as long as a server runs.
  var isLive = false
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
  var keptRejects: Int64 = 0
  /// The bodies of all stored records in the order of their places.
  var digest = SHA256Stream()

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
  func values(_ counts: RunCounts) -> [Int64] {
    RunCounts.ofRecords.map { Int64(counts[keyPath: $0.place]) }
      + [Int64(counts.bytes), handed, stored, keptRejects]
  }

  /// Columns of `runs` with numbers that change with every commit.
  static let columns = RunCounts.ofRecords.map(\.name) + ["bytes", "handed", "stored", "keptRejects"]
}
