import SlipcastBulk
import SlipcastMapping
import SlipcastStores

/// `--settle` and `--complete`: readings that the other messages of the archive settle.
enum SettleOptions {
  /// The time ranges of `--complete`.
  static func ranges(_ arguments: Arguments) throws -> [ClosedRange<Int64>] {
    try arguments.all("complete").map { try TimeRange.read($0, of: "complete") }
  }

  static func settle(
    _ sources: [RecordSource], _ rules: RuleSet, _ options: ConvertOptions, with arguments: Arguments,
    finding finds: SettleRun.Findings = .readings, keepingIn store: (any StoreSink)? = nil, progress: Progress
  ) async throws -> SettledReadings {
    var run = SettleRun(rules: rules, options: options, complete: try ranges(arguments))
    run.finds = finds
    let all = sources.totalBytes
    var listed: [KeptPeriod] = []
    func keep(_ periods: [KeptPeriod]) throws {
      listed += periods
      guard listed.count >= 1000 else { return }
      try store?.write(listed: listed)
      listed.removeAll(keepingCapacity: true)
    }
    let readings = try await run.settle(sources, keep: store == nil ? nil : keep) { records, bytes in
      progress.update(Stage(name: "settling", share: all.map { (Double(bytes), Double($0)) }, count: records))
      return !Interruption.isAsked
    }
    progress.makeRoom()
    guard let readings else { throw Interrupted() }
    try store?.write(listed: listed)
    return readings
  }

  static func check(_ arguments: Arguments) throws {
    if arguments.has("complete"), !arguments.has("settle") {
      throw UsageError("--complete is for --settle: it lets missing messages settle readings")
    }
    _ = try ranges(arguments)
  }

  /// Figures of the closing table: how many readings were ambiguous before, by V1's type.
  static func figures(_ readings: SettledReadings?) -> [(String, Int)] {
    guard let readings else { return [] }
    let counts = readings.counts
    var figures = [
      ("ambiguousBefore", counts.reduce(0) { $0 + $1.ambiguous }), ("settled", counts.reduce(0) { $0 + $1.settled }),
    ]
    for count in counts where count.ambiguous > 0 {
      figures.append(("  \(count.type)", count.ambiguous))
      figures.append(("  \(count.type) settled", count.settled))
    }
    figures.append(("confirmed", counts.reduce(0) { $0 + $1.confirmed }))
    figures.append(("contradicted", counts.reduce(0) { $0 + $1.contradicted }))
    return figures
  }
}
