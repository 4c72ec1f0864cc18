import SlipcastComparison
import SlipcastMapping
internal import SlipcastWire

/// A field as the forms for people show it: texts that are safe to print, chosen once for all forms.
struct ReportRow {
  let differenceClass: DifferenceClass
  /// True when the field counts against parity.
  let fails: Bool
  /// The reason given in the ignore file; `nil` when the field counts.
  let reason: String?
  let path: String
  let v1Path: String?
  let v1: ReportValue
  let cast: ReportValue
  let v2: ReportValue
  /// False where the cast repeats V1, or there was nothing to cast.
  let showsCast: Bool
  /// One line; empty only for `identical`.
  let meaning: String
  /// `priceIncreaseStatus: pending (cast) / agreed (V2)`.
  let storekit: String?
  /// Where the ignore file says so: `accepted.txt, line 3, until 2026-01-31`.
  let ignoreLine: String?
  /// The rule's id and how well it is known.
  let rule: String?
  let trap: String?
  let sources: [ReportSource]
  /// The number of characters that the shown JSON texts begin with alike; 0 where they do not differ.
  let sharedPrefix: Int

  init(_ field: FieldDifference, of comparison: Comparison) {
    self.init(field, fails: comparison.fails(field), hasLegacy: comparison.isFromVersion1)
  }

  /// - Parameter hasLegacy: False when a V2 record stands in for the legacy one: then there are two values, not three.
  init(_ field: FieldDifference, fails: Bool, hasLegacy: Bool) {
    differenceClass = field.differenceClass
    self.fails = fails
    self.hasLegacy = hasLegacy
    reason = field.ignored.map { SafeText.words($0.reason) }
    path = SafeText.words(field.path)
    v1Path = field.v1Path.map(SafeText.words)
    v1 = ReportValue(field.v1)
    cast = ReportValue(field.cast)
    v2 = ReportValue(field.v2)
    showsCast = field.cast != field.v1 && (field.cast != nil || field.v2 != nil)
    meaning = SafeText.words(field.explanation)
    storekit = field.storekit.map { column in
      SafeText.words("\(column.name): \(column.cast ?? "nil") (cast) / \(column.v2 ?? "nil") (V2)")
    }
    ignoreLine = field.ignored.map(Self.place)
    rule = field.rule.map { rule in
      SafeText.words([rule, field.confidence?.rawValue].compactMap(\.self).joined(separator: ", "))
    }
    trap = field.note.map(SafeText.words)
    sources = field.sources.map(ReportSource.init)
    sharedPrefix = Self.sharedPrefix([v1, cast, v2])
  }

  /// `ignored (line 3, until 2026-01-31): reason`.
  var ignored: String? { reason.map { "ignored (\(ignoreLine ?? "")): \($0)" } }

  /// True when an ignore file took the field out of the verdict.
  var isIgnored: Bool { reason != nil }

  /// The value that the row's short form starts from: what stands in V1, or what was concluded from it.
  var before: ReportValue {
    differenceClass == .derived && cast != .absent || v1 == .absent || v1 == .several && cast != .absent ? cast : v1
  }

  private let hasLegacy: Bool

  /// V1, cast and V2 with their labels; the cast only where it says more than V1.
  var values: [(label: String, value: ReportValue)] {
    guard hasLegacy else { return [("first", cast), ("second", v2)] }
    return [("V1", v1)] + (showsCast ? [("cast", cast)] : []) + [("V2", v2)]
  }

  private static func sharedPrefix(_ values: [ReportValue]) -> Int {
    let texts = values.compactMap { value -> String? in
      if case .json(let text) = value { text } else { nil }
    }
    guard let first = texts.first, texts.contains(where: { $0 != first }) else { return 0 }
    return texts.dropFirst().map { $0.commonPrefix(with: first) }.min() ?? 0
  }

  private static func place(_ ignored: IgnoredDifference) -> String {
    "\(SafeText.words(ignored.list)), line \(ignored.line)"
      + (ignored.until.map { ", until \(SafeText.words($0))" } ?? "")
  }
}

/// A document behind a rule.
struct ReportSource {
  /// Title and place in it.
  let title: String
  /// The address; `nil` for something observed that has no page.
  let url: String?

  init(_ citation: Citation) {
    title = SafeText.words([citation.title, citation.locator].compactMap(\.self).joined(separator: ", "))
    url = citation.url.map(SafeText.words)
  }

  /// Title and address in one line.
  var line: String { [title, url].compactMap(\.self).joined(separator: ", ") }
}

extension String {
  /// Number of characters with which both begin.
  fileprivate func commonPrefix(with other: String) -> Int {
    zip(self, other).prefix { $0 == $1 }.count
  }
}
