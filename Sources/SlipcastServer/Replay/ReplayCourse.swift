internal import SlipcastLibC

/// A replay over time, in spans of equal length: at most `mostSpans`, however long it takes.
package struct ReplayCourse: Sendable {
  /// The attempts of one span; its size does not depend on their number.
  package struct Span: Sendable {
    /// Attempts by the status of the response; 0 where none came.
    package private(set) var statuses: [Int: Int] = [:]
    /// Attempts without success.
    package private(set) var failures = 0
    /// How many latencies there are of each number of whole steps of a twentieth of an octave above a microsecond.
    private var latencies: [Int: Int] = [:]
    private static let stepsPerOctave = 20.0

    /// All attempts.
    package var attempts: Int { statuses.values.reduce(0, +) }

    /// The latency that a share of the attempts did not exceed, in milliseconds, to four percent; `nil` without attempts.
    package func latency(_ share: Double) -> Double? {
      var sum = 0
      for (step, count) in latencies.sorted(by: { $0.key < $1.key }) {
        sum += count
        if Double(sum) >= share * Double(attempts) { return exp2(Double(step + 1) / Self.stepsPerOctave) / 1000 }
      }
      return nil
    }

    /// - Parameter latency: in seconds.
    mutating func note(status: Int?, isSuccess: Bool, latency: Double) {
      statuses[status ?? 0, default: 0] += 1
      failures += isSuccess ? 0 : 1
      let microseconds = latency * 1e6
      latencies[Int(microseconds <= 1 ? 0 : log2(microseconds) * Self.stepsPerOctave), default: 0] += 1
    }

    mutating func add(_ other: Span) {
      statuses.merge(other.statuses, uniquingKeysWith: +)
      failures += other.failures
      latencies.merge(other.latencies, uniquingKeysWith: +)
    }
  }

  /// More spans are joined in pairs.
  private static let mostSpans = 120
  /// The seconds of one span.
  package private(set) var seconds = 1
  /// The spans from the start on, without gaps.
  package private(set) var spans: [Span] = []

  package init() {}

  /// - Parameter second: when the response came, in seconds since the start.
  mutating func note(status: Int?, isSuccess: Bool, latency: Double, at second: Int) {
    while second / seconds >= Self.mostSpans { join() }
    let place = max(0, second / seconds)
    while spans.count <= place { spans.append(Span()) }
    spans[place].note(status: status, isSuccess: isSuccess, latency: latency)
  }

  /// The same with at most a number of spans.
  package func shortened(to count: Int) -> ReplayCourse {
    var course = self
    while course.spans.count > max(1, count) { course.join() }
    return course
  }

  private mutating func join() {
    seconds *= 2
    spans = stride(from: 0, to: spans.count, by: 2).map { place in
      var span = spans[place]
      if place + 1 < spans.count { span.add(spans[place + 1]) }
      return span
    }
  }
}
