import SlipcastMapping
import SlipcastTestSupport
import Testing

@testable import SlipcastBulk

/// A run that ends at a reject goes on behind it, and loses no record.
@Suite struct StopTests {
  /// 900 records, some of them broken: in several blocks, two of them next to each other.
  fileprivate static let records = (1...900).map { number in
    [4, 5, 400, 899].contains(number) ? #"{"x":\#(number)}"# : Sample.line(number, filler: 700)
  }

  /// The ways to write them.
  enum Archive: String, CaseIterable {
    case lines, brokenLine, joined, array, openArray, headlessArray, csv

    var name: String { self == .csv ? "in.csv" : "in.json" }

    var text: String {
      let records = StopTests.records
      return switch self {
      case .lines: records.joined(separator: "\n")
      case .brokenLine: records.joined(separator: "\n").replacing(#"{"x":400}"#, with: #"{"x":[400}"#)
      case .joined: records.joined()
      case .array: "[" + records.joined(separator: ",\n") + "]"
      case .openArray: "x" + records.joined(separator: ",") + "]"
      case .headlessArray: records.joined(separator: ",\n") + "\n]\n"
      case .csv: "body\n" + records.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"\n" }.joined()
      }
    }
  }

  private func run(
    _ inputs: [String], to target: RunTarget, in folder: TemporaryFolder, stops: Bool, jobs: Int
  ) async throws -> (counts: RunCounts, stops: Int) {
    var options = ConvertOptions()
    (options.onError, options.jobs) = (stops ? .stop : .reject, jobs)
    if inputs[0].hasSuffix(".csv") { options.body = JSONPointer("/body") }
    var settings = RunPlan.Settings()
    settings.rejects = folder.path(stops ? "stops.rejects" : "rejects")
    if stops { (settings.checkpoint, settings.resumes) = (folder.path("checkpoint"), true) }
    for count in 0..<20 {
      let plan = try RunPlan(
        inputs.map(InputFile.init(path:)), to: target, rules: Runs.rules, options: options, settings: settings)
      let outcome = try await plan.run()
      #expect(!outcome.wasFinished)
      guard outcome.end == .stopped else { return (outcome.counts, count) }
    }
    Issue.record("the run never ends")
    return (RunCounts(), 0)
  }

  @Test(arguments: Archive.allCases, [1, 3])
  func everyRecordComesOnce(_ archive: Archive, _ jobs: Int) async throws {
    try await TemporaryFolder.with { folder in
      try folder.write(archive.name, archive.text)
      try folder.write("last.ndjson", Sample.lines(901...905) + #"{"x":0}"#)
      let inputs = [folder.path(archive.name), folder.path("last.ndjson")]
      let whole = try await run(inputs, to: .file(folder.path("out")), in: folder, stops: false, jobs: jobs)
      let chain = try await run(inputs, to: .file(folder.path("stops")), in: folder, stops: true, jobs: jobs)
      #expect(whole.counts.rejected >= 5 && whole.counts.converted >= 896)
      #expect(chain.stops == whole.counts.rejected)
      for (name, place) in RunCounts.all {
        #expect(chain.counts[keyPath: place] == whole.counts[keyPath: place], "\(name)")
      }
      #expect(chain.counts.findings.total == whole.counts.findings.total)
      #expect(try folder.read("stops") == folder.read("out"))
      #expect(try folder.read("stops.rejects") == folder.read("rejects"))
    }
  }

  @Test func whatEndsInFramesIsCompleteToo() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("in.ndjson", Archive.lines.text)
      let target = RunTarget.file(folder.path("out.ndjson.gz"))
      let chain = try await run([folder.path("in.ndjson")], to: target, in: folder, stops: true, jobs: 1)
      #expect(chain.stops == 4 && chain.counts.read == 900)
      #expect(try await Listing.of(files: [folder.path("out.ndjson.gz")]).lines.count == 896)
    }
  }

  @Test(arguments: ["", "1,2", "1,2,3,4,5", "-1,0,0", "0,x,0", "0,0,9223372036854775807"])
  func otherTextIsNoPlace(_ text: String) { #expect(WalkerPlace(text) == nil) }
}
