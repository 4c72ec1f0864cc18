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
  /// Attempts by latency: the number of whole steps of a twentieth of an octave above a microsecond.
  private var latencies: [Int: Int] = [:]
  /// For each second of the run: attempts, attempts without success, the longest latency in milliseconds.
  package private(set) var course: [(attempts: Int, failures: Int, longest: Int)] = []

  package init() {}

  private static let steps = 20.0

  mutating func note(status: Int?, isSuccess: Bool, latency: Double, at second: Int) {
    statuses[status ?? 0, default: 0] += 1
    latencies[Int(max(0, (latency * 1e6).logarithm * Self.steps)), default: 0] += 1
    guard second < 86_400 else { return }
    while course.count <= second { course.append((0, 0, 0)) }
    course[second].attempts += 1
    course[second].failures += isSuccess ? 0 : 1
    course[second].longest = max(course[second].longest, Int((latency * 1000).rounded(.up)))
  }

  /// The latency that a share of all attempts did not exceed, in milliseconds, to four percent; `nil` without attempts.
  package func latency(_ share: Double) -> Double? {
    let total = latencies.values.reduce(0, +)
    var sum = 0
    for (step, count) in latencies.sorted(by: { $0.key < $1.key }) {
      sum += count
      if Double(sum) >= share * Double(total) { return (Double(step + 1) / Self.steps).power / 1000 }
    }
    return nil
  }
}

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

extension Double {
  fileprivate var logarithm: Double { self <= 1 ? 0 : log2(self) }
  fileprivate var power: Double { exp2(self) }
}
