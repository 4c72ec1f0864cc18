import Dispatch
import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastServer
import SlipcastStores
import SlipcastSystem

/// `serve --compare`: what `parity --legacy JOURNAL --server V2` counts, again and again while the server runs.
struct LiveComparison: Sendable {
  let journal: String
  let server: [String]
  let rules: RuleSet
  let options: ConvertOptions
  let settles: Bool
  /// Seconds from the end of a comparison to the next one.
  let pause: Double
  let state = Shared(ComparisonState())

  /// A comparison takes at most this share of one processor.
  private static let share = 0.1

  /// Waits a moment, on a separate thread; setting the system's clock does not change how long.
  static func wait() async {
    await withCheckedContinuation { done in
      DispatchQueue.global().async {
        Platform.pause(0.1)
        done.resume()
      }
    }
  }

  func run(_ log: ServerLog) async {
    var trouble: String?
    var warned: Set<String> = []
    let names = server.map(Databases.withoutPassword).joined(separator: " ")
    while !Interruption.isAsked {
      let begin = Platform.seconds()
      do {
        let result = try await compare()
        let results = Self.results(result.pairs)
        let seconds = Platform.seconds() - begin
        let isNew = zip(state.now.results, results).contains { $0.count != $1.count } || state.now.runs == 0
        state.change { ($0.results, $0.runs, $0.seconds) = (results, $0.runs + 1, seconds) }
        if isNew { log.note("compared", results.map { ($0.name, $0.count) }) }
        for note in result.notes where note.isWarning && warned.insert(note.code).inserted {
          log.note("warning", [("compare", names), ("message", note.message)])
        }
        trouble = nil
      } catch is ParityInterruption {
        return
      } catch {
        state.change { $0.failures += 1 }
        // Only the first of equal failures is a line.
        if trouble != "\(error)" { log.note("failed", [("compare", names), ("message", "\(error)")]) }
        trouble = "\(error)"
      }
      let next = Platform.seconds() + max(pause, (Platform.seconds() - begin) * (1 / Self.share - 1))
      while !Interruption.isAsked, Platform.seconds() < next { await Self.wait() }
    }
  }

  private func compare() async throws -> ParityResult {
    let legacy = try ConvertInputs.find([journal], []).sources
    var one = self.options
    one.keepsRejects = false
    // The limit is for bodies; in a line of the journal each byte may be an escape.
    one.recordBytes = max(ConvertOptions().recordBytes, one.recordBytes * 6 + 4096)
    var options = ParityOptions(legacy: one, server: one)
    options.showsSamples = false
    if settles {
      let run = SettleRun(rules: rules, options: options.legacy)
      guard let settled = try await run.settle(legacy, watch: { _ in !Interruption.isAsked }) else {
        throw ParityInterruption()
      }
      options.legacy.settled = settled
    }
    return try await ParityRun(rules: rules, options: options).compare(
      legacy: legacy, server: try ConvertInputs.find(server, []).sources, onReject: { _ in },
      watch: { _ in !Interruption.isAsked })
  }

  /// The results in `/metrics`; their sum is the number of records of both sides, in which an event of both counts once.
  private static func results(_ pairs: ParityResult.Pairs) -> [(name: String, count: Int)] {
    [
      ("equal", pairs.matched), ("conflict", pairs.conflicting), ("onlyV1", pairs.legacyWithoutServer),
      ("onlyV2", pairs.serverWithoutLegacy), ("neverInV1", pairs.serverOnlyEvents + pairs.unknownEvents),
      ("neverInV2", pairs.absorbed), ("notComparable", pairs.notComparable),
      ("duplicate", pairs.duplicates.legacy + pairs.duplicates.server),
      ("rejected", pairs.rejected.legacy + pairs.rejected.server),
    ]
  }
}
