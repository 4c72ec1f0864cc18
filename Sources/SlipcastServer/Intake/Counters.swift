/// What the server has counted since it started.
struct Counters: Sendable {
  var received: [String: Int] = ["V1": 0, "V2": 0, "none": 0]
  var answers: [Int: Int] = [:]
  var stored = 0
  var repeated = 0
  /// Repetitions with other content.
  var differing = 0
  var refused = 0
  /// The last write to the journal failed.
  var isFailing = false
  /// Connections that were ended because no complete head, or no complete body, arrived in time, or because the client
  /// did not read its answer in time.
  var slowHeads = 0
  var slowBodies = 0
  var slowAnswers = 0
  var converted = 0
  var rejected = 0
  /// Converted events whose reading earlier events settled.
  var settled = 0
  var syncs = [Int](repeating: 0, count: Counters.bounds.count + 1)
  var syncSeconds = 0.0

  /// Upper bounds of the histogram of sync times, in seconds.
  static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1]

  mutating func noteSync(_ seconds: Double) {
    syncs[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    syncSeconds += seconds
  }
}
