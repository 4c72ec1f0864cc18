internal import SlipcastBulk
internal import SlipcastMapping
import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire
internal import Synchronization

/// Lines about what the server does; never a value of a notification, its id apart.
package final class ServerLog: Sendable {
  private struct Limit { var second = 0.0, lines = 0, left = 0 }

  private let isJSON: Bool
  private let write: @Sendable (String) -> Void
  private let limit = Mutex(Limit())
  /// Refused requests can be many: more lines than this in one second are only counted.
  private static let linesPerSecond = 20

  package init(isJSON: Bool, write: @escaping @Sendable (String) -> Void) {
    (self.isJSON, self.write) = (isJSON, write)
  }

  /// Writes a line.
  ///
  /// - Parameters:
  ///   - event: one word, such as `started`, `refused`, `failed`.
  ///   - members: names and values; numbers stay numbers in JSON.
  package func note(_ event: String, _ members: [(name: String, value: any Sendable)], isLimited: Bool = false) {
    var left = 0
    if isLimited {
      let now = Platform.seconds().rounded(.down)
      let isOver = limit.withLock { limit in
        if limit.second != now { (left, limit) = (limit.left, Limit(second: now)) }
        limit.lines += 1
        if limit.lines > Self.linesPerSecond { limit.left += 1 }
        return limit.lines > Self.linesPerSecond
      }
      if isOver { return }
    }
    if left > 0 { put("leftOut", [("lines", left)]) }
    put(event, members)
  }

  private func put(_ event: String, _ members: [(name: String, value: any Sendable)]) {
    let time = Timestamp(milliseconds: Platform.milliseconds()).description
    guard isJSON else {
      return write(([time, event] + members.map { "\($0.name)=\($0.value)" }).joined(separator: " ") + "\n")
    }
    let line = JSONWriter.line(capacity: 256) { writer in
      writer.member("time", time)
      writer.member("event", event)
      for (name, value) in members {
        if let number = value as? Int { writer.member(name, number) } else { writer.member(name, "\(value)") }
      }
    }
    write(line.string)
  }
}
