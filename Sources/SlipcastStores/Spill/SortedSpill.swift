/// Sorts more items than fit in memory.
///
/// Items are sorted in memory. Each time that they take much of it they become a run in a temporary file (`TMPDIR`),
/// compressed; runs are then read together. No index grows with the number of items, and memory does not either. The file
/// disappears with this object, even when the program is killed.
package final class SortedSpill {
  private var held = SpillItems()
  private let runs: SpillRuns
  private var isWritten = false
  private var isSorted = false
  /// Items that went in.
  package private(set) var count = 0
  /// The bytes of memory that items take before they go to the file.
  private let memory: Int

  /// - Parameters:
  ///   - isAside: another thread sorts and writes the items that fill the memory, while the next ones come; they get two
  ///     thirds of it each.
  ///   - memory: the bytes of memory that items take before they go to a file.
  ///   - runsOfLevel: how many runs of about one length are made one.
  package init(isAside: Bool = false, memory: Int = 12 << 20, runsOfLevel: Int = 64) {
    self.memory = isAside ? memory / 3 * 2 : memory
    runs = SpillRuns(isAside: isAside, runsOfLevel: runsOfLevel)
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
    isWritten = true
    try runs.add(&held)
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
    guard isWritten else {
      if !isSorted { held.sort() }
      isSorted = true
      let held = held
      return try held.forEach(useFrom)
    }
    if !held.items.isEmpty { try writeHeld() }
    var merge = try runs.merged(from: start)
    try merge?.forEach(useFrom)
  }
}
