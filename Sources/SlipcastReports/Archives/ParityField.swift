import SlipcastComparison
import SlipcastMapping
import SlipcastWire

/// A path over all pairs, with what reports say of it.
struct ParityField {
  /// Its place in the result, from 1.
  let number: Int
  let path: String
  /// True when V2 has no place for it.
  let isLoss: Bool
  /// True when the field counts against the verdict.
  let fails: Bool
  /// Classes that occur, the most serious first.
  let counts: [ReportCount]
  let pairs: Int
  let conflicts: Int
  /// Why V1's value has no V2 place.
  let reason: String?
  private let field: ParityResult.Field
  /// What lets it fail besides conflicts: `12 semantic`.
  private let strict: [String]

  init(_ field: ParityResult.Field, number: Int, of result: ParityResult) {
    (self.field, self.number, path, isLoss) = (field, number, field.path.safe, field.v2Path == nil)
    fails = result.fails(field)
    counts = DifferenceClass.allCases.map { ReportCount(differenceClass: $0, count: field.count($0)) }
      .filter { $0.count > 0 }
    let failing = result.failingClasses
    strict = counts.filter { failing.contains($0.differenceClass) }.map {
      "\($0.count.grouped) \($0.differenceClass.rawValue)"
    }
    (pairs, conflicts) = (field.pairs, field.count(.conflict))
    reason = field.reason.map(\.safe)
  }

  /// The target of links to it.
  var id: String { "field-\(number)" }

  /// The most serious class that occurs.
  var worst: DifferenceClass { counts.first?.differenceClass ?? .identical }

  /// The share of pairs without a conflict: `99.87%`.
  var agreement: String { Words.percent(pairs - conflicts, of: pairs) }

  /// It fails, or has conflicts.
  var isOpen: Bool { fails || conflicts > 0 }

  /// V2 cannot hold this V1 value.
  var isLost: Bool { isLoss && counts.contains { $0.differenceClass == .legacyOnly } }

  /// All conflicts are accepted by a baseline.
  var isAccepted: Bool { field.accepted > 0 && field.accepted == conflicts }

  /// `1,204 conflict (2 unreadable in V1), 3 timeDependent`.
  var countWords: String {
    counts.map { entry in
      let words = "\(entry.count.grouped) \(entry.differenceClass.rawValue)"
      return entry.differenceClass == .conflict && !unreadable.isEmpty ? "\(words) (\(unreadable))" : words
    }.listed
  }

  /// `12 accepted`; empty for none.
  var accepted: String { field.accepted > 0 ? "\(field.accepted.grouped) accepted" : "" }

  /// `2 unreadable in V1`; empty for none.
  private var unreadable: String { field.unreadable > 0 ? "\(field.unreadable.grouped) unreadable in V1" : "" }

  /// What else there is to say beside the numbers: `fails, 12 accepted`, `fails by 12 semantic`.
  var remark: String {
    let reasons = strict.isEmpty ? "" : " by \(strict.joined(separator: " and "))"
    return [fails ? "fails\(reasons)" : "", unreadable, accepted].listed
  }

  /// What a page shows beside the path.
  var change: String {
    if conflicts > 0 { return ["\(agreement) agree", "\(conflicts.grouped) in conflict", accepted].listed }
    return ([Words.count(pairs, "pair")] + strict).listed
  }

  /// True when it comes before the other: first what fails, then by the share of conflicts, then by class.
  func isWorse(than other: ParityField) -> Bool {
    if fails != other.fails { return fails }
    let shares = (share, other.share)
    if shares.0 != shares.1 { return shares.0 > shares.1 }
    return worst == other.worst ? number < other.number : worst < other.worst
  }

  private var share: Double { pairs == 0 ? 0 : Double(conflicts) / Double(pairs) }

  /// The row with its samples.
  func row(of result: ParityResult) -> ReportRow {
    ReportRow(
      path: path, id: id, differenceClass: worst, fails: fails, needsLook: isOpen, change: change, counts: counts,
      countWords: countWords, accepted: accepted.isEmpty ? nil : accepted, reason: reason,
      findings: field.samples.map { result.finding($0) })
  }
}

extension ParityResult {
  /// All paths, the worst first.
  var worstFields: [ParityField] {
    fields.enumerated().map { ParityField($0.element, number: $0.offset + 1, of: self) }.sorted { $0.isWorse(than: $1) }
  }

  fileprivate func finding(_ sample: Sample) -> ReportFinding {
    let pair = pairNumber(sample.pair)
    let hasLegacy = pair.map { samplePairs[$0 - 1].comparison.isFromVersion1 } ?? true
    var finding = ReportFinding(sample.difference, hasLegacy: hasLegacy)
    finding.records = Self.records(sample.legacyRecord, sample.serverRecord)
    finding.pair = pair
    return finding
  }

  /// The two records of a pair: `V1 record 12, V2 record 45`.
  static func records(_ legacy: Int, _ server: Int) -> String {
    "V1 record \(legacy.grouped), V2 record \(server.grouped)"
  }

  /// The number under which a pair is shown in full; `nil` when it is not.
  func pairNumber(_ place: Int?) -> Int? {
    place.flatMap { samplePairs.indices.contains($0) ? $0 + 1 : nil }
  }
}
