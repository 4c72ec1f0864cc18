internal import SlipcastMapping

/// Takes the rows that samples show out of the comparisons of their pairs.
package struct SampleBook {
  private let plan: SamplePlan
  private let tally: ParityTally
  private var rows: [Int: [PairNumbers: FieldDifference]] = [:]
  private var wanted: [PairNumbers: [Int]] = [:]
  private var full: [PairNumbers: Comparison] = [:]
  private(set) var subjects: [PairNumbers: PairSubject] = [:]

  package init(_ plan: SamplePlan, _ tally: ParityTally) {
    (self.plan, self.tally) = (plan, tally)
    for (number, lines) in plan.lines { for line in lines { wanted[line.pair, default: []].append(number) } }
  }

  package mutating func add(
    _ comparison: Comparison, of pair: PairNumbers, ids: (legacy: String?, server: String?) = (nil, nil)
  ) {
    subjects[pair] = PairSubject(comparison, ids: ids)
    let byPath = Dictionary(grouping: comparison.fields) { $0.path.withoutPlaces }
    for number in wanted[pair] ?? [] {
      // Of several rows of one path the most serious one is what the pair counts as.
      let found = byPath[tally.comparer.paths.path(number).path]?.min { $0.differenceClass < $1.differenceClass }
      if let found { rows[number, default: [:]][pair] = found }
    }
    if plan.full.contains(pair) { full[pair] = comparison }
  }

  var samplePairs: [ParityResult.SamplePair] { shown.map(\.1) }

  private var shown: [(PairNumbers, ParityResult.SamplePair)] {
    plan.full.compactMap { pair in
      full[pair].map {
        (
          pair,
          ParityResult.SamplePair(
            legacyRecord: pair.legacy, serverRecord: pair.server, comparison: $0, subject: subjects[pair])
        )
      }
    }
  }

  var places: [PairNumbers: Int] {
    Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($0.element.0, $0.offset) })
  }

  func samples(_ number: Int, _ places: [PairNumbers: Int]) -> [ParityResult.Sample] {
    (plan.lines[number] ?? []).map { line in
      // A source that has changed in the meantime holds other records there.
      let found = rows[number]?[line.pair].flatMap { $0.differenceClass == line.differenceClass ? $0 : nil }
      let row = found ?? missing(number, line)
      return ParityResult.Sample(
        legacyRecord: line.pair.legacy, serverRecord: line.pair.server, difference: row, pair: places[line.pair],
        subject: subjects[line.pair])
    }
  }

  /// A record that could not be read a second time still has its class.
  private func missing(_ number: Int, _ line: SamplePlan.Line) -> FieldDifference {
    let (path, isV1) = tally.comparer.paths.path(number)
    return FieldDifference(
      v1Path: isV1 ? path : nil, v2Path: isV1 ? nil : path, differenceClass: line.differenceClass,
      explanation: "The record could not be read a second time, so its values are not shown.", sources: [])
  }
}
