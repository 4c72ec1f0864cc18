internal import Synchronization

/// Lets requests start evenly, and never more of them in a second than allowed.
package final class RateLimiter: Sendable {
  private struct State {
    /// When the next request is planned.
    var next: ContinuousClock.Instant
    /// When the latest requests started, as many as a second allows; a ring.
    var starts: [ContinuousClock.Instant] = []
    var place = 0
  }

  /// Requests per second.
  package let rate: Double
  private let state: Mutex<State>
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The network delays requests by different times; a little room keeps the server's count below the limit too.
  private static let share = 0.97

  /// - Parameters:
  ///   - rate: requests per second.
  ///   - now: the time, for tests.
  package init(rate: Double, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
    (self.rate, self.now) = (rate, now)
    state = Mutex(State(next: now()))
  }

  /// Lets nothing start before a time from now.
  package func pause(seconds: Double) {
    let end = now() + .seconds(seconds)
    state.withLock { $0.next = max($0.next, end) }
  }

  /// Waits for the turn of a request.
  ///
  /// - Returns: when the turn began; a task may continue later than that.
  @discardableResult
  package func wait() async -> ContinuousClock.Instant {
    var end = state.withLock { plan(&$0) }
    while true {
      if end > now() { try? await Task.sleep(until: end, tolerance: .zero, clock: .continuous) }
      let (begin, free) = state.withLock { state in
        let now = now()
        return (now, start(&state, now))
      }
      guard !Task.isCancelled, let free else { return begin }
      end = free
    }
  }

  /// Takes the turn of a request, if it has come.
  ///
  /// - Returns: `nil`, or the seconds after which to ask again.
  package func takeTurn() -> Double? {
    state.withLock { state in
      let now = now()
      if state.next > now { return (state.next - now) / .seconds(1) }
      if let end = start(&state, now) { return (end - now) / .seconds(1) }
      _ = plan(&state)
      return nil
    }
  }

  /// Returns when the next request is planned, and plans the one after it.
  private func plan(_ state: inout State) -> ContinuousClock.Instant {
    // A late request does not make room for a burst.
    let slot = max(state.next, now() - .milliseconds(5))
    state.next = slot + .seconds(1 / (rate * Self.share))
    return slot
  }

  /// Notes a start; returns when to try again, if the second before now is full.
  private func start(_ state: inout State, _ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let most = max(1, Int(rate))
    // So many requests in a second are even without this.
    guard most <= 10_000 else { return nil }
    guard state.starts.count == most else {
      state.starts.append(now)
      return nil
    }
    let free = state.starts[state.place] + .milliseconds(1005)
    guard free <= now else { return free }
    state.starts[state.place] = now
    state.place = (state.place + 1) % most
    return nil
  }
}
