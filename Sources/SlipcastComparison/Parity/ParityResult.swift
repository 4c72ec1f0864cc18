package import SlipcastMapping

/// Two archives of the same app, laid side by side event by event: how well they agree, and why not.
///
/// Counts are exact, whatever the size of the archives; samples are capped. Record numbers count from 1 through all
/// sources of a side.
package struct ParityResult: Sendable {
  /// The legacy archive.
  package var legacy: Archive
  /// The V2 archive.
  package var server: Archive
  /// What became of the records.
  package var pairs = Pairs()
  /// One entry for each path over all pairs: V2's in Apple's order, then V1's without a V2 place.
  package var fields: [Field] = []
  /// The number of pairs for each V1 message and V2 notification, the most frequent first.
  package var types: [TypeCell] = []
  /// Whether customers would have had access, by either side.
  package var entitlement = EntitlementParity()
  /// Access by the last record of each subscription; `nil` where no record has a date.
  package var access: AccessTotals?
  /// Some of the customers whose access differs.
  package var accessSamples = AccessSamples()
  /// The file that has all of them, where it was asked for.
  package var accessList: String?
  /// Events of which only one side knows, by side, reason and event, the most frequent first.
  package var unpaired: [UnpairedKind] = []
  /// V1 messages that may be more than one V2 event, and what V2 said they were.
  package var ambiguous: [AmbiguousKind] = []
  /// Pairs over time: spans of equal length, without gaps.
  package var periods: [Period] = []
  /// Pairs whose fields are shown in full, at most `samplePairs` of them; samples refer to them.
  package var samplePairs: [SamplePair] = []
  /// Pairs with a conflict that no baseline accepts.
  package var failingPairs = 0
  /// Differences that fail unless they are known, as baselines name them; the most frequent first.
  package var differences: [FoundDifference] = []
  /// What failing differences have in common, the largest first.
  package var causes: [ParityCause] = []
  /// How far dates lie apart, for each path with failing dates.
  package var shifts: [DateShifts] = []
  /// Pairs by app and month, in that order.
  package var appMonths: [AppMonth] = []
  /// How the two archives cover the same time, and which events have no counterpart in it.
  package var coverage = ParityCoverage()
  /// The events that count as missing.
  package var missing = MissingEvents()
  /// The records that could not be read, or are of another kind.
  package var unread = UnreadRecords()
  /// What the result was made from; `nil` where the caller does not say.
  package var origin: ComparisonOrigin?
  /// What to know about the run as a whole.
  package var notes: [Comparison.Note] = []
  /// The conditions that decide, each with its outcome; never empty.
  package var gates: [Gate] = []

  /// Number of V1 values in pairs that cannot be read, over all paths.
  package var unreadable: Int { fields.reduce(0) { $0 + $1.unreadable } }

  /// Whether all gates hold.
  package var verdict: Comparison.Verdict { gates.allSatisfy(\.holds) ? .parity : .conflict }

  /// One of the two archives.
  package struct Archive: Hashable, Sendable {
    /// How the caller names it: its paths and locations, without passwords.
    package var name: String
    /// Records that were read, unreadable ones included.
    package var records: Int
    /// The first and the last time of its events, milliseconds since 1970 UTC; `nil` when no event has one.
    package var span: ClosedRange<Int64>?

    /// Describes an archive.
    package init(name: String, records: Int = 0, span: ClosedRange<Int64>? = nil) {
      (self.name, self.records, self.span) = (name, records, span)
    }
  }

  /// What became of the records of both sides.
  ///
  /// Legacy records = `matched` + `conflicting` + `legacyWithoutServer` + `absorbed` + `notComparable` + duplicates +
  /// rejected; server records = `matched` + `conflicting` + `serverWithoutLegacy` + `serverOnlyEvents` +
  /// `unknownEvents` + duplicates + rejected. Where answers with several transactions or subscriptions are compared, each of these counts as a record.
  package struct Pairs: Hashable, Sendable {
    /// Events present in both, without a field in class `conflict`.
    package var matched = 0
    /// Events present in both, with at least one.
    package var conflicting = 0
    /// V1 events without their V2 notification.
    package var legacyWithoutServer = 0
    /// V2 notifications without a V1 message, of a kind that V1 sends.
    package var serverWithoutLegacy = 0
    /// V2 notifications without a V1 message, of a kind that V1 never sends.
    package var serverOnlyEvents = 0
    /// V2 notifications of a type or subtype that the rules do not name; nothing is missing in V1.
    package var unknownEvents = 0
    /// V1 companion messages that V2 never sends.
    package var absorbed = 0
    /// Messages and notifications that repeat an earlier one.
    package var duplicates = Both()
    /// Those among the duplicates that have the key or `notificationUUID` of another record and other content.
    ///
    /// All of them are compared; the one that disagrees most stands for its event.
    package var repeatDiffers = Both()
    /// Records that could not be read.
    package var rejected = Both()
    /// Unpaired V1 events from before V2 existed.
    package var notComparable = 0

    mutating func add(isConflicting: Bool) { if isConflicting { conflicting += 1 } else { matched += 1 } }

    /// Events present in both.
    package var compared: Int { matched + conflicting }
    /// Events only in one archive that the other should have.
    package var missing: Int { legacyWithoutServer + serverWithoutLegacy }
    /// Events that both archives have or should have.
    package var expected: Int { compared + missing }
    /// A number for either side.
    package struct Both: Hashable, Sendable {
      /// In the legacy archive.
      package var legacy = 0
      /// In the server archive.
      package var server = 0
      /// Makes a pair of numbers.
      package init(legacy: Int = 0, server: Int = 0) { (self.legacy, self.server) = (legacy, server) }
    }
  }

  /// What the pairs say about one path.
  package struct Field: Hashable, Sendable {
    /// Dotted path in the decoded V2 record, list places as `[*]`; `nil` when only V1 has it.
    package var v2Path: String?
    /// Dotted path of a V1 value without a V2 place, list places as `[*]`; `nil` if `v2Path` is set.
    package var v1Path: String?
    /// Number of pairs by the most serious class that the path has in them; absent classes have none.
    package var counts: [DifferenceClass: Int] = [:]
    /// Pairs whose V1 value here cannot be read; all of them are in conflict.
    package var unreadable = 0
    /// Pairs whose difference here is within a tolerance.
    package var tolerated = 0
    /// Pairs whose conflict here is accepted by a baseline; of a difference that has grown, as many as it names.
    package var accepted = 0
    /// Why V1's value has no V2 place, for a `v1Path`.
    package var reason: String?
    /// At most 20, the most serious first.
    package var samples: [Sample] = []

    /// The path to show.
    package var path: String { v2Path ?? v1Path ?? "" }
    /// Pairs in which either side has the path.
    package var pairs: Int { counts.values.reduce(0, +) }
    /// Pairs of one class.
    package func count(_ differenceClass: DifferenceClass) -> Int { counts[differenceClass, default: 0] }
    /// The share of pairs without a conflict, 0…1; 1 without pairs.
    package var agreement: Double { pairs == 0 ? 1 : 1 - Double(count(.conflict)) / Double(pairs) }
  }

  /// One pair's values at one path.
  package struct Sample: Hashable, Sendable {
    /// Number of the record in the legacy archive, from 1.
    package var legacyRecord: Int
    /// Number of the record in the server archive, from 1.
    package var serverRecord: Int
    /// The row of the pair's comparison.
    package var difference: FieldDifference
    /// The place of the pair in `samplePairs`; `nil` when it is not among them.
    package var pair: Int?
    package var subject: PairSubject?
  }

  /// A pair in full.
  package struct SamplePair: Hashable, Sendable {
    /// Number of the record in the legacy archive, from 1.
    package var legacyRecord: Int
    /// Number of the record in the server archive, from 1.
    package var serverRecord: Int
    /// Every field, as `slipcast diff` shows it; the sides are named by their sources.
    package var comparison: Comparison
    package var subject: PairSubject?
  }

  /// The number of pairs of one V1 message and one V2 notification.
  package struct TypeCell: Hashable, Sendable {
    /// V1's `notification_type`; for a V2 record in its place, type and subtype.
    package var legacy: String
    /// `notificationType`, with `/` and the subtype where there is one.
    package var server: String
    /// Pairs.
    package var count = 0
    /// Those with a field in class `conflict`.
    package var conflicting = 0
    /// Those whose type or subtype is in conflict.
    package var typeConflicts = 0
  }

  /// Unpaired events of one kind.
  package struct UnpairedKind: Hashable, Sendable {
    /// Why an event has no counterpart.
    package enum Reason: String, CaseIterable, Hashable, Sendable {
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
    package var reason: Reason
    /// V1's `notification_type`, or V2's type and subtype.
    package var event: String
    /// How many.
    package var count: Int
    /// Up to 20 record numbers in their archive, ascending.
    package var records: [Int]
    /// One sentence: where V1 leaves a trace of it, or what may have become of it.
    package var explanation: String
  }

  /// V1 messages with more than one reading, and the one that V2 has.
  package struct AmbiguousKind: Hashable, Sendable {
    /// V1's `notification_type`.
    package var legacy: String
    /// The row of the decision table.
    package var rule: String
    /// One of the readings.
    package struct Reading: Hashable, Sendable {
      /// Type and subtype.
      package var event: String
      /// What would have decided for it.
      package var needs: String
      /// Pairs in which V2 said so.
      package var count: Int
    }
    /// All readings, the best first.
    package var readings: [Reading]
    /// Pairs in which V2 has another event.
    package var other = 0
    /// Messages without a V2 notification: these stay open.
    package var undecided = 0
  }

  /// Pairs within one span of time.
  package struct Period: Hashable, Sendable {
    /// Its first instant, milliseconds since 1970 UTC.
    package var start: Int64
    /// The first instant behind it.
    package var end: Int64
    /// Pairs without a conflict.
    package var matched = 0
    /// Pairs with one.
    package var conflicting = 0
    /// V1 events without a V2 notification, whether or not they count.
    package var missingInV2 = 0
    /// V2 notifications without a V1 event, likewise.
    package var missingInV1 = 0
  }

  /// A difference as baselines name it: a path, a class, a kind, a V1 message and a V2 event.
  package struct FoundDifference: Hashable, Sendable {
    /// The path of V2, or V1's where V2 has none; `entitlement` for a conflict about access.
    package var path: String
    /// Its class.
    package var differenceClass: String
    /// How the two sides stand to each other.
    package var kind: DifferenceKind
    /// V1's `notification_type`, or type and subtype of a V2 record in its place.
    package var legacy: String
    /// V2's type and subtype.
    package var server: String
    /// Pairs, and of a change of access also customers whose last records show it and none of whose pairs does.
    package var count: Int
    /// Of a change of access, the customers whose last records show it; the condition `access` counts these.
    package var customers = 0
    /// What a baseline says of it; `nil` for a new one.
    package var known: KnownDifference?
    /// Records that `count` counts, in the order of their V1 records: at least 20, if there are so many.
    package var pairs: [Pair] = []
    /// The number by which all of them are kept; `nil` where none are.
    package var number: Int?
    /// Reports list the pairs, not only some of them.
    package var isListed = false

    /// A pair of records.
    package struct Pair: Hashable, Sendable {
      package init(numbers: PairNumbers, pair: Int? = nil, subject: PairSubject = PairSubject()) {
        (self.numbers, self.pair, self.subject) = (numbers, pair, subject)
      }

      package var numbers: PairNumbers
      /// The place of the pair in `samplePairs`; `nil` when it is not among them.
      package var pair: Int?
      package var subject = PairSubject()

      /// Number of the record in the legacy archive, from 1.
      package var legacyRecord: Int { numbers.legacy }
      /// Number of the record in the server archive, from 1.
      package var serverRecord: Int { numbers.server }
    }

    /// The baseline accepts fewer pairs than were found.
    package var isGrown: Bool { known?.atMost.map { count > $0 } ?? false }
    /// It counts against the verdict.
    package var fails: Bool { known == nil || isGrown }
    /// One line: `data.status conflict (larger in V2) in DID_RENEW → DID_RENEW`.
    package var words: String { "\(path) \(differenceClass) (\(kind.words)) in \(legacy) → \(server)" }
  }

  /// A condition of the verdict.
  package struct Gate: Hashable, Sendable {
    /// One word and its subject: `conflicts`, `access`, `missing`, `baseline`, `minAgreement data.transactionInfo.expiresDate`, `strict semantic`.
    package var name: String
    /// Whether it holds.
    package var holds: Bool
    /// One sentence with the figures.
    package var message: String
  }
}
