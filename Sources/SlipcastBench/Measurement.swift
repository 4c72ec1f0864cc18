import CSlipcastBench
import SlipcastBulk
import SlipcastSystem

/// One stage: what it does, how long that took, and how often it asked for memory.
final class Measurement {
  let name: String
  /// Records that one run of the stage handles.
  let records: Int
  let bytes: Int
  private let work: () async throws -> Int
  private var seconds: [Double] = []
  private var result: Int?
  private(set) var allocations: UInt64?

  /// - Parameter work: one run; returns a checksum of its results, which must be the same every time.
  init(name: String, records: Int, bytes: Int, work: @escaping () async throws -> Int) {
    (self.name, self.records, self.bytes, self.work) = (name, records, bytes, work)
  }

  /// Runs twice without a clock: once to allocate all memory that is kept, once to count new allocations.
  func prepare() async throws {
    try check(await work())
    guard slipcast_bench_counts_allocations() else { return }
    slipcast_bench_start_counting()
    let sum = try await work()
    allocations = slipcast_bench_stop_counting()
    try check(sum)
  }

  func time() async throws {
    let start = Platform.seconds()
    let sum = try await work()
    seconds.append(Platform.seconds() - start)
    try check(sum)
  }

  /// The compiler could remove an unused checksum; and a wrong one would mean lost records.
  private func check(_ sum: Int) throws {
    if let result, result != sum { throw BenchError("\(name) gave \(result) once and \(sum) later") }
    result = sum
  }

  static func prepare(_ stages: [Measurement]) async throws {
    for stage in stages { try await stage.prepare() }
  }

  /// Times stages one after another, several times, so that whatever slows the machine down for a while slows down all.
  static func time(_ stages: [Measurement], runs: Int) async throws {
    for _ in 0..<runs {
      for stage in stages { try await stage.time() }
    }
  }

  // MARK: figures

  /// The median of all timed runs.
  var medianSeconds: Double {
    guard !seconds.isEmpty else { return .nan }
    let sorted = seconds.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  var recordsPerSecond: Double { Double(records) / medianSeconds }
  var megabytesPerSecond: Double { Double(bytes) / 1e6 / medianSeconds }
  /// `nil` where allocations cannot be counted.
  var allocationsPerRecord: Double? { allocations.map { Double($0) / Double(records) } }
}
