import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastSignatures
import SlipcastWire

/// How fast conversions are signed, compared with OpenSSL's own signatures.
struct SigningBench {
  let options: BenchOptions

  /// Measures all stages over the same number of notifications, each of which has three signatures.
  ///
  /// - Returns: the table.
  func run() async throws -> String {
    let file = try TemporaryFile()
    var generator = RecordGenerator(seed: options.seed, isFat: false)
    try file.fill(with: &generator, records: options.records)
    let stages = [try openssl(), try opensslES256(try await signingInputs(file)), try convert(file)]
    for stage in stages { try await stage.prepare() }
    try await Measurement.time(stages, runs: options.runs)
    var rows = [["stage", "records per second", "of signatures", "of ES256"]]
    for stage in stages {
      rows.append([
        stage.name, Report.fixed(stage.recordsPerSecond, 0),
        Report.fixed(stage.recordsPerSecond / stages[0].recordsPerSecond, 2),
        Report.fixed(stage.recordsPerSecond / stages[1].recordsPerSecond, 2),
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

  /// The same signatures with the digests that ES256 makes of each token.
  private func opensslES256(_ inputs: [[UInt8]]) throws -> Measurement {
    let (signer, count) = (try RawKey(verifies: false), options.records)
    return Measurement(name: "openssl, 3 × ES256", records: count, bytes: 0) {
      for index in 0..<Self.tokens * count where !signer.sign(inputs[index % inputs.count]) {
        throw BenchError("OpenSSL could not sign")
      }
      return count
    }
  }

  private func convert(_ file: TemporaryFile) throws -> Measurement {
    let run = try signingRun()
    return Measurement(name: "convert --sign, 1 job", records: options.records, bytes: file.count) {
      var sink = TokenSink()
      _ = try await run.convert([InputFile(path: file.path)], to: &sink)
      guard sink.lines == options.records else { throw BenchError("only \(sink.lines) records were signed") }
      return sink.lines
    }
  }

  private func signingRun() throws -> ConvertRun {
    var convertOptions = ConvertOptions()
    convertOptions.identity = try TestIdentity.make()
    return ConvertRun(rules: try RuleSet.builtIn(), options: convertOptions)
  }

  /// What ES256 signs of the tokens of the first converted notifications: header and payload (RFC 7515, section 5.1).
  private func signingInputs(_ file: TemporaryFile) async throws -> [[UInt8]] {
    var sink = TokenSink(kept: 100)
    _ = try await signingRun().convert([InputFile(path: file.path)], to: &sink)
    let inputs = try sink.text.split(separator: 0x0A).flatMap { line in
      let outer = try JSONDecoder().decode(SignedNotification.self, from: Data(line)).signedPayload
      let payload = CompactJWS(outer)?.payload ?? []
      let data = try JSONDecoder().decode(NotificationPayload.self, from: Data(payload)).data
      return [outer, data.signedTransactionInfo, data.signedRenewalInfo].compactMap { token -> [UInt8]? in
        guard let token, let end = token.lastIndex(of: ".") else { return nil }
        return Array(token[..<end].utf8)
      }
    }
    guard inputs.count == Self.tokens * min(sink.kept, options.records) else {
      throw BenchError("a notification has not \(Self.tokens) tokens")
    }
    return inputs
  }
}

private struct SignedNotification: Decodable {
  var signedPayload: String
}

private struct NotificationPayload: Decodable {
  struct Tokens: Decodable {
    var signedTransactionInfo: String?
    var signedRenewalInfo: String?
  }
  var data: Tokens
}

/// Counts lines, and keeps the first ones.
private struct TokenSink: LineSink {
  let kept: Int
  private(set) var lines = 0
  private(set) var text: [UInt8] = []

  init(kept: Int = 0) { self.kept = kept }

  mutating func write(output: Span<UInt8>) {
    for index in output.indices where lines < kept {
      text.append(output[index])
      if output[index] == 0x0A { lines += 1 }
    }
    if kept == 0 { lines += output.count(of: 0x0A) }
  }
  mutating func write(reject: Reject) throws {
    throw BenchError("a generated record was rejected: \(reject.description)")
  }
}
