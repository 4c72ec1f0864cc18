internal import Dispatch
internal import Synchronization

/// The runs of a spill, which one thread writes while another one collects the next items.
final class SpillRuns: Sendable {
  private struct State {
    /// In the order in which their items came; many runs of one level are made one of the next level.
    var runs: [(run: SpillRun, level: Int)] = []
    var file: SpillFile?
    /// Items that are to be written; their memory once they were.
    var items = SpillItems()
    /// What went wrong aside, for the next who comes.
    var error: (any Error)?
  }

  private let state = Mutex(State())
  private let writing = DispatchGroup()
  private let queue: DispatchQueue?
  /// Each run that is read takes a block of memory, so this many of one level are made one.
  private let runsOfLevel: Int

  init(isAside: Bool, runsOfLevel: Int) {
    queue = isAside ? DispatchQueue(label: "slipcast.sorting") : nil
    self.runsOfLevel = max(2, runsOfLevel)
  }

  /// Takes items, which become a run, and leaves memory for the next ones.
  ///
  /// - Throws: `FileError` when the disk is full, also for items that were added before.
  func add(_ items: inout SpillItems) throws {
    try wait()
    state.withLock { swap(&items, &$0.items) }
    guard let queue else {
      write()
      state.withLock { swap(&items, &$0.items) }
      return try wait()
    }
    queue.async(group: writing) { self.write() }
  }

  /// All items that were added, from an order on; `nil` for none.
  ///
  /// - Throws: `FileError`.
  func merged(from start: SpillOrder?) throws -> SpillMerge? {
    try wait()
    let (file, runs) = state.withLock { ($0.file, $0.runs.map(\.run)) }
    return try file.map { try SpillMerge($0, runs, from: start) }
  }

  /// Waits for what is being written.
  private func wait() throws {
    writing.wait()
    if let error = state.withLock({ $0.error }) { throw error }
  }

  private func write() {
    state.withLock { state in
      do {
        let file = try state.file ?? SpillFile()
        state.file = file
        state.items.sort()
        state.runs.append((try file.write(state.items.forEach), 0))
        state.items.clear()
        while let level = state.runs.last?.level, state.runs.count >= runsOfLevel,
          state.runs[state.runs.count - runsOfLevel].level == level
        {
          var merge = try SpillMerge(file, state.runs.suffix(runsOfLevel).map(\.run))
          state.runs.removeLast(runsOfLevel)
          state.runs.append((try file.write { try merge.forEach($0) }, level + 1))
        }
      } catch { state.error = error }
    }
  }
}
