internal import SlipcastMapping

/// Counts what pairs say path by path, and keeps which of them to show.
struct FieldTally {
  /// What one path has gathered.
  struct Path {
    /// Pairs by class, in the order of `DifferenceClass.allCases`.
    var counts = [Int](repeating: 0, count: DifferenceClass.allCases.count)
    /// Pairs whose difference a baseline accepts.
    var accepted = 0
    /// For every class that is shown, the pairs to show.
    var samples: [SmallestRecords] = []
  }

  /// Classes that have samples; the others say that the two agree.
  static let shown = DifferenceClass.allCases.count { $0 < .representation }

  private(set) var paths: [Int: Path] = [:]
  /// V2's fields stand in an array: there are some for every pair.
  private var slots = [Path?](repeating: nil, count: EventPart.fieldCount)

  mutating func add(_ finding: EventComparer.Finding, _ pair: SmallestRecords.Pair, isAccepted: Bool) {
    if finding.path < slots.count {
      Self.add(finding, pair, isAccepted, &slots[finding.path])
    } else {
      Self.add(finding, pair, isAccepted, &paths[finding.path])
    }
  }

  private static func add(
    _ finding: EventComparer.Finding, _ pair: SmallestRecords.Pair, _ isAccepted: Bool, _ path: inout Path?
  ) {
    if path == nil { path = Path() }
    let place = finding.differenceClass.place
    path?.counts[place] += 1
    if isAccepted { path?.accepted += 1 }
    guard place < shown else { return }
    if path?.samples.isEmpty == true { path?.samples = Array(repeating: SmallestRecords(), count: shown) }
    path?.samples[place].add(pair)
  }

  /// All paths that pairs had, by number.
  var all: [(number: Int, path: Path)] {
    let fields = slots.enumerated().compactMap { number, path in path.map { (number, $0) } }
    return fields + paths.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
