import SlipcastMapping

struct ReportFields: Sendable {
  enum Kind: Sendable {
    /// The fields of the pair that is reported.
    case pair
    /// Each row sums up many pairs, and has samples.
    case samples
    /// The fields of one of many pairs.
    case plain
  }

  /// The most serious class first.
  var groups: [ReportGroup]
  var kind = Kind.pair
}

struct ReportGroup: Sendable {
  var differenceClass: DifferenceClass
  /// Fields in all; there may be fewer rows.
  var count: Int
  var rows: [ReportRow]

  /// `2 fields: the same fact, written in another way`.
  func words(_ count: Int, remark: String = "") -> String {
    "\(Words.count(count, "field"))\(remark): \(differenceClass.meaning)"
  }
}

/// A field: its path, and the values of one pair or of several.
struct ReportRow: Sendable {
  var path: String
  /// Its place in the report of many pairs, from 1; `nil` for the field of a single pair.
  var number: Int?
  var differenceClass: DifferenceClass
  /// True when the field counts against parity.
  var fails: Bool
  /// True when an ignore file took the field out of the verdict.
  var isIgnored = false
  /// True where there is more to say than its class.
  var needsLook: Bool
  /// Pairs by class, the most serious first; empty for a single pair.
  var counts: [ReportCount] = []
  /// Conflicts because V1's value cannot be read.
  var unreadable = 0
  /// Conflicts that a baseline accepts.
  var accepted = 0
  /// What lets it fail besides conflicts: `12 semantic`.
  var strict: [String] = []
  var isLoss = false
  /// Why V2 has no place for it.
  var reason: String?
  var findings: [ReportFinding]

  /// The target of links to it.
  var id: String { "field-\(number ?? 0)" }
}

/// The values of one pair of records, and what to make of them.
struct ReportFinding: Sendable {
  /// One side's value.
  struct Entry: Sendable {
    var label: String
    var value: ReportValue
    /// Where it comes from, unless the row's path shows it.
    var place: String?
  }

  /// `V1 record 12, V2 record 45`; `nil` where only one pair is reported.
  var records: String?
  /// The number of the pair among those that are shown in full.
  var pair: Int?
  var differenceClass: DifferenceClass?
  var entries: [Entry]
  /// What a folded row shows: one value, or V1's and V2's.
  var change: [ReportValue] = []
  /// The number of characters with which the shown JSON texts begin alike; 0 where they do not differ.
  var sharedPrefix = 0
  /// One sentence; empty only for `identical`.
  var meaning: String
  /// `priceIncreaseStatus: pending (cast) / agreed (V2)`.
  var storekit: String?
  /// `ignored (accepted.txt, line 3, until 2026-01-31): reason`.
  var ignored: String?
  /// The rule's id and how well it is known.
  var rule: String?
  var trap: String?
  var sources: [ReportSource] = []
}

/// A document behind a rule.
struct ReportSource: Sendable {
  /// Title and place in it.
  var title: String
  /// The address; `nil` for something observed that has no page.
  var url: String?

  /// Title and address in one line.
  var line: String { [title, url].compactMap(\.self).joined(separator: ", ") }
}
