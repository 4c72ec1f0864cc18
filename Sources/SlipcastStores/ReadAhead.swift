internal import Dispatch
internal import Synchronization

/// Lets one thread read what another one uses, a few pieces ahead.
///
/// Sorted reading takes about as long as using what comes, and neither can be divided: subscriptions come one after
/// another.
package enum ReadAhead {
  private static let (mostItems, mostBytes, mostPieces) = (256, 1 << 20, 4)

  /// Passes items to a closure in the order in which they are read.
  ///
  /// - Parameters:
  ///   - isAside: whether another thread reads; otherwise this one does both.
  ///   - size: how many bytes an item needs.
  ///   - read: passes on all items; it is called once.
  ///   - use: its error ends the reading.
  /// - Throws: the errors of both, that of `read` after what was read before it.
  package static func forEach<Item: Sendable>(
    isAside: Bool, size: @escaping (Item) -> Int, read: @escaping ((Item) throws -> Void) throws -> Void,
    use: (Item) throws -> Void
  ) throws {
    guard isAside else { return try read(use) }
    let pieces = Pieces<Item>()
    // One thread at a time has what the closures hold: this one waits for the other.
    nonisolated(unsafe) let (read, size) = (read, size)
    let thread = DispatchGroup()
    DispatchQueue(label: "slipcast.reading").async(group: thread) { pieces.fill(read, size) }
    defer { thread.wait() }
    do {
      while let piece = try pieces.next() { for item in piece { try use(item) } }
    } catch {
      pieces.stop()
      throw error
    }
  }

  private struct Stopped: Error {}

  /// The pieces that were read and not used.
  private final class Pieces<Item: Sendable>: Sendable {
    private struct State {
      var pieces: [[Item]] = []
      var isStopped = false
      var error: (any Error)?
    }

    private let state = Mutex(State())
    // Both begin at 0: a semaphore must not end lower than it began.
    private let room = DispatchSemaphore(value: 0)
    private let ready = DispatchSemaphore(value: 0)

    init() { for _ in 0..<mostPieces { room.signal() } }

    /// Reads everything; an empty piece is the end.
    func fill(_ read: @escaping ((Item) throws -> Void) throws -> Void, _ size: @escaping (Item) -> Int) {
      var (piece, bytes) = ([Item](), 0)
      do {
        try read { item in
          piece.append(item)
          bytes += size(item)
          guard piece.count >= mostItems || bytes >= mostBytes else { return }
          try add(piece)
          (piece, bytes) = ([], 0)
        }
        if !piece.isEmpty { try add(piece) }
      } catch {
        // What came before the fault is used.
        if !(error is Stopped), !piece.isEmpty { try? add(piece) }
        state.withLock { $0.error = error }
      }
      state.withLock { $0.pieces.append([]) }
      ready.signal()
    }

    private func add(_ piece: [Item]) throws {
      room.wait()
      try state.withLock { state throws(Stopped) in
        if state.isStopped { throw Stopped() }
        state.pieces.append(piece)
      }
      ready.signal()
    }

    /// The next piece; `nil` at the end.
    func next() throws -> [Item]? {
      ready.wait()
      let (piece, error) = state.withLock { state in (state.pieces.removeFirst(), state.error) }
      if piece.isEmpty {
        if let error { throw error }
        return nil
      }
      room.signal()
      return piece
    }

    func stop() {
      state.withLock { $0.isStopped = true }
      // The thread may wait for room.
      room.signal()
    }
  }
}
