import Foundation
import SlipcastBulk
import SlipcastMapping
import SlipcastTestSupport
import SlipcastV2
import Testing

/// A planned run as another program uses it: what is public, and nothing else.
@Suite struct RunPlanTests {
  private func plan(
    _ input: String, to target: RunTarget, _ options: ConvertOptions = ConvertOptions(), words: [String] = [],
    _ set: (inout RunPlan.Settings) -> Void = { _ in }
  ) throws -> RunPlan {
    var settings = RunPlan.Settings()
    set(&settings)
    return try RunPlan(
      [InputFile(path: input)], to: target, rules: Runs.rules, options: options, settings: settings, words: words)
  }

  /// 4,000 records in blocks of 256 KiB: some ten blocks.
  private static let text = Sample.lines(1...4000)

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  @Test func anInterruptedRunWritesTheSameBytesWhenItIsResumed() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("in.ndjson", bytes: Array((Self.text + "{\"broken\": \n").utf8))
      let input = folder.path("in.ndjson")
      let whole = try await plan(input, to: .file(folder.path("whole.ndjson"))) { settings in
        settings.rejects = folder.path("whole.rejects")
      }.run()
      #expect(!whole.wasFinished && whole.counts.converted == 4000 && whole.counts.rejected == 1)

      func resumable() throws -> RunPlan {
        try plan(input, to: .file(folder.path("out.ndjson"))) { settings in
          (settings.checkpoint, settings.resumes) = (folder.path("run.checkpoint"), true)
          (settings.rejects, settings.commitBytes) = (folder.path("out.rejects"), 0)
        }
      }
      var blocks = 0
      let first = try await resumable().run { progress in
        blocks += 1
        return blocks < 3
      }
      #expect(first.end == .interrupted && (1..<4000).contains(first.counts.converted))
      var rejected: [String] = []
      let rest = try await resumable().run(onReject: { rejected.append($0.code) })
      #expect(rest.end == .finished && rest.counts == whole.counts && rejected.count == 1)
      #expect(try text(folder.path("out.ndjson")) == text(folder.path("whole.ndjson")))
      #expect(try text(folder.path("out.rejects")) == text(folder.path("whole.rejects")))

      let again = try await resumable().run()
      #expect(again.wasFinished && again.counts == whole.counts)
    }
  }

  @Test func aRunIsResumedOnlyAsItWasPlanned() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("in.ndjson", bytes: Array(Self.text.utf8))
      let (input, output) = (folder.path("in.ndjson"), folder.path("out.ndjson"))
      let checkpoint = folder.path("run.checkpoint")
      func planned(_ options: ConvertOptions, _ words: [String] = [], resumes: Bool = true) throws -> RunPlan {
        try plan(input, to: .file(output), options, words: words) { settings in
          (settings.checkpoint, settings.resumes, settings.commitBytes) = (checkpoint, resumes, 0)
        }
      }
      let first = try await planned(ConvertOptions()).run { _ in false }
      #expect(first.end == .interrupted)
      await #expect(throws: RunPlanError.unfinishedRun(checkpoint)) {
        try await planned(ConvertOptions(), resumes: false).run()
      }
      let difference = RunPlanError.otherRun(checkpoint, difference: "other options are given")
      var others = (0..<5).map { _ in ConvertOptions() }
      (others[0].isPlain, others[1].emission, others[2].onError) = (true, .statuses, .skip)
      others[3].conversion.appAppleId = 7
      others[4].conversion.products["com.example.coins"] = .consumable
      for options in others {
        await #expect(throws: difference) { try await planned(options).run() }
      }
      await #expect(throws: difference) { try await planned(ConvertOptions(), ["version 2"]).run() }
      try folder.write("in.ndjson", bytes: Array(Sample.lines(2...4001).utf8))
      await #expect(throws: RunPlanError.self) { try await planned(ConvertOptions()).run() }
      try folder.write("run.checkpoint", bytes: Array("{}".utf8))
      let fault = RunPlanError.notACheckpoint(checkpoint, reason: StateFault.notAState.reason)
      await #expect(throws: fault) { try await planned(ConvertOptions()).run() }
    }
  }

  @Test func whatDoesNotGoTogetherIsRefusedBeforeAnythingIsOpened() async throws {
    try TemporaryFolder.with { folder in
      try folder.write("in.ndjson", bytes: Array(Sample.line(1).utf8))
      let (input, output) = (folder.path("in.ndjson"), folder.path("out.ndjson"))
      let cases: [(RunTarget, RunPlanError, (inout RunPlan.Settings) -> Void)] = [
        (.nothing, .nothingToResume, { $0.resumes = true }),
        (.standardOutput, .checkpointOfStream, { $0.checkpoint = "c" }),
        (.nothing, .checkpointOfStream, { $0.checkpoint = "c" }),
        (.file(output), .streamWithCheckpoint("rejects"), { ($0.checkpoint, $0.rejects) = ("c", "-") }),
        (.file(output), .streamWithCheckpoint("provenance"), { ($0.checkpoint, $0.provenance) = ("c", "-") }),
        (.file(output), .sameFile(output), { $0.rejects = output }),
        (.file(output), .overwritesInput(input), { $0.provenance = input }),
        (.file(input), .overwritesInput(input), { _ in }),
        (.table(input), .overwritesInput(input), { _ in }),
      ]
      for (target, error, set) in cases {
        #expect(throws: error) { try plan(input, to: target, ConvertOptions(), set) }
        #expect(!error.description.contains("--"), "a program has no options of a command line")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")) == ["in.ndjson"])
    }
  }

  @Test func duplicatesAreDroppedOnRequest() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("in.ndjson", bytes: Array((Sample.lines(1...3) + Sample.lines(2...5)).utf8))
      let input = folder.path("in.ndjson")
      let kept = try await plan(input, to: .nothing).run()
      #expect(kept.counts.converted == 7 && kept.counts.duplicate == 0)
      let dropped = try await plan(input, to: .nothing) { $0.dedupeMemory = 1 << 20 }.run()
      #expect(dropped.counts.converted == 5 && dropped.counts.duplicate == 2)
    }
  }

  @Test func foldersAndTablesAreTargets() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("in.ndjson", bytes: Array(Sample.lines(1...5).utf8))
      let input = folder.path("in.ndjson")
      _ = try await plan(input, to: .folder(folder.path("days"), by: .records(2))).run()
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path("days")).sorted()
      #expect(files == ["part-000001.ndjson", "part-000002.ndjson", "part-000003.ndjson"])
      _ = try await plan(input, to: .table(folder.path("out.csv"))).run()
      let rows = try text(folder.path("out.csv")).split(separator: "\r\n")
      #expect(rows.count == 6 && rows[0].hasPrefix("notificationUUID,notificationType,subtype,"))
    }
  }
}
