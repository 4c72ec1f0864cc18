public import SlipcastMapping
public import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// The counts of a verification.
public struct VerifyCounts: Sendable {
  /// Records found.
  public var read = 0
  /// Records all of whose signed things are trusted.
  public var valid = 0
  /// Records with an untrusted value, or without any signed value.
  public var invalid = 0
  /// Valid records of Xcode or LocalTesting, accepted without anybody's signature.
  public var unverified = 0
  /// Responses of Apple's server that list nothing, so that there is nothing to verify.
  public var empty = 0
  /// Valid records with a certificate of which it is not known whether it is revoked.
  public var undetermined = 0
  /// Bytes of the sources.
  public var bytes = 0
  /// The number of verdicts with each reason.
  public var reasons: [Refusal.Reason: Int] = [:]

  /// All counts are 0.
  public init() {}
}

extension VerifyCounts {
  fileprivate mutating func add(_ other: VerifyCounts) {
    valid += other.valid
    invalid += other.invalid
    unverified += other.unverified
    empty += other.empty
    undetermined += other.undetermined
    reasons.merge(other.reasons, uniquingKeysWith: +)
  }
}

/// How `verify` works on its records.
public struct VerifyOptions: Sendable {
  /// The requirements for signed values.
  public var policy: VerificationPolicy
  /// The number of parallel workers.
  public var jobs = 1
  /// The path of the record in a wrapped row; `nil`: the row is the record.
  public var body: JSONPointer?
  /// How many bytes one record may have.
  public var recordBytes = 16 << 20
  /// Writes lines for people, not JSON.
  public var isText = false

  /// Everything as by default.
  public init(policy: VerificationPolicy) { self.policy = policy }
}

/// Verifies sources record by record: one line for each signed thing, in the order of the input.
public struct VerifyRun: Sendable {
  private let run: BulkRun<BlockVerifier>
  private let options: VerifyOptions

  /// Prepares a run.
  public init(rules: RuleSet, options: VerifyOptions) {
    self.options = options
    var bulk = BulkOptions(jobs: options.jobs, recordBytes: options.recordBytes, readsAnyBinary: true)
    bulk.pointers = RowPointers(body: options.body)
    run = BulkRun(options: bulk) {
      BlockVerifier(rules: rules, options: options)
    }
  }

  /// Verifies all sources.
  ///
  /// - Throws: `FileError` for sources that cannot be read, and the sink's errors.
  public func verify(_ files: [InputFile], to sink: inout some LineSink) async throws -> VerifyCounts {
    try await verify(files.map { .file($0) }, to: &sink)
  }

  /// The same of sources of any kind.
  package func verify(_ sources: [RecordSource], to sink: inout some LineSink) async throws -> VerifyCounts {
    var counts = VerifyCounts()
    let (_, all) = try await run.run(
      sources, to: &sink,
      deliver: { verifier, _, sink in
        try sink.write(output: verifier.output.buffer.span)
        counts.add(verifier.takeCounts())
        return verifier.book.counts
      },
      afterSource: { name, records, sink in
        guard records == 0 else { return nil }
        // An empty file is a record that went missing.
        let writer = JSONWriter(capacity: 256)
        let verdict = Verdict(refusal: Refusal(.empty))
        VerdictLine(place: RecordPlace(input: name), verdict: verdict).write(to: writer, asText: options.isText)
        try sink.write(output: writer.buffer.span)
        counts.invalid += 1
        counts.reasons[.empty, default: 0] += 1
        var more = RunCounts()
        (more.read, more.converted) = (1, 1)
        return more
      })
    (counts.read, counts.bytes) = (all.read, all.bytes)
    guard counts.read == counts.valid + counts.invalid + counts.empty else {
      fatalError("a record was lost: the counts of the run do not add up")
    }
    return counts
  }
}
