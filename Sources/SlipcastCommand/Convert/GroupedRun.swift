import SlipcastBulk
import SlipcastMapping
import SlipcastStores
import SlipcastTimeline

/// `convert --group`: the messages of one action become the one event that V2 sends.
struct GroupedRun {
  struct Outcome {
    var end: RunEnd
    var counts: RunCounts
    var grouping: GroupingCounts
    /// The readings that the messages settle among each other.
    var settled: SettledReadings?
  }

  static func check(_ arguments: Arguments) throws {
    let reasons = [
      ("sign", "groups are recorded in \"migration\", which a signed payload does not have"),
      ("plain", "groups are recorded in \"migration\""),
      ("provenance", "a line may come from several records"),
      ("checkpoint", "records are sorted before the first line is written"),
      ("resume", "records are sorted before the first line is written"),
      ("dedupe", "messages that come again are always dropped"),
    ]
    for (name, reason) in reasons where arguments.has(name) {
      throw UsageError("--group does not go with --\(name): \(reason)")
    }
    if let name = arguments.last("to"), StoreLocation.isLocation(name) {
      throw UsageError(
        "--group does not go with --to \(try StoreLocation(name)): a store keeps every message; "
          + "slipcast timeline and convert --group read it")
    }
    if let emit = arguments.last("emit"), emit != "auto", emit != "notification" {
      throw UsageError("--group is for notifications, not for --emit \(emit)")
    }
  }

  /// Converts the inputs, or takes a store as it is, and writes one line for each group.
  static func run(
    _ arguments: Arguments, _ rules: RuleSet, to destination: RunDestination, writesTable: Bool, words: RejectWords,
    _ console: Console
  ) async throws -> Outcome {
    let store = try await EventStore(
      arguments, isReported: true, settles: arguments.has("settle"), words: words, console)
    var grouping = GroupingCounts()
    if store.end == .finished {
      let workers = (0..<store.jobs).map { _ in GroupedPieces(rules: rules, isTable: writesTable) }
      try store.forEachEvent(
        "grouping", of: try store.side(arguments, console), words.progress, workers: workers,
        work: { try $0.lines(of: $1.events, isWhole: $1.isWhole) },
        take: { lines in
          try lines.forEach { try destination.write(line: $0, signedDate: $1.signedDate, bundleId: $1.bundleId) }
        })
      for worker in workers { grouping.add(worker.counts) }
      try destination.finishLines()
      if !arguments.has("quiet") { try store.sayLeftOut(console) }
    }
    return Outcome(end: store.end, counts: counts(store.counts, grouping), grouping: grouping, settled: store.settled)
  }

  /// Every message is a separate event, merged into another event, a duplicate, or unreadable.
  ///
  /// Messages of a store that was there were read and converted when they came there.
  private static func counts(_ converted: RunCounts?, _ grouping: GroupingCounts) -> RunCounts {
    var counts = converted ?? RunCounts()
    if converted == nil { (counts.read, counts.converted) = (grouping.read, grouping.read) }
    counts.converted -= grouping.duplicate + grouping.unreadable
    counts.duplicate += grouping.duplicate
    counts.rejected += grouping.unreadable
    return counts
  }
}
