internal import CSlipcastMicroHTTPD
import SlipcastSystem
internal import Synchronization

/// The open connections, so that slow senders can be cut off.
package final class ConnectionTable: Sendable {
  enum Phase {
    case head, body
    /// The rest of a request that has its answer already, and is counted.
    case rest
    /// The request waits for the disk; the client waits too.
    case storing
    /// The client reads the answer.
    case answer
  }

  /// Seconds that a client may take.
  struct Limits: Sendable { var head, body, answer: Double }

  /// How many connections were ended because the client took longer.
  package struct Ended: Hashable, Sendable { package var heads = 0, bodies = 0, answers = 0 }

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

  /// Ends the connections whose clients take too long to send a head or a body, or to read an answer.
  func endSlow(_ limits: Limits) -> Ended {
    let now = Platform.seconds()
    return entries.withLock { entries in
      var ended = Ended()
      for (key, entry) in entries {
        let limit =
          switch entry.phase {
          case .head: limits.head
          case .body, .rest: limits.body
          case .answer: limits.answer
          case .storing: Double.infinity
          }
        guard entry.socket >= 0, now - entry.since > limit else { continue }
        // libmicrohttpd removes the entry before the socket.
        slipcast_mhd_end(entry.socket)
        entries[key]?.since = now
        ended.heads += entry.phase == .head ? 1 : 0
        ended.bodies += entry.phase == .body ? 1 : 0
        ended.answers += entry.phase == .answer ? 1 : 0
      }
      return ended
    }
  }
}
