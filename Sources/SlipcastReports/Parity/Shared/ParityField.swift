import SlipcastComparison
import SlipcastMapping
internal import SlipcastWire

/// A path over all pairs as the forms for people show it: texts that are safe to print, chosen once for all forms.
struct ParityField {
  /// Its place in the result, from 1: what links name it by.
  let number: Int
  let path: String
  /// True when V2 has no place for it.
  let isLoss: Bool
  /// True when the field counts against the verdict.
  let fails: Bool
  /// What lets it fail besides conflicts: `12 semantic`.
  let strictWords: [String]
  /// Classes that occur, the most serious first.
  let counts: [(differenceClass: DifferenceClass, count: Int)]
  let pairs: Int
  let conflicts: Int
  /// Conflicts because V1's value cannot be read.
  let unreadable: Int
  /// Conflicts that a baseline accepts.
  let accepted: Int
  /// Why V1's value has no V2 place.
  let reason: String?
  let samples: [ParitySample]

  init(_ field: ParityResult.Field, number: Int, of result: ParityResult) {
    self.number = number
    path = SafeText.words(field.path)
    isLoss = field.v2Path == nil
    fails = result.fails(field)
    counts = DifferenceClass.allCases.map { ($0, field.count($0)) }.filter { $0.1 > 0 }
    let strict = result.failingClasses
    strictWords = counts.filter { strict.contains($0.differenceClass) }.map {
      "\($0.count.grouped) \($0.differenceClass)"
    }
    pairs = field.pairs
    conflicts = field.count(.conflict)
    (accepted, unreadable) = (field.accepted, field.unreadable)
    reason = field.reason.map(SafeText.words)
    samples = field.samples.map { ParitySample($0, of: result) }
  }

  /// The most serious class that occurs.
  var worst: DifferenceClass { counts.first?.differenceClass ?? .identical }

  /// The share of pairs without a conflict: `99.87%`.
  var agreement: String { Share.percent(pairs - conflicts, of: pairs) }

  /// `1,204 conflict (2 unreadable in V1), 3 timeDependent`.
  var countWords: String {
    counts.map { entry in
      let words = "\(entry.count.grouped) \(entry.differenceClass.rawValue)"
      return entry.differenceClass == .conflict ? words + (unreadableWords.map { " (\($0))" } ?? "") : words
    }.joined(separator: ", ")
  }

  /// `2 unreadable in V1`; `nil` for none.
  var unreadableWords: String? { unreadable > 0 ? "\(unreadable.grouped) unreadable in V1" : nil }

  /// V2 cannot hold this V1 value.
  var isLost: Bool { isLoss && counts.contains { $0.differenceClass == .legacyOnly } }

  /// `12 accepted`; `nil` for none.
  var acceptedWords: String? { accepted > 0 ? "\(accepted.grouped) accepted" : nil }

  /// What else there is to say beside the numbers: `fails, 12 accepted`, `fails by 12 semantic`.
  var remark: String {
    let reasons = strictWords.isEmpty ? "" : " by \(strictWords.joined(separator: " and "))"
    return ([fails ? "fails\(reasons)" : nil] + [unreadableWords, acceptedWords]).compactMap(\.self).joined(
      separator: ", ")
  }

  /// True when it stands before the other: what fails, then what conflicts in more of its pairs, then what is more serious.
  func isWorse(than other: ParityField) -> Bool {
    if fails != other.fails { return fails }
    let shares = (share, other.share)
    if shares.0 != shares.1 { return shares.0 > shares.1 }
    return worst == other.worst ? number < other.number : worst < other.worst
  }

  private var share: Double { pairs == 0 ? 0 : Double(conflicts) / Double(pairs) }
}

/// One pair's values at one path.
struct ParitySample {
  let records: String
  /// The number of the pair among those shown in full, from 1.
  let pair: Int?
  let row: ReportRow

  init(_ sample: ParityResult.Sample, of result: ParityResult) {
    records = ParityResult.records(sample.legacyRecord, sample.serverRecord)
    pair = result.pairNumber(sample.pair)
    let comparison = sample.pair.flatMap { result.samplePairs.indices.contains($0) ? result.samplePairs[$0] : nil }?
      .comparison
    let difference = sample.difference
    let counts = result.failingClasses.union([.conflict]).contains(difference.differenceClass)
    let fails = difference.ignored == nil && counts
    row = ReportRow(difference, fails: fails, hasLegacy: comparison?.isFromVersion1 ?? true)
  }
}

extension ParityResult {
  /// All paths, the worst first.
  var shownFields: [ParityField] {
    fields.enumerated().map { ParityField($0.element, number: $0.offset + 1, of: self) }.sorted { $0.isWorse(than: $1) }
  }

  /// What V1 states twice or elsewhere, in one sentence; `nil` for nothing.
  static func restWords(_ fields: [ParityField]) -> String? {
    let (repeated, elsewhere) = (fields.count { $0.worst == .repeated }, fields.count { $0.worst == .elsewhere })
    let words = [
      repeated > 0 ? "\(Words.count(repeated, "V1 path")) with second spellings of other values" : nil,
      elsewhere > 0 ? "\(Words.count(elsewhere, "V1 path")) with objects that other messages report" : nil,
    ].compactMap(\.self)
    return words.isEmpty ? nil : "Not lost: \(words.joined(separator: ", "))."
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
