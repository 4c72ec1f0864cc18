/// What a comparison of two views fills; its memory is used again for the next pair.
struct PairFindings {
  var findings: [ViewComparer.Finding] = []
  /// V1 values that have a row of their own elsewhere, by their place in the shape.
  var taken: [Bool] = []
  /// The same before the pair was compared.
  var gone: [Bool] = []
  /// Paths that have a row already hold the stamp of the pair.
  private var stamps: [UInt32] = []
  private var stamp: UInt32 = 0

  mutating func begin() {
    findings.removeAll(keepingCapacity: true)
    taken.removeAll(keepingCapacity: true)
    stamp &+= 1
    if stamp == 0 {
      stamps = []
      stamp = 1
    }
  }

  /// True for the first row of a path in this pair.
  ///
  /// - Parameter count: how many paths are known.
  mutating func isFirst(_ path: Int, of count: Int) -> Bool {
    if path >= stamps.count {
      stamps.append(contentsOf: repeatElement(0, count: max(count, path + 1) - stamps.count))
    }
    guard stamps[path] != stamp else { return false }
    stamps[path] = stamp
    return true
  }
}
