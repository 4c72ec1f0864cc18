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

  /// All attempts.
  package private(set) var total = ReplayCourse.Span()
  package var delivered = 0
  package var retries = 0
  package var missing: [Missing] = []
  /// The run was asked to end before all was sent.
  package var isInterrupted = false
  package var seconds = 0.0
  /// The attempts over time.
  package private(set) var course = ReplayCourse()

  package init() {}

  mutating func note(status: Int?, isSuccess: Bool, latency: Double, at second: Int) {
    total.note(status: status, isSuccess: isSuccess, latency: latency)
    course.note(status: status, isSuccess: isSuccess, latency: latency, at: second)
  }
}
