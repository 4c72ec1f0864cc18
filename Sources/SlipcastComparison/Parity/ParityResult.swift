public import SlipcastMapping

/// Two archives of the same app, laid side by side event by event: how well they agree, and why not.
///
/// Counts are exact, whatever the size of the archives; samples are capped. Record numbers count from 1 through all
/// sources of a side.
public struct ParityResult: Sendable {
  /// The legacy archive.
  public var legacy: Archive
  /// The V2 archive.
  public var server: Archive
  /// What became of the records.
  public var pairs = Pairs()
  /// One entry for each path over all pairs: V2's in Apple's order, then V1's without a V2 place.
  public var fields: [Field] = []
  /// The number of pairs for each V1 message and V2 notification, the most frequent first.
  public var types: [TypeCell] = []
  /// Whether customers would have had access, by either side.
  public var entitlement = EntitlementParity()
  /// Access by the last record of each subscription; `nil` where no record has a date.
  public var access: AccessTotals?
  /// Some of the customers whose access differs.
  package var accessSamples = AccessSamples()
  /// The file that has all of them, where it was asked for.
  package var accessList: String?
  /// Events of which only one side knows, by side, reason and event, the most frequent first.
  public var unpaired: [UnpairedKind] = []
  /// V1 messages that may be more than one V2 event, and what V2 said they were.
  public var ambiguous: [AmbiguousKind] = []
  /// Pairs over time: spans of equal length, without gaps.
  public var periods: [Period] = []
  /// Pairs whose fields are shown in full, at most `samplePairs` of them; samples refer to them.
  public var samplePairs: [SamplePair] = []
  /// Pairs with a conflict that no baseline accepts.
  public var failingPairs = 0
  /// Differences that fail unless they are known, as baselines name them; the most frequent first.
  public var differences: [FoundDifference] = []
  /// How the two archives cover the same time, and which events have no counterpart in it.
  public var coverage = ParityCoverage()
  /// What the result was made from; `nil` where the caller does not say.
  public var origin: ComparisonOrigin?
  /// What to know about the run as a whole.
  public var notes: [Comparison.Note] = []
  /// The conditions that decide, each with its outcome; never empty.
  public var gates: [Gate] = []

  /// Number of V1 values in pairs that cannot be read, over all paths.
  public var unreadable: Int { fields.reduce(0) { $0 + $1.unreadable } }

  /// Whether all gates hold.
  public var verdict: Comparison.Verdict { gates.allSatisfy(\.holds) ? .parity : .conflict }

  /// One of the two archives.
  public struct Archive: Hashable, Sendable {
    /// How the caller names it: its paths and locations, without passwords.
    public var name: String
    /// Records that were read, unreadable ones included.
    public var records: Int
    /// The first and the last time of its events, milliseconds since 1970 UTC; `nil` when no event has one.
    public var span: ClosedRange<Int64>?

    /// Describes an archive.
    public init(name: String, records: Int = 0, span: ClosedRange<Int64>? = nil) {
      (self.name, self.records, self.span) = (name, records, span)
    }
  }

  /// What became of the records of both sides.
  ///
  /// Legacy records = `matched` + `conflicting` + `legacyWithoutServer` + `absorbed` + `notComparable` + duplicates +
  /// rejected; server records = `matched` + `conflicting` + `serverWithoutLegacy` + `serverOnlyEvents` +
  /// `unknownEvents` + duplicates + rejected. Where answers with several transactions or subscriptions are compared, each of these counts as a record.
  public struct Pairs: Hashable, Sendable {
    /// Events present in both, without a field in class `conflict`.
    public var matched = 0
    /// Events present in both, with at least one.
    public var conflicting = 0
    /// V1 events without their V2 notification.
    public var legacyWithoutServer = 0
    /// V2 notifications without a V1 message, of a kind that V1 sends.
    public var serverWithoutLegacy = 0
    /// V2 notifications without a V1 message, of a kind that V1 never sends.
    public var serverOnlyEvents = 0
    /// V2 notifications of a type or subtype that the rules do not name; nothing is missing in V1.
    public var unknownEvents = 0
    /// V1 companion messages that V2 never sends.
    public var absorbed = 0
    /// Messages and notifications that repeat an earlier one.
    public var duplicates = Both()
    /// Those among the duplicates that have the key or `notificationUUID` of another record and other content.
    ///
    /// All of them are compared; the one that disagrees most stands for its event.
    public var repeatDiffers = Both()
    /// Records that could not be read.
    public var rejected = Both()
    /// Unpaired V1 events from before V2 existed.
    public var notComparable = 0

