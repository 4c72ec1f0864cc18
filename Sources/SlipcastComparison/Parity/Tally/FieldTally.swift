internal import SlipcastMapping

/// Counts what pairs say path by path, and keeps which of them to show.
struct FieldTally {
  struct Path {
    /// Pairs by class, in the order of `DifferenceClass.allCases`; empty where no pair has the path.
    var counts: [Int] = []
    var accepted = 0
    var unreadable = 0
    /// Pairs whose difference is within a tolerance.
    var tolerated = 0
    /// For every class that is shown, the pairs to show.
    var samples: [SmallestRecords] = []
  }

  /// Classes that have samples; the others say that the two agree.
  static let shown = DifferenceClass.allCases.count { $0 < .representation }

  /// By number: every pair has some dozens.
  private var paths = [Path](repeating: Path(), count: EventPart.fieldCount)

  mutating func add(_ finding: ViewComparer.Finding, _ pair: PairNumbers, isAccepted: Bool) {
    let (number, place) = (finding.path, finding.differenceClass.place)
    if number >= paths.count { paths += Array(repeating: Path(), count: number + 1 - paths.count) }
    if paths[number].counts.isEmpty {
      paths[number].counts = Array(repeating: 0, count: DifferenceClass.allCases.count)
      paths[number].samples = Array(repeating: SmallestRecords(), count: Self.shown)
    }
    paths[number].counts[place] += 1
    if isAccepted { paths[number].accepted += 1 }
    if finding.outcome.kind == .read(.tolerance) { paths[number].tolerated += 1 }
    if finding.isUnreadable { paths[number].unreadable += 1 }
    if place < Self.shown { paths[number].samples[place].add(pair) }
  }

  var all: [(number: Int, path: Path)] { paths.enumerated().filter { !$1.counts.isEmpty }.map { ($0, $1) } }
}
