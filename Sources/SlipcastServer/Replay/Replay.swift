internal import Dispatch
package import SlipcastBulk
internal import SlipcastNetwork
internal import Synchronization

/// Sends bodies to an address as Apple would: again after each response other than success.
package final class Replay: Sendable {
  /// How bodies are sent.
  package struct Options: Sendable {
    package var address: String
    package var concurrency = 1
    /// Requests per second; `nil`: as fast as the answers come.
    package var rate: Double?
    /// Seconds from one attempt to the next.
    package var retrySeconds: [Int]
    package var timeout = 30.0

    package init(address: String, retrySeconds: [Int]) { (self.address, self.retrySeconds) = (address, retrySeconds) }
  }

  /// Bodies that wait for the same attempt, with times on the clock of `Platform.seconds`.
  ///
  /// All wait equally long, so the first one is always the next.
  private typealias Queue = ArraySlice<(index: Int, time: Double)>

  private struct State: Sendable {
    var next = 0
    /// What waits, by the number of attempts before.
    var again: [Queue]
    var running = 0
    /// When the next request may be sent.
    var free = 0.0
    var result = ReplayResult()
    var failure: BulkError?
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
  private let state: Mutex<State>
  private let begin = Platform.seconds()

  /// - Parameter isEnding: true when the run must end early.
  package init(_ spool: ReplaySpool, _ plan: ReplayPlan, _ options: Options, isEnding: @escaping @Sendable () -> Bool) {
    (self.spool, self.plan, self.options, self.isEnding) = (spool, plan, options, isEnding)
    state = Mutex(State(again: Array(repeating: Queue(), count: options.retrySeconds.count)))
  }

  /// Sends everything.
  ///
  /// - Throws: `BulkError` when the temporary file cannot be read.
  package func run() throws(BulkError) -> ReplayResult {
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
    return result
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
      if state.free > now { return .wait(min(0.1, state.free - now)) }
      var found: (Int, Int)?
      if let level = state.again.firstIndex(where: { ($0.first?.time ?? .infinity) <= now }),
        let item = state.again[level].popFirst()
      {
        found = (item.index, level + 1)
        state.result.retries += 1
      } else if state.next < plan.indices.count {
        found = (Int(plan.indices[state.next]), 0)
        state.next += 1
      }
      guard let (index, attempts) = found else {
        if state.running == 0, !state.again.contains(where: { !$0.isEmpty }) { return .end }
        return .wait(0.05)
      }
      state.running += 1
      if let rate = options.rate { state.free = max(state.free, now - 0.1) + 1 / rate }
      return .send(index: index, attempts: attempts)
    }
  }

  private func send(_ index: Int, _ attempts: Int, _ client: HTTPClient) {
    var status: Int?
    var message = ""
    var latency = 0.0
    do throws(BulkError) {
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
    state.withLock { state in
      state.running -= 1
      state.result.note(status: status, isSuccess: isSuccess, latency: latency, at: Int(now - begin))
      if isSuccess {
        state.result.delivered += 1
      } else if attempts < options.retrySeconds.count {
        state.again[attempts].append((index, now + Double(options.retrySeconds[attempts])))
      } else {
        state.result.missing.append(
          ReplayResult.Missing(index: index, status: status, attempts: attempts + 1, message: message))
      }
    }
  }
}
