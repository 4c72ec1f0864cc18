public import SlipcastBulk
public import SlipcastMapping
internal import SlipcastWire

/// Reads an archive once to find the readings that its messages settle among each other.
///
/// A conversion with `ConvertOptions.settled` then applies them. Messages are sorted by subscription in a temporary
/// file (`TMPDIR`), so memory does not grow with the archive.
public struct SettleRun: Sendable {
  private let rules: RuleSet
  private let options: ConvertOptions
  private let complete: [ClosedRange<Int64>]
  /// What is found besides the order in which deliveries were received.
  package var finds: Findings = .readings

  package struct Findings: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let readings = Findings(rawValue: 1)
    /// How periods ended, and those that only lists show: for timelines.
    package static let periods = Findings(rawValue: 2)
  }

  /// - Parameters:
  ///   - rules: those of the conversion.
  ///   - options: those of the conversion.
  ///   - complete: time ranges for which the archive lacks no message, in milliseconds since 1970 UTC; absence proves
  ///     something only there.
  public init(rules: RuleSet, options: ConvertOptions, complete: [ClosedRange<Int64>] = []) {
    var options = options
    (options.keepsRejects, options.maxRejects, options.settled) = (false, nil, nil)
    (self.rules, self.options, self.complete) = (rules, options, complete)
  }

  /// Reads all files.
  ///
  /// - Throws: `FileError` for files that cannot be read, `StoreError` when the disk is full.
  public func settle(_ files: [InputFile]) async throws -> SettledReadings? {
    try await settle(files.map { .file($0) }) { _, _ in true }
  }

  /// Reads all sources, which can then be read again.
  ///
  /// - Parameters:
  ///   - keep: takes the periods of a subscription as all lists show them together.
  ///   - watch: called with the records and the raw bytes read; false ends the run.
  /// - Returns: `nil` when the run was ended.
  /// - Throws: `FileError` for sources that cannot be read, `StoreError` when the disk is full.
  package func settle(
    _ sources: [RecordSource], keep: (([KeptPeriod]) throws -> Void)? = nil,
    watch: (_ records: Int, _ rawBytes: Int) -> Bool
  ) async throws -> SettledReadings? {
    let standardInput = try StandardInputCopy(for: sources)
    let readings = SettledReadings(sources: sources.map(\.name))
    let spill = SortingSpill(in: SortedSpill(isAside: options.jobs > 1))
    let keepsNames = keep != nil
    let run = ScanRun(.legacy, rules: rules, options: options) { HistoryScanner(keepsNames: keepsNames) }
    var bytes: [UInt8] = []
    var rank: Int64 = 0
    let (end, _, _) = try await run.scan(
      sources, onReject: { _ in },
      deliver: { scanner, _, place in
        for type in scanner.ambiguous { readings.countAmbiguous(type) }
        for (index, (subscription, message)) in scanner.messages.enumerated() {
          bytes.removeAll(keepingCapacity: true)
          if keepsNames { MessageName.write(scanner.names[index], to: &bytes) }
          message.moved(source: place.source, after: place.before).write(to: &bytes)
          rank += 1
          try spill.add(SortingSpill.Key(partition: subscription, rank: rank), bytes.span)
        }
      },
      watch: { counts, raw in watch(counts.read, raw) })
    guard end != .interrupted else { return nil }
    try settle(spill, into: readings, keep)
    standardInput?.rewind()
    for case .rows(let feed, _) in sources { try feed.rewind() }
    return readings
  }

  /// Settles one subscription after another, on several threads.
  private func settle(
    _ spill: SortingSpill, into readings: SettledReadings, _ keep: (([KeptPeriod]) throws -> Void)?
  ) throws {
    let prepared = Converter.PreparedRules(rules: rules)
    let workers = (0..<max(1, options.jobs)).map { _ in
      SubscriptionSettler(prepared, complete: complete, finds: finds, keepsPeriods: keep != nil)
    }
    let lanes = OrderedLanes(workers, work: { worker, piece in try worker.settle(piece) }) { found in
      for subscription in found {
        try readings.add(subscription)
        if !subscription.kept.isEmpty { try keep?(subscription.kept) }
      }
    }
    try ReadAhead.forEach(isAside: options.jobs > 1, size: \HistoryPiece.size) { use in
      var pieces = HistoryPieces(keepsNames: keep != nil)
      try spill.forEach { key, body in
        if let piece = pieces.add(key.partition, body) { try use(piece) }
      }
      if let piece = pieces.last { try use(piece) }
    } use: {
      try lanes.add($0, after: false)
    }
    try lanes.finish()
  }
}
