internal import SlipcastBulk
internal import SlipcastLibC
internal import Synchronization

/// The open connections, so that slow senders can be cut off.
final class ConnectionTable: Sendable {
  enum Phase {
    case head, body
    /// The rest of a request that has its answer already, and is counted.
    case rest
    case answer
  }

  private struct Entry {
    var socket: Int32
    var phase: Phase
    /// Seconds on the clock of `Platform.seconds`.
    var since: Double
  }

  private let entries = Mutex<[UInt: Entry]>([:])

  func add(_ connection: UInt, socket: Int32) {
    let now = Platform.seconds()
    entries.withLock { $0[connection] = Entry(socket: socket, phase: .head, since: now) }
  }

  func remove(_ connection: UInt) { entries.withLock { _ = $0.removeValue(forKey: connection) } }

  func turn(_ connection: UInt, to phase: Phase) {
    let now = Platform.seconds()
    entries.withLock { entries in
      entries[connection]?.phase = phase
      entries[connection]?.since = now
    }
  }

  /// Requests that have begun and are not answered.
  var running: Int { entries.withLock { $0.values.count { $0.phase != .head } } }

  /// Ends the connections that have sent no complete head or body for too long.
  ///
  /// - Returns: how many sent no head, and how many a head without its body.
  func endSlow(head: Double, body: Double) -> (heads: Int, bodies: Int) {
    let now = Platform.seconds()
    return entries.withLock { entries in
      var ended = (heads: 0, bodies: 0)
      for (key, entry) in entries {
        let limit = entry.phase == .head ? head : body
        guard entry.phase != .answer, entry.socket >= 0, now - entry.since > limit else { continue }
        // libmicrohttpd then sees the end of the connection and closes it. It removes the entry before the socket.
        shutdown(entry.socket, Int32(SHUT_RDWR))
        entries[key]?.since = now
        ended.heads += entry.phase == .head ? 1 : 0
        ended.bodies += entry.phase == .body ? 1 : 0
      }
      return ended
    }
  }
}
