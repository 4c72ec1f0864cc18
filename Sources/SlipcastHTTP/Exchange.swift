// Unsafe on purpose: libmicrohttpd's handle of a connection is valid until the exchange is completed.
internal import CSlipcastMicroHTTPD
internal import Synchronization

/// One request and its answer.
///
/// A handler may answer on another thread: the connection then waits without occupying a thread.
package final class Exchange: @unchecked Sendable {
  // Safe to send: the connection's own thread uses everything except `state`, which has a lock.
  let connection: OpaquePointer
  let head: RequestHead
  private(set) var body: [UInt8] = []
  private let budget: BodyBudget
  /// The part of the budget that this request has.
  private var share = 0
  /// The end of the text of the head in libmicrohttpd's memory, until the body begins.
  var headEnd: HTTPServer.HeadEnd?
  /// Nothing more is read from the connection after the answer.
  var isLast = false
  var isTaken = false
  /// The connection was suspended, and is called again when it has an answer.
  private(set) var isSuspended = false
  private let state = Mutex(State())

  private struct State {
    var answer: Answer?
    var isWaiting = false
  }

  init(_ connection: OpaquePointer, _ head: RequestHead, _ budget: BodyBudget) {
    (self.connection, self.head, self.budget) = (connection, head, budget)
  }

  deinit { budget.release(share) }

  /// Adds a part of the body; false when the memory for it is missing.
  func add(_ bytes: some Collection<UInt8>, most: Int) -> Bool {
    let needed = body.count + bytes.count
    if needed > share {
      let capacity = max(needed, min(share * 2, head.length ?? most, most), min(16 << 10, most))
      guard budget.take(capacity - share) else { return false }
      share = capacity
      body.reserveCapacity(capacity)
    }
    body.append(contentsOf: bytes)
    return true
  }

  /// The whole body, which the exchange then does not have any more; its share of the budget it keeps.
  func takeBody() -> [UInt8] {
    defer { body = [] }
    return body
  }

  /// Forgets the body.
  func dropBody() {
    body = []
    budget.release(share)
    share = 0
  }

  var answer: Answer? { state.withLock(\.answer) }

  /// Sets the answer; the first one counts.
  package func answer(_ answer: Answer) {
    let isWaiting = state.withLock { state in
      if state.answer == nil { state.answer = answer }
      defer { state.isWaiting = false }
      return state.isWaiting
    }
    if isWaiting { MHD_resume_connection(connection) }
  }

  /// Lets the connection wait for an answer from another thread; to be called by its own thread.
  package func suspend() {
    isSuspended = true
    state.withLock { $0.isWaiting = true }
    MHD_suspend_connection(connection)
  }
}
