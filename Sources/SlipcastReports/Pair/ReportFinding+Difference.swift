import SlipcastComparison
import SlipcastMapping
internal import SlipcastV2

extension ReportFinding {
  /// The values of a field.
  ///
  /// - Parameter hasLegacy: False when a V2 record replaces the legacy one: then there are two values, not three.
  init(_ field: FieldDifference, hasLegacy: Bool) {
    let (v1, cast, v2) = (ReportValue(field.v1), ReportValue(field.cast), ReportValue(field.v2))
    differenceClass = field.differenceClass
    if hasLegacy {
      let place = field.v1Path.flatMap { $0 == field.path ? nil : $0.safe }
      entries = [Entry(label: "V1", value: v1, place: place)]
      // The cast only where it says more than V1.
      if field.cast != field.v1 && (field.cast != nil || field.v2 != nil) {
        entries.append(Entry(label: "cast", value: cast))
      }
      entries.append(Entry(label: "V2", value: v2))
    } else {
      entries = [Entry(label: "first", value: cast), Entry(label: "second", value: v2)]
    }
    change = Self.change(field.differenceClass, v1: v1, cast: cast, v2: v2)
    sharedPrefix = ReportValue.sharedPrefix([v1, cast, v2])
    meaning = field.explanation.safe
    storekit = field.storekit.map { column in
      "\(column.name): \(column.cast ?? "nil") (cast) / \(column.v2 ?? "nil") (V2)".safe
    }
    ignored = field.ignored.map { ignored in
      let until = ignored.until.map { ", until \($0)" } ?? ""
      return "ignored (\(ignored.list), line \(ignored.line)\(until)): \(ignored.reason)".safe
    }
    rule = field.rule.map { [$0, field.confidence?.rawValue ?? ""].listed.safe }
    trap = field.note.map(\.safe)
    sources = field.sources.map { citation in
      ReportSource(title: [citation.title, citation.locator ?? ""].listed.safe, url: citation.url.map(\.safe))
    }
  }

  /// What a folded row shows: one side's value, or how it changes from V1 to V2.
  private static func change(
    _ differenceClass: DifferenceClass, v1: ReportValue, cast: ReportValue, v2: ReportValue
  ) -> [ReportValue] {
    let isConcluded = differenceClass == .derived && cast != .absent || v1 == .absent
    let before = isConcluded || v1 == .several && cast != .absent ? cast : v1
    switch differenceClass {
    case .legacyOnly, .elsewhere, .repeated: return [before]
    case .serverOnly: return [v2]
    case .identical where before == v2: return [v2]
    default: return [before, v2]
    }
  }
}

extension ReportRow {
  /// A field of a pair.
  init(_ field: FieldDifference, of comparison: Comparison) {
    self.init(
      path: field.path.safe, differenceClass: field.differenceClass, fails: comparison.fails(field),
      isIgnored: field.ignored != nil, needsLook: comparison.needsLook(FieldDifferences.Facts(field)),
      findings: [ReportFinding(field, hasLegacy: comparison.isFromVersion1)])
  }
}

extension Comparison {
  /// True where there is more to say of a field than its class: what agrees, or is only on one side, is counted.
  func needsLook(_ facts: FieldDifferences.Facts) -> Bool {
    facts.differenceClass <= .semantic || fails(facts) || facts.isIgnored || facts.hasStoreKit
  }
}
