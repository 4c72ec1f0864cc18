internal import SlipcastMapping

/// Which pairs to read once more, to show what they say.
package struct SamplePlan {
  struct Line {
    var pair: PairNumbers
    var differenceClass: DifferenceClass
  }

  static let mostPairs = 60
  /// Pairs with differences that fail are shown besides, so that each can be looked at.
  static let mostFailing = 1000

  /// At most 20 lines for each path, by its number.
  private(set) var lines: [Int: [Line]] = [:]
  /// The pairs, in ascending order of their legacy records.
  package private(set) var pairs: [PairNumbers] = []
  /// Pairs that are shown in full, the most serious first.
  private(set) var full: [PairNumbers] = []

  init(_ tally: ParityTally) {
    full = Array(tally.entitlement.records.pairs.prefix(Self.mostPairs))
    var seen = Set(full)
    let failing = tally.failingPairs
    full += failing.first.prefix(Self.mostFailing).filter { seen.insert($0).inserted }
    var wanted: Set<PairNumbers> = []
    let paths = tally.fields.all
    for (number, path) in paths {
      var lines: [Line] = []
      for (place, records) in path.samples.enumerated() {
        let differenceClass = DifferenceClass.allCases[place]
        for pair in records.pairs.prefix(SmallestRecords.limit - lines.count) {
          lines.append(Line(pair: pair, differenceClass: differenceClass))
        }
      }
      self.lines[number] = lines
      wanted.formUnion(lines.map(\.pair))
    }
    chooseFull(paths.map(\.number))
    seen = Set(full)
    full += failing.others.filter { seen.insert($0).inserted }.prefix(max(0, Self.mostFailing - full.count))
    wanted.formUnion(full)
    pairs = wanted.sorted()
  }

  /// First the conflicts of all paths in turn, so that no path takes all the room; then one pair for each other class.
  private mutating func chooseFull(_ numbers: [Int]) {
    var chosen = Set(full)
    func add(_ pair: PairNumbers, _ full: inout [PairNumbers]) {
      if full.count < Self.mostPairs, chosen.insert(pair).inserted { full.append(pair) }
    }
    for place in 0..<SmallestRecords.limit {
      for number in numbers {
        let conflicts = lines[number]?.filter { $0.differenceClass == .conflict } ?? []
        if place < conflicts.count { add(conflicts[place].pair, &full) }
      }
    }
    for differenceClass in DifferenceClass.allCases where differenceClass != .conflict {
      for number in numbers {
        if let line = lines[number]?.first(where: { $0.differenceClass == differenceClass }) { add(line.pair, &full) }
      }
    }
  }
}
