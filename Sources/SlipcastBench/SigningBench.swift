import SlipcastBulk
import SlipcastMapping
import SlipcastSignatures
@_spi(Slipcast) import SlipcastWire

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
    try await Measurement.prepare(stages)
    try await Measurement.time(stages, runs: options.runs)
    return Report.table(
      stages,
      [
        ("records per second", { Report.fixed($0.recordsPerSecond, 0) }),
        ("of signatures", { Report.fixed($0.recordsPerSecond / stages[0].recordsPerSecond, 2) }),
        ("of ES256", { Report.fixed($0.recordsPerSecond / stages[1].recordsPerSecond, 2) }),
      ])
  }

  /// Tokens of a converted notification: itself, the transaction and the renewal.
  private static let tokens = 3
  /// OpenSSL signs the texts of so many notifications.
  private static let kept = 100

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
      var sink = Drain()
      let (_, counts) = try await run.convert([InputFile(path: file.path)], to: &sink)
      let count = counts.converted
      guard count == options.records else { throw BenchError("only \(count) records were signed") }
      return count
    }
  }

  private func signingRun() throws -> ConvertRun {
    var convertOptions = ConvertOptions()
    convertOptions.identity = try TestIdentity.make()
    return ConvertRun(rules: try RuleSet.builtIn(), options: convertOptions)
  }

  /// What ES256 signs of the tokens of the first converted notifications: header and payload (RFC 7515, section 5.1).
  private func signingInputs(_ file: TemporaryFile) async throws -> [[UInt8]] {
    var sink = Drain(keeps: true)
    _ = try await signingRun().convert([InputFile(path: file.path)], to: &sink)
    let reader = JSONReader(names: [])
    let inputs = sink.text.split(separator: 0x0A).prefix(Self.kept).flatMap { line -> [[UInt8]] in
      let outer = reader.parse(JSONBuffer(line)) { $0["signedPayload"]?.string } ?? ""
      let payload = CompactJWS(outer)?.payload ?? []
      let inner = reader.parse(JSONBuffer(payload)) { root in
        ["signedTransactionInfo", "signedRenewalInfo"].map { root["data"]?[$0]?.string ?? "" }
      }
      return ([outer] + (inner ?? [])).compactMap { token in token.lastIndex(of: ".").map { Array(token[..<$0].utf8) } }
    }
    guard inputs.count == Self.tokens * min(Self.kept, options.records) else {
      throw BenchError("a notification has not \(Self.tokens) tokens")
    }
    return inputs
  }
}