    /// Events present in both.
    public var compared: Int { matched + conflicting }
    /// Events only in one archive that the other should have.
    public var missing: Int { legacyWithoutServer + serverWithoutLegacy }
    /// Events that both archives have or should have.
    public var expected: Int { compared + missing }
    /// A number for either side.
    public struct Both: Hashable, Sendable {
      /// In the legacy archive.
      public var legacy = 0
      /// In the server archive.
      public var server = 0
      /// Makes a pair of numbers.
      public init(legacy: Int = 0, server: Int = 0) { (self.legacy, self.server) = (legacy, server) }
    }
  }

  /// What the pairs say about one path.
  public struct Field: Hashable, Sendable {
    /// Dotted path in the decoded V2 record, list places as `[*]`; `nil` when only V1 has it.
    public var v2Path: String?
    /// Dotted path of a V1 value without a V2 place, list places as `[*]`; `nil` if `v2Path` is set.
    public var v1Path: String?
    /// Number of pairs by the most serious class that the path has in them; absent classes have none.
    public var counts: [DifferenceClass: Int] = [:]
    /// Pairs whose V1 value here cannot be read; all of them are in conflict.
    public var unreadable = 0
    /// Pairs whose conflict here is accepted by a baseline; of a difference that has grown, as many as it names.
    public var accepted = 0
    /// Why V1's value has no V2 place, for a `v1Path`.
    public var reason: String?
    /// At most 20, the most serious first.
    public var samples: [Sample] = []

    /// The path to show.
    public var path: String { v2Path ?? v1Path ?? "" }
    /// Pairs in which either side has the path.
    public var pairs: Int { counts.values.reduce(0, +) }
    /// Pairs of one class.
    public func count(_ differenceClass: DifferenceClass) -> Int { counts[differenceClass, default: 0] }
    /// The share of pairs without a conflict, 0…1; 1 without pairs.
    public var agreement: Double { pairs == 0 ? 1 : 1 - Double(count(.conflict)) / Double(pairs) }
  }

  /// One pair's values at one path.
  public struct Sample: Hashable, Sendable {
    /// Number of the record in the legacy archive, from 1.
    public var legacyRecord: Int
    /// Number of the record in the server archive, from 1.
    public var serverRecord: Int
    /// The row of the pair's comparison.
    public var difference: FieldDifference
    /// The place of the pair in `samplePairs`; `nil` when it is not among them.
    public var pair: Int?
  }

  /// A pair in full.
  public struct SamplePair: Hashable, Sendable {
    /// Number of the record in the legacy archive, from 1.
    public var legacyRecord: Int
    /// Number of the record in the server archive, from 1.
    public var serverRecord: Int
    /// Every field, as `slipcast diff` shows it; the sides are named by their sources.
    public var comparison: Comparison
  }

  /// The number of pairs of one V1 message and one V2 notification.
  public struct TypeCell: Hashable, Sendable {
    /// V1's `notification_type`; for a V2 record in its place, type and subtype.
    public var legacy: String
    /// `notificationType`, with `/` and the subtype where there is one.
    public var server: String
    /// Pairs.
    public var count = 0
    /// Those with a field in class `conflict`.
    public var conflicting = 0
    /// Those whose type or subtype is in conflict.
    public var typeConflicts = 0
  }

