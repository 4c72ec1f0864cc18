import SlipcastMapping
import Testing

@testable import SlipcastBulk

/// A run that ends at a reject goes on behind it, and loses no record.
@Suite struct StopTests {
  /// 900 records, some of them broken: in several blocks, two of them next to each other.
  private static let records = (1...900).map { number in
    [4, 5, 400, 899].contains(number) ? #"{"x":\#(number)}"# : Sample.line(number, filler: 700)
  }

  private static let archives: [(name: String, text: String)] = [
    ("in.ndjson", records.joined(separator: "\n")),
    ("broken.ndjson", records.joined(separator: "\n").replacing(#"{"x":400}"#, with: #"{"x":[400}"#)),
    ("joined.json", records.joined()),
    ("in.json", "[" + records.joined(separator: ",\n") + "]"),
    ("beginning-lost.json", #""x":0},"# + records.joined(separator: ",\n") + "]"),
    ("in.csv", "body\n" + records.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"\n" }.joined()),
  ]

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

  @Test(arguments: archives, [1, 3])
  func everyRecordComesOnce(_ archive: (name: String, text: String), _ jobs: Int) async throws {
    try await TemporaryFolder.with { folder in
      try folder.write(archive.name, archive.text)
      try folder.write("last.ndjson", Sample.lines(901...905) + #"{"x":0}"#)
      let inputs = [folder.path(archive.name), folder.path("last.ndjson")]
      let whole = try await run(inputs, to: .file(folder.path("out")), in: folder, stops: false, jobs: jobs)
      let chain = try await run(inputs, to: .file(folder.path("stops")), in: folder, stops: true, jobs: jobs)
      #expect(whole.counts.rejected >= 5 && whole.counts.converted == 901)
      #expect(chain.stops == whole.counts.rejected && chain.counts == whole.counts)
      #expect(try folder.read("stops") == folder.read("out"))
      #expect(try folder.read("stops.rejects") == folder.read("rejects"))
    }
  }

  @Test func whatEndsInFramesIsCompleteToo() async throws {
    try await TemporaryFolder.with { folder in
      try folder.write("in.ndjson", Self.archives[0].text)
      let target = RunTarget.file(folder.path("out.ndjson.gz"))
      let chain = try await run([folder.path("in.ndjson")], to: target, in: folder, stops: true, jobs: 1)
      #expect(chain.stops == 4 && chain.counts.read == 900)
      #expect(try await Listing.of(files: [folder.path("out.ndjson.gz")]).lines.count == 896)
    }
  }

  @Test(arguments: ["", "1,2", "1,2,3,4", "-1,0,0", "0,x,0", "0,0,9223372036854775807"])
  func otherTextIsNoPlace(_ text: String) { #expect(WalkerPlace(text) == nil) }
}
