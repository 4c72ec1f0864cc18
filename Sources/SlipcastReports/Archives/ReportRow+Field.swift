import SlipcastComparison
import SlipcastMapping
import SlipcastWire

extension ReportRow {
  init(_ field: ParityResult.Field, number: Int, of result: ParityResult) {
    let counts = DifferenceClass.allCases.map { ReportCount(differenceClass: $0, count: field.count($0)) }
      .filter { $0.count > 0 }
    let (fails, failing) = (result.fails(field), result.failingClasses)
    self.init(
      path: field.path.safe, number: number, differenceClass: counts.first?.differenceClass ?? .identical, fails: fails,
      needsLook: fails || field.count(.conflict) > 0, counts: counts, unreadable: field.unreadable,
      accepted: field.accepted,
      strict: counts.filter { failing.contains($0.differenceClass) }.map {
        "\($0.count.grouped) \($0.differenceClass.rawValue)"
      }, isLoss: field.v2Path == nil, reason: field.reason.map(\.safe), findings: field.samples.map(result.finding))
  }

  var pairs: Int { counts.reduce(0) { $0 + $1.count } }

  var conflicts: Int { counts.first { $0.differenceClass == .conflict }?.count ?? 0 }

  /// V2 cannot hold this V1 value.
  var isLost: Bool { isLoss && counts.contains { $0.differenceClass == .legacyOnly } }

  /// The share of pairs without a conflict: `99.87%`.
  var agreement: String { Words.percent(pairs - conflicts, of: pairs) }

  /// `12 accepted`; empty for none.
  var acceptedWords: String { accepted > 0 ? "\(accepted.grouped) accepted" : "" }

  /// `2 unreadable in V1`; empty for none.
  private var unreadableWords: String { unreadable > 0 ? "\(unreadable.grouped) unreadable in V1" : "" }

  /// `1,204 conflict (2 unreadable in V1), 3 timeDependent`.
  var countWords: String {
    counts.map { entry in
      let words = "\(entry.count.grouped) \(entry.differenceClass.rawValue)"
      return entry.differenceClass == .conflict && unreadable > 0 ? "\(words) (\(unreadableWords))" : words
    }.listed
  }

  /// The notes on the numbers: `fails, 12 accepted`, `fails by 12 semantic`.
  var remark: String {
    let reasons = strict.isEmpty ? "" : " by \(strict.joined(separator: " and "))"
    return [fails ? "fails\(reasons)" : "", unreadableWords, acceptedWords].listed
  }

  var change: String {
    if conflicts > 0 { return ["\(agreement) agree", "\(conflicts.grouped) in conflict", acceptedWords].listed }
    return ([Words.count(pairs, "pair")] + strict).listed
  }

  /// True when it comes before the other: first what fails, then by the share of conflicts, then by class.
  fileprivate func isWorse(than other: ReportRow) -> Bool {
    func share(_ row: ReportRow) -> Double { row.pairs == 0 ? 0 : Double(row.conflicts) / Double(row.pairs) }
    let shares = (share(self), share(other))
    if fails != other.fails { return fails }
    if shares.0 != shares.1 { return shares.0 > shares.1 }
    let places = (number ?? 0, other.number ?? 0)
    return differenceClass == other.differenceClass ? places.0 < places.1 : differenceClass < other.differenceClass
  }
}

extension ParityResult {
  var worstFields: [ReportRow] {
    fields.enumerated().map { ReportRow($0.element, number: $0.offset + 1, of: self) }.sorted { $0.isWorse(than: $1) }
  }

  fileprivate func finding(_ sample: Sample) -> ReportFinding {
    let pair = pairNumber(sample.pair)
    let hasLegacy = pair.map { samplePairs[$0 - 1].comparison.isFromVersion1 } ?? true
    var finding = ReportFinding(sample.difference, hasLegacy: hasLegacy)
    finding.records = Self.records(sample.legacyRecord, sample.serverRecord, sample.subject)
    finding.pair = pair
    return finding
  }

  /// The two records of a pair: `V1 record 12, V2 record 45`.
  ///
  /// With the ids of their rows and what they are about, where that is known: `V1 record 12 (row 4711), V2 record 45;
  /// DID_RENEW of 2000000400000001`.
  static func records(_ legacy: Int, _ server: Int, _ subject: PairSubject? = nil) -> String {
    func row(_ id: String?) -> String { id.map { " (row \($0.safe))" } ?? "" }
    let places =
      "V1 record \(legacy.grouped)\(row(subject?.legacyId)), V2 record \(server.grouped)\(row(subject?.serverId))"
    guard let id = subject?.originalTransactionId else { return places }
    return "\(places); \((subject?.type.map { "\($0) of " } ?? "") + id)".safe
  }

  /// The number under which a pair is shown in full; `nil` when it is not.
  func pairNumber(_ place: Int?) -> Int? {
    place.flatMap { samplePairs.indices.contains($0) ? $0 + 1 : nil }
  }
}