  /// Unpaired events of one kind.
  public struct UnpairedKind: Hashable, Sendable {
    /// Why an event has no counterpart.
    public enum Reason: String, CaseIterable, Hashable, Sendable {
      /// A V1 event without its V2 notification.
      case legacyWithoutServer
      /// A V2 notification, of a kind that V1 sends, without its V1 message.
      case serverWithoutLegacy
      /// A V2 notification of a kind that V1 never sends: nothing is missing.
      case serverOnlyEvents
      /// A V2 notification of a type or subtype that the rules do not name: nothing is known to be missing.
      case unknownEvents
      /// A V1 event from before V2 existed.
      case notComparable
    }

    /// Why.
    public var reason: Reason
    /// V1's `notification_type`, or V2's type and subtype.
    public var event: String
    /// How many.
    public var count: Int
    /// Up to 20 record numbers in their archive, ascending.
    public var records: [Int]
    /// One sentence: where V1 leaves a trace of it, or what may have become of it.
    public var explanation: String
  }

  /// V1 messages with more than one reading, and the one that V2 has.
  public struct AmbiguousKind: Hashable, Sendable {
    /// V1's `notification_type`.
    public var legacy: String
    /// The row of the decision table.
    public var rule: String
    /// One of the readings.
    public struct Reading: Hashable, Sendable {
      /// Type and subtype.
      public var event: String
      /// What would have decided for it.
      public var needs: String
      /// Pairs in which V2 said so.
      public var count: Int
    }
    /// All readings, the best first.
    public var readings: [Reading]
    /// Pairs in which V2 has another event.
    public var other = 0
    /// Messages without a V2 notification: these stay open.
    public var undecided = 0
  }

  /// Pairs within one span of time.
  public struct Period: Hashable, Sendable {
    /// Its first instant, milliseconds since 1970 UTC.
    public var start: Int64
    /// The first instant behind it.
    public var end: Int64
    /// Pairs without a conflict.
    public var matched = 0
    /// Pairs with one.
    public var conflicting = 0
  }

  /// A difference as baselines name it: a path, a class, a kind, a V1 message and a V2 event.
  public struct FoundDifference: Hashable, Sendable {
    /// The path of V2, or V1's where V2 has none; `entitlement` for a conflict about access.
    public var path: String
    /// Its class.
    public var differenceClass: String
    /// How the two sides stand to each other.
    public var kind: DifferenceKind
    /// V1's `notification_type`, or type and subtype of a V2 record in its place.
    public var legacy: String
    /// V2's type and subtype.
    public var server: String
    /// Pairs, and of a change of access also customers whose last records show it and none of whose pairs does.
    public var count: Int
    /// Of a change of access, the customers whose last records show it; the condition `access` counts these.
    public var customers = 0
    /// What a baseline says of it; `nil` for a new one.
    public var known: KnownDifference?
    /// Records that `count` counts, in the order of their V1 records: at least 20, if there are so many.
    public var pairs: [Pair] = []
    /// The number by which all of them are kept; `nil` where none are.
    package var number: Int?
    /// Reports list the pairs, not only some of them.
    package var isListed = false

    /// A pair of records.
    public struct Pair: Hashable, Sendable {
      package var numbers: PairNumbers
      /// The place of the pair in `samplePairs`; `nil` when it is not among them.
      public var pair: Int?

      /// Number of the record in the legacy archive, from 1.
      public var legacyRecord: Int { numbers.legacy }
      /// Number of the record in the server archive, from 1.
      public var serverRecord: Int { numbers.server }
    }

    /// The baseline accepts fewer pairs than were found.
    public var isGrown: Bool { known?.atMost.map { count > $0 } ?? false }
    /// It counts against the verdict.
    public var fails: Bool { known == nil || isGrown }
    /// One line: `data.status conflict (larger in V2) in DID_RENEW → DID_RENEW`.
    package var words: String { "\(path) \(differenceClass) (\(kind.words)) in \(legacy) → \(server)" }
  }

  /// A condition of the verdict.
  public struct Gate: Hashable, Sendable {
    /// One word and its subject: `conflicts`, `access`, `missing`, `baseline`, `minAgreement data.transactionInfo.expiresDate`, `strict semantic`.
    public var name: String
    /// Whether it holds.
    public var holds: Bool
    /// One sentence with the figures.
    public var message: String
  }
}
