import SlipcastSystem

/// Hands out the items of several sorted runs as one, in the order of all; of equal ones, those of the earlier run first.
struct SpillMerge {
  private var cursors: [SpillCursor] = []
  /// The runs by the items that they are at, as a binary heap.
  private var heap: [Int] = []

  /// - Parameter start: leaves out blocks without an item of this order or after it.
  /// - Throws: `FileError`.
  init(_ file: SpillFile, _ runs: [SpillRun], from start: SpillOrder? = nil) throws(FileError) {
    for run in runs {
      guard let cursor = try SpillCursor(file, run, from: start.map { run.block(for: $0) } ?? 0) else { continue }
      cursors.append(cursor)
    }
    heap = Array(cursors.indices)
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(from: place) }
  }

  /// Passes on all items, until the closure returns false.
  ///
  /// - Throws: `FileError`, and the closure's errors.
  mutating func forEach(_ use: SpillUse) throws {
    while let first = heap.first {
      let cursor = cursors[first]
      guard try cursor.withBody({ try use(cursor.order, cursor.tail, $0) }) else { return }
      if try !cursors[first].advance() {
        let last = heap.removeLast()
        if heap.isEmpty { return }
        heap[0] = last
      }
      sink(from: 0)
    }
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    left < right ? cursors[left].isBefore(cursors[right]) : !cursors[right].isBefore(cursors[left])
  }

  private mutating func sink(from start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count && isBefore(heap[child], heap[least]) {
        least = child
      }
      guard least != place else { return }
      heap.swapAt(least, place)
      place = least
    }
  }
}
