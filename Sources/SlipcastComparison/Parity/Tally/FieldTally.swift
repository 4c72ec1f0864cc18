internal import SlipcastMapping

/// Counts what pairs say path by path, and keeps which of them to show.
struct FieldTally {
  /// What one path has gathered.
  struct Path {
    /// Pairs by class, in the order of `DifferenceClass.allCases`.
    var counts = [Int](repeating: 0, count: DifferenceClass.allCases.count)
    /// Pairs whose difference a baseline accepts.
    var accepted = 0
    /// Pairs whose V1 value cannot be read.
    var unreadable = 0
    /// For every class that is shown, the pairs to show.
    var samples: [SmallestRecords] = []
  }

  /// Classes that have samples; the others say that the two agree.
  static let shown = DifferenceClass.allCases.count { $0 < .representation }

  private var paths: [Int: Path] = [:]
  /// V2's fields are in separate arrays: every pair has some dozens.
  private var counts = [Int](repeating: 0, count: EventPart.fieldCount * classes)
  private var accepted = [Int](repeating: 0, count: EventPart.fieldCount)
  private var unreadable = [Int](repeating: 0, count: EventPart.fieldCount)
  private var samples = [SmallestRecords](repeating: SmallestRecords(), count: EventPart.fieldCount * shown)

  private static let classes = DifferenceClass.allCases.count

  mutating func add(_ finding: ViewComparer.Finding, _ pair: PairNumbers, isAccepted: Bool) {
    let (path, place) = (finding.path, finding.differenceClass.place)
    guard path < EventPart.fieldCount else { return addOther(finding, pair, isAccepted) }
    counts[path * Self.classes + place] += 1
    if isAccepted { accepted[path] += 1 }
    if finding.isUnreadable { unreadable[path] += 1 }
    if place < Self.shown { samples[path * Self.shown + place].add(pair) }
  }

  private mutating func addOther(
    _ finding: ViewComparer.Finding, _ pair: PairNumbers, _ isAccepted: Bool
  ) {
    let place = finding.differenceClass.place
    var path = paths.removeValue(forKey: finding.path) ?? Path()
    path.counts[place] += 1
    if isAccepted { path.accepted += 1 }
    if finding.isUnreadable { path.unreadable += 1 }
    if place < Self.shown {
      if path.samples.isEmpty { path.samples = Array(repeating: SmallestRecords(), count: Self.shown) }
      path.samples[place].add(pair)
    }
    paths[finding.path] = path
  }

  /// All paths that pairs had, by number.
  var all: [(number: Int, path: Path)] {
    var all: [(number: Int, path: Path)] = []
    for path in 0..<EventPart.fieldCount {
      let own = Array(counts[path * Self.classes..<(path + 1) * Self.classes])
      guard own.contains(where: { $0 > 0 }) else { continue }
      let samples = Array(samples[path * Self.shown..<(path + 1) * Self.shown])
      all.append((path, Path(counts: own, accepted: accepted[path], unreadable: unreadable[path], samples: samples)))
    }
    return all + paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
