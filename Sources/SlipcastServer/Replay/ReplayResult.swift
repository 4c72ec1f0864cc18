/// What a replay did.
package struct ReplayResult: Sendable {
  /// A body that was never accepted.
  package struct Missing: Sendable {
    package var index: Int
    /// The last status; `nil` when no response came.
    package var status: Int?
    package var attempts: Int
    package var message: String
  }

  /// Attempts by the status of the response; 0 where none came.
  package var statuses: [Int: Int] = [:]
  package var delivered = 0
  package var retries = 0
  package var missing: [Missing] = []
  /// The run was asked to end before all was sent.
  package var isInterrupted = false
  package var seconds = 0.0
  private var latencies = LatencyCounts()
  /// The attempts over time.
  package private(set) var course = ReplayCourse()

  package init() {}

  mutating func note(status: Int?, isSuccess: Bool, latency: Double, at second: Int) {
    statuses[status ?? 0, default: 0] += 1
    latencies.note(latency)
    course.note(status: status, isSuccess: isSuccess, latency: latency, at: second)
  }

  /// The latency that a share of all attempts did not exceed, in milliseconds, to four percent; `nil` without attempts.
  package func latency(_ share: Double) -> Double? { latencies.milliseconds(share) }
}
