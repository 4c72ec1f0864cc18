import SlipcastBulk
import SlipcastMapping
import SlipcastSystem

/// The conversion of a file as `slipcast convert --plain` does it: read in pieces, converted, written in order.
struct WholeStages {
  private let file: TemporaryFile
  private let records: Int
  private let bytes: Int
  private let rules: RuleSet

  /// - Throws: `MappingErrors`; only a broken build can cause it.
  init(file: TemporaryFile, records: Int) throws {
    self.file = file
    self.records = records
    bytes = file.count
    rules = try RuleSet.builtIn()
  }

  /// One stage with one job, and one with a job for every processor where there is more than one.
  func all() -> [Measurement] {
    [whole(jobs: 1)] + (Platform.processors > 1 ? [whole(jobs: Platform.processors)] : [])
  }

  private func whole(jobs: Int) -> Measurement {
    var options = ConvertOptions()
    options.isPlain = true
    options.jobs = jobs
    let run = ConvertRun(rules: rules, options: options)
    let (file, records) = (file, records)
    return Measurement(
      name: "whole, \(jobs) job\(jobs == 1 ? "" : "s")", records: records, bytes: bytes
    ) {
      var sink = Drain()
      let (_, counts) = try await run.convert([InputFile(path: file.path)], to: &sink)
      guard counts.converted == records else {
        throw BenchError("\(records) records were generated, \(counts.converted) of them converted")
      }
      return sink.bytes
    }
  }
}

/// Counts the output, and throws it away but for its first lines where they are asked for.
struct Drain: LineSink {
  var keeps = false
  private(set) var bytes = 0
  private(set) var text: [UInt8] = []

  mutating func write(output: Span<UInt8>) {
    bytes += output.count
    guard keeps, text.count < 4 << 20 else { return }
    for index in output.indices { text.append(output[index]) }
  }
  mutating func write(provenance: Span<UInt8>) { bytes += provenance.count }
  mutating func write(reject: Reject) throws {
    throw BenchError("a generated record was rejected: \(reject.description)")
  }
}
