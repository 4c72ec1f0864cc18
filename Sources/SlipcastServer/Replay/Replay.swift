internal import Dispatch
package import SlipcastBulk
package import SlipcastNetwork
package import SlipcastSystem
internal import Synchronization

/// Sends bodies to an address as Apple would: again after each response other than success.
package final class Replay: Sendable {
  /// How bodies are sent.
  package struct Options: Sendable {
    package var address: HTTPAddress
    package var concurrency = 1
    /// Requests per second; `nil`: as fast as the answers come.
    package var rate: Double?
    /// Seconds from one attempt to the next.
    package var retrySeconds: [Int]
    package var timeout = 30.0
    /// Called after each attempt with the bodies that were delivered or given up, and the attempts that were repeated.
    package var watch: (@Sendable (_ ended: Int, _ retries: Int) -> Void)?

    package init(address: HTTPAddress, retrySeconds: [Int]) {
      (self.address, self.retrySeconds) = (address, retrySeconds)
    }
  }

  /// A body that waits for its next attempt, at a time on the clock of `Platform.seconds`.
  private struct Waiting: Sendable {
    var index: Int
    var time: Double
    /// The last status; `nil` when no response came.
    var status: Int?
  }

  /// Bodies that wait for the same attempt: all wait equally long, so the first one is always the next.
  private typealias Queue = ArraySlice<Waiting>

  private struct State: Sendable {
    var next = 0
    /// What waits, by the number of attempts before.
    var again: [Queue]
    var running = 0
    /// The bodies that were accepted.
    var arrived: Set<Int> = []
    var result = ReplayResult()
    var failure: FileError?
  }

  private enum Step {
    case send(index: Int, attempts: Int)
    case wait(Double)
    case end
  }

  private let spool: ReplaySpool
  private let plan: ReplayPlan
  private let options: Options
  private let isEnding: @Sendable () -> Bool
  private let limiter: RateLimiter?
  private let state: Mutex<State>
  private let begin = Platform.seconds()

  /// - Parameter isEnding: true when the run must end early.
  package init(_ spool: ReplaySpool, _ plan: ReplayPlan, _ options: Options, isEnding: @escaping @Sendable () -> Bool) {
    (self.spool, self.plan, self.options, self.isEnding) = (spool, plan, options, isEnding)
    limiter = options.rate.map { RateLimiter(rate: $0) }
    state = Mutex(State(again: Array(repeating: Queue(), count: options.retrySeconds.count)))
  }

  /// Sends everything.
  ///
  /// - Throws: `FileError` when the temporary file cannot be read.
  package func run() throws(FileError) -> ReplayResult {
    let group = DispatchGroup()
    for number in 0..<options.concurrency {
      DispatchQueue(label: "slipcast.replay.\(number)").async(group: group) { self.work() }
    }
    group.wait()
    let state = state.withLock { $0 }
    if let failure = state.failure { throw failure }
    var result = state.result
    result.seconds = Platform.seconds() - begin
    result.isInterrupted = state.next < plan.indices.count || state.again.contains { !$0.isEmpty }
    result.missing += unsent(state)
    return result
  }

  /// The bodies that an interrupted run has not delivered, each once.
  private func unsent(_ state: State) -> [ReplayResult.Missing] {
    var known = state.arrived.union(state.result.missing.map(\.index))
    let waiting = state.again.enumerated().flatMap { level, queue in queue.map { (level + 1, $0) } }
    let rest = plan.indices[state.next...].map { (0, Waiting(index: Int($0), time: 0)) }
    return (waiting + rest).compactMap { attempts, body in
      guard known.insert(body.index).inserted else { return nil }
      return ReplayResult.Missing(
        index: body.index, status: body.status, attempts: attempts, message: "the run was interrupted before it arrived"
      )
    }
  }

  private func work() {
    let client = HTTPClient(timeout: options.timeout)
    while true {
      switch next() {
      case .end: return
      case .wait(let seconds): Platform.pause(seconds)
      case .send(let index, let attempts): send(index, attempts, client)
      }
    }
  }

  private func next() -> Step {
    let isEnding = isEnding()
    return state.withLock { state in
      guard !isEnding, state.failure == nil else { return .end }
      let now = Platform.seconds()
      let level = state.again.firstIndex { ($0.first?.time ?? .infinity) <= now }
      guard level != nil || state.next < plan.indices.count else {
        if state.running == 0, !state.again.contains(where: { !$0.isEmpty }) { return .end }
        return .wait(0.05)
      }
      if let seconds = limiter?.takeTurn() { return .wait(min(0.1, seconds)) }
      state.running += 1
      if let level, let body = state.again[level].popFirst() {
        state.result.retries += 1
        return .send(index: body.index, attempts: level + 1)
      }
      state.next += 1
      return .send(index: Int(plan.indices[state.next - 1]), attempts: 0)
    }
  }

  private func send(_ index: Int, _ attempts: Int, _ client: HTTPClient) {
    var status: Int?
    var message = ""
    var latency = 0.0
    do throws(FileError) {
      let body = try spool.body(index)
      do throws(HTTPFailure) {
        let reply = try client.post(body, to: options.address)
        (status, latency) = (reply.status, reply.seconds)
        message = "the response was \(reply.status)"
      } catch {
        (message, latency) = (error.message, error.seconds)
      }
    } catch {
      return state.withLock { state in
        state.failure = error
        state.running -= 1
      }
    }
    let isSuccess = status.map { (200...299).contains($0) } ?? false
    let now = Platform.seconds()
    let (ended, retries) = state.withLock { state in
      state.running -= 1
      state.result.note(status: status, isSuccess: isSuccess, latency: latency, at: Int(now - begin))
      if isSuccess {
        state.result.delivered += 1
        state.arrived.insert(index)
      } else if attempts < options.retrySeconds.count {
        let time = now + Double(options.retrySeconds[attempts])
        state.again[attempts].append(Waiting(index: index, time: time, status: status))
      } else {
        state.result.missing.append(
          ReplayResult.Missing(index: index, status: status, attempts: attempts + 1, message: message))
      }
      return (state.result.delivered + state.result.missing.count, state.result.retries)
    }
    options.watch?(ended, retries)
  }
}
