public import SlipcastBulk
public import SlipcastMapping
internal import SlipcastWire

/// Reads an archive once to find the readings that its messages settle among each other.
///
/// A conversion with `ConvertOptions.settled` then applies them. Messages are sorted by subscription in a temporary
/// database (`TMPDIR`), so memory does not grow with the archive.
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
  /// - Parameter watch: called with the records and the raw bytes read; false ends the run.
  /// - Returns: `nil` when the run was ended.
  /// - Throws: `FileError` for sources that cannot be read, `StoreError` when the disk is full.
  package func settle(
    _ sources: [RecordSource], watch: (_ records: Int, _ rawBytes: Int) -> Bool
  ) async throws -> SettledReadings? {
    let standardInput = try StandardInputCopy(for: sources)
    let readings = SettledReadings(sources: sources.map(\.name))
    let spill = try SortingSpill()
    let run = ScanRun(.legacy, rules: rules, options: options) { HistoryScanner() }
    var bytes: [UInt8] = []
    var rank: Int64 = 0
    let (end, _, _) = try await run.scan(
      sources, onReject: { _ in },
      deliver: { scanner, _, place in
        for type in scanner.ambiguous { readings.countAmbiguous(type) }
        for (subscription, message) in scanner.messages {
          bytes.removeAll(keepingCapacity: true)
          message.moved(source: place.source, after: place.before).write(to: &bytes)
          rank += 1
          try spill.add(SortingSpill.Key(partition: subscription, rank: rank), bytes.span)
        }
      },
      watch: { counts, raw in watch(counts.read, raw) })
    guard end != .interrupted else { return nil }
    try settle(spill, into: readings)
    standardInput?.rewind()
    for case .rows(let feed, _) in sources { try feed.rewind() }
    return readings
  }

  private func settle(_ spill: SortingSpill, into readings: SettledReadings) throws {
    let order = DeliveryOrder(rules: rules)
    let settler = Settler(prepared: Converter.PreparedRules(rules: rules), complete: complete)
    var messages: [HistoryMessage] = []
    var traces: [EventTrace] = []
    var current: Int64?
    func flush() throws {
      for (trace, ordinal) in try order.ordinals(of: traces) { try readings.add(ordinal, of: trace) }
      traces.removeAll(keepingCapacity: true)
      let periods = finds.contains(.periods) ? UnitedPeriods(messages) : nil
      if finds.contains(.readings) { try settler.settle(messages, periods) { try readings.add($0) } }
      if let periods { try readings.add(periods) }
      messages.removeAll(keepingCapacity: true)
    }
    try ReadAhead.forEach(isAside: options.jobs > 1, size: { $0.body.count }) { take in
      try spill.forEach { key, body in try take((partition: key.partition, body: [UInt8](body))) }
    } use: { (item: (partition: Int64, body: [UInt8])) in
      if item.partition != current {
        try flush()
        current = item.partition
      }
      // One message more than the limit shows that the subscription has too many.
      guard messages.count <= Settler.mostMessages || traces.count <= DeliveryOrder.mostMessages,
        let message = HistoryMessage(item.body)
      else { return }
      if messages.count <= Settler.mostMessages { messages.append(message) }
      if let trace = message.trace, traces.count <= DeliveryOrder.mostMessages { traces.append(trace) }
    }
    try flush()
  }
}
