internal import SlipcastLibC

/// Latencies by length, to four percent; its size does not depend on their number.
struct LatencyCounts: Sendable {
  /// How many latencies there are of each number of whole steps of a twentieth of an octave above a microsecond.
  private var steps: [Int: Int] = [:]
  private static let stepsPerOctave = 20.0

  /// Adds a latency in seconds.
  mutating func note(_ seconds: Double) {
    let microseconds = seconds * 1e6
    steps[Int(microseconds <= 1 ? 0 : log2(microseconds) * Self.stepsPerOctave), default: 0] += 1
  }

  mutating func add(_ other: LatencyCounts) { steps.merge(other.steps, uniquingKeysWith: +) }

  /// The latency that a share of all did not exceed, in milliseconds; `nil` without any.
  func milliseconds(_ share: Double) -> Double? {
    let total = steps.values.reduce(0, +)
    var sum = 0
    for (step, count) in steps.sorted(by: { $0.key < $1.key }) {
      sum += count
      if Double(sum) >= share * Double(total) { return exp2(Double(step + 1) / Self.stepsPerOctave) / 1000 }
    }
    return nil
  }
}
