// Unsafe on purpose: libmicrohttpd's handle of a connection is valid until the exchange is completed.
internal import CSlipcastMicroHTTPD
internal import Synchronization

/// One request and its answer.
///
/// A handler may answer on another thread: the connection then waits without occupying a thread.
final class Exchange: @unchecked Sendable {
  // Safe to send: the connection's own thread uses everything except `state`, which has a lock.
  let connection: OpaquePointer
  let head: RequestHead
  var body: [UInt8] = []
  var isTaken = false
  /// The connection was suspended, and is called again when it has an answer.
  private(set) var isSuspended = false
  private let state = Mutex(State())

  private struct State {
    var answer: Answer?
    var isWaiting = false
  }

  init(_ connection: OpaquePointer, _ head: RequestHead) { (self.connection, self.head) = (connection, head) }

  var answer: Answer? { state.withLock(\.answer) }

  /// Sets the answer; the first one counts.
  func answer(_ answer: Answer) {
    let isWaiting = state.withLock { state in
      if state.answer == nil { state.answer = answer }
      defer { state.isWaiting = false }
      return state.isWaiting
    }
    if isWaiting { MHD_resume_connection(connection) }
  }

  /// Lets the connection wait for an answer from another thread; to be called by its own thread.
  func suspend() {
    isSuspended = true
    state.withLock { $0.isWaiting = true }
    MHD_suspend_connection(connection)
  }
}
