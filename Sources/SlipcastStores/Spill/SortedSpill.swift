/// Sorts more items than fit in memory.
///
/// Items are sorted in memory. Each time that they take much of it they become a run in a temporary file (`TMPDIR`),
/// compressed; runs are then read together. No index grows with the number of items, and memory does not either. The file
/// disappears with this object, even when the program is killed.
package final class SortedSpill {
  private var held = SpillItems()
  /// In the order in which their items came; many runs of one level are made one of the next level.
  private var runs: [(run: SpillRun, level: Int)] = []
  private var file: SpillFile?
  private var isSorted = false
  /// Items that went in.
  package private(set) var count = 0
  /// The bytes of memory that items take before they go to the file.
  private let memory: Int
  /// Each run that is read takes a block of memory, so this many of one level are made one.
  private let runsOfLevel: Int

  /// - Parameters:
  ///   - memory: the bytes of memory that items take before they go to a file.
  ///   - runsOfLevel: how many runs of about one length are made one.
  package init(memory: Int = 12 << 20, runsOfLevel: Int = 64) {
    (self.memory, self.runsOfLevel) = (memory, max(2, runsOfLevel))
  }

  /// Adds an item.
  ///
  /// - Parameter tail: how many of the first bytes of the body continue the order.
  /// - Throws: `FileError` when the disk is full.
  package func add(_ order: SpillOrder, tail: Int = 0, _ body: Span<UInt8>) throws {
    held.add(order, tail: tail, body)
    count += 1
    isSorted = false
    if held.size >= memory { try writeHeld() }
  }

  private func writeHeld() throws {
    let file = try self.file ?? SpillFile()
    self.file = file
    held.sort()
    runs.append((try file.write(forEachHeld), 0))
    held.clear()
    while let level = runs.last?.level, runs.count >= runsOfLevel, runs[runs.count - runsOfLevel].level == level {
      var merge = try SpillMerge(file, runs.suffix(runsOfLevel).map(\.run))
      runs.removeLast(runsOfLevel)
      runs.append((try file.write { try merge.forEach($0) }, level + 1))
    }
  }

  /// Passes all items to a closure in their order, until it returns false; bodies are valid only during the call.
  ///
  /// - Parameter start: passes on items of this order and after it; `nil`: all.
  /// - Throws: `FileError` when the disk is full, and the closure's errors.
  package func forEach(
    from start: SpillOrder? = nil, _ use: (SpillOrder, _ tail: Int, Span<UInt8>) throws -> Bool
  ) throws {
    func useFrom(_ order: SpillOrder, _ tail: Int, _ body: Span<UInt8>) throws -> Bool {
      if let start, order < start { return true }
      return try use(order, tail, body)
    }
    guard let file else {
      if !isSorted { held.sort() }
      isSorted = true
      return try forEachHeld(useFrom)
    }
    if !held.items.isEmpty { try writeHeld() }
    var merge = try SpillMerge(file, runs.map(\.run), from: start)
    try merge.forEach(useFrom)
  }

  private func forEachHeld(_ use: SpillUse) throws {
    let held = held
    for item in held.items {
      guard try use(item.order, item.tail, held.bytes.span.extracting(item.bytes)) else { return }
    }
  }
}
