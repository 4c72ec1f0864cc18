public import SlipcastMapping

/// The counts of a run.
public struct RunCounts: Hashable, Sendable {
  /// Records found in the sources.
  public var read = 0
  /// Records that became a line of output.
  public var converted = 0
  /// Duplicates of earlier records; streams keep all of them, so this is 0.
  public var duplicate = 0
  /// Records that could not be converted.
  public var rejected = 0
  /// Converted ones with more than one possible reading.
  public var ambiguous = 0
  /// Converted ones that are companions of another message.
  public var absorbed = 0
  /// Findings by code.
  public var findings = FindingCounts()
  /// Bytes read from the sources.
  public var bytes = 0
  /// Bytes of the sources that could not be read as a record: text that is not JSON, and records beyond the limit.
  public var unreadBytes = 0
  /// Lines of logs that contain no record.
  public var skippedLines = 0

  /// Rejected records by the code of their reason.
  public var reasons: [String: Int] = [:]
  /// What became of the records of each source, by its name; sources without records are left out.
  ///
  /// Counts are equal whatever the sources are called: the same records may come from one file or from several.
  public var bySource: [String: OfSource] = [:]

  /// The counts of one source.
  ///
  /// Whether a record was a duplicate is not among them: a store finds that out later.
  public struct OfSource: Hashable, Sendable {
    /// Records found in it.
    public var read = 0
    /// Those that could not be converted.
    public var rejected = 0

    package init(read: Int = 0, rejected: Int = 0) { (self.read, self.rejected) = (read, rejected) }

    mutating func add(_ other: OfSource) {
      read += other.read
      rejected += other.rejected
    }
  }

  /// All counts are 0.
  public init() {}

  package typealias Named = (name: String, place: any WritableKeyPath<RunCounts, Int> & Sendable)

  package static let ofRecords: [Named] = [
    ("read", \.read), ("converted", \.converted), ("duplicate", \.duplicate), ("rejected", \.rejected),
    ("ambiguous", \.ambiguous), ("absorbed", \.absorbed),
  ]
  /// The counts of what the sources contain besides.
  package static let ofSources: [Named] = [
    ("bytes", \.bytes), ("unreadBytes", \.unreadBytes), ("skippedLines", \.skippedLines),
  ]
  /// All counts but those of findings.
  static let all = ofRecords + ofSources
}

extension RunCounts {
  /// The same counts, of whatever sources.
  public static func == (one: Self, other: Self) -> Bool {
    all.allSatisfy { one[keyPath: $0.place] == other[keyPath: $0.place] } && one.findings == other.findings
      && one.reasons == other.reasons
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    for (_, place) in Self.all { hasher.combine(self[keyPath: place]) }
  }
}

extension RunCounts {
  /// Every record was counted with exactly one result.
  var isBalanced: Bool { read == converted + duplicate + rejected }

  mutating func add(_ other: RunCounts) {
    for (_, place) in Self.all { self[keyPath: place] += other[keyPath: place] }
    findings.add(other.findings)
    reasons.merge(other.reasons, uniquingKeysWith: +)
    for (name, counts) in other.bySource { bySource[name, default: OfSource()].add(counts) }
  }
}
