import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastSignatures
import SlipcastWire

/// How fast conversions are signed, compared with OpenSSL's own signatures.
struct SigningBench {
  let options: BenchOptions

  /// Measures both stages over the same number of notifications, each of which has three signatures.
  ///
  /// - Returns: the table.
  func run() async throws -> String {
    let file = try TemporaryFile()
    var generator = RecordGenerator(seed: options.seed, isFat: false)
    try file.fill(with: &generator, records: options.records)
    let stages = [try openssl(), try convert(file)]
    for stage in stages { try await stage.prepare() }
    for _ in 0..<options.runs {
      for stage in stages { try await stage.time() }
    }
    var rows = [["stage", "records per second", "of openssl"]]
    for stage in stages {
      rows.append([
        stage.name, Report.fixed(stage.recordsPerSecond, 0),
        Report.fixed(stage.recordsPerSecond / stages[0].recordsPerSecond, 2),
      ])
    }
    return Report.table(rows)
  }

  /// Tokens of a converted notification: itself, the transaction and the renewal.
  private static let tokens = 3

  private func openssl() throws -> Measurement {
    let (signer, count) = (try RawKey(verifies: false), options.records)
    return Measurement(name: "openssl, 3 signatures", records: count, bytes: 0) {
      for _ in 0..<Self.tokens * count where !signer.run() { throw BenchError("OpenSSL could not sign") }
      return count
    }
  }

  private func convert(_ file: TemporaryFile) throws -> Measurement {
    var convertOptions = ConvertOptions()
    convertOptions.identity = try TestIdentity.make()
    let run = ConvertRun(rules: try RuleSet.builtIn(), options: convertOptions)
    return Measurement(name: "convert --sign, 1 job", records: options.records, bytes: file.count) {
      var sink = TokenCounter()
      _ = try await run.convert([InputFile(path: file.path)], to: &sink)
      guard sink.lines == options.records else { throw BenchError("only \(sink.lines) records were signed") }
      return sink.lines
    }
  }
}

/// Counts lines and throws them away.
private struct TokenCounter: RunSink {
  var lines = 0

  mutating func write(output: Span<UInt8>) { lines += output.count(of: 0x0A) }
  mutating func write(provenance: Span<UInt8>) {}
  mutating func write(reject: Reject) throws {
    throw BenchError("a generated record was rejected: \(reject.description)")
  }
}
