import SlipcastMapping

/// Fields by class.
struct ReportFields: Sendable {
  /// The most serious class first.
  var groups: [ReportGroup]
  /// The rows sum up many pairs, each with samples; otherwise each row is one pair's.
  var areSamples = false
}

/// The fields of one class.
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

/// A field: its path, what it counts, and the values of one pair or of several.
struct ReportRow: Sendable {
  var path: String
  /// The target of links to it.
  var id: String?
  var differenceClass: DifferenceClass
  /// True when the field counts against parity.
  var fails: Bool
  /// True when an ignore file took the field out of the verdict.
  var isIgnored = false
  /// True where there is more to say than its class.
  var needsLook: Bool
  /// What a folded row shows beside its path, for many pairs; empty for one.
  var change = ""
  /// Pairs by class; empty for a single pair.
  var counts: [ReportCount] = []
  /// The same in words.
  var countWords = ""
  /// How many conflicts a baseline accepts, in words.
  var accepted: String?
  /// Why V2 has no place for it.
  var reason: String?
  var findings: [ReportFinding]
}

/// The values of one pair of records, and what to make of them.
struct ReportFinding: Sendable {
  /// One side's value.
  struct Entry: Sendable {
    var label: String
    var value: ReportValue
    /// Where it comes from, unless the row's path says so.
    var place: String?
  }

  /// `V1 record 12, V2 record 45`; `nil` where only one pair is reported.
  var records: String?
  /// The number of the pair among those that are shown in full.
  var pair: Int?
  var differenceClass: DifferenceClass?
  var entries: [Entry]
  /// Labels of the entries that a folded row shows.
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
