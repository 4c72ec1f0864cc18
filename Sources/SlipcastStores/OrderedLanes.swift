internal import Dispatch
internal import Synchronization

/// Lets several threads work on pieces that follow each other, and takes the results in the order of the pieces.
///
/// Each thread has one worker. A few pieces and results are held, so memory does not grow with their number.
package final class OrderedLanes<Worker, Piece: Sendable, Outcome: Sendable> {
  private final class Lane: Sendable {
    // One piece after another: its queue is serial.
    nonisolated(unsafe) let worker: Worker
    let queue = DispatchQueue(label: "slipcast.lane")

    init(_ worker: Worker) { self.worker = worker }
  }

  /// The result of one piece, when it is there.
  private final class Slot: Sendable {
    private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    func set(_ result: Result<Outcome, any Error>) {
      outcome.withLock { $0 = result }
      isReady.signal()
    }

    func take() throws -> Outcome? {
      isReady.wait()
      return try outcome.withLock { $0 }?.get()
    }
  }

  private let lanes: [Lane]
  private let work: (Worker, Piece) throws -> Outcome
  private let take: (Outcome) throws -> Void
  private let group = DispatchGroup()
  private var slots: [Slot] = []
  private var lane = -1

  /// - Parameters:
  ///   - workers: one for each thread; with a single one, the caller's thread does everything.
  ///   - work: runs on several threads.
  ///   - take: runs on the caller's thread.
  package init(
    _ workers: [Worker], work: @escaping (Worker, Piece) throws -> Outcome, take: @escaping (Outcome) throws -> Void
  ) {
    (lanes, self.work, self.take) = (workers.map(Lane.init), work, take)
  }

  /// Nobody works any more when it is gone, whatever ended it.
  deinit { group.wait() }

  /// Hands out the next piece.
  ///
  /// - Parameter isNext: it continues where the piece before it ends, so the same worker gets it.
  /// - Throws: the errors of earlier pieces, and of taking their results.
  package func add(_ piece: Piece, after isNext: Bool) throws {
    if !isNext { lane = (lane + 1) % lanes.count }
    guard lanes.count > 1 else { return try take(work(lanes[0].worker, piece)) }
    let (own, slot) = (lanes[lane], Slot())
    nonisolated(unsafe) let work = work
    own.queue.async(group: group) { slot.set(Result { try work(own.worker, piece) }) }
    slots.append(slot)
    if slots.count > 2 * lanes.count { try takeFirst() }
  }

  /// Waits for the results that are left.
  package func finish() throws { while !slots.isEmpty { try takeFirst() } }

  private func takeFirst() throws {
    if let outcome = try slots.removeFirst().take() { try take(outcome) }
  }
}
