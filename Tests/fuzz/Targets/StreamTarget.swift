import SlipcastBulk
import SlipcastMapping
import SlipcastSystem
import SlipcastTestSupport
@_spi(Slipcast) import SlipcastWire

extension FuzzTarget {
  /// A whole source, as it is on a disk: lines, arrays, texts, receipts, compressed, archived; the first byte chooses
  /// the options.
  static let stream = FuzzTarget(
    name: "stream",
    summary: "every record of a source is converted or rejected, once",
    seeds: { try streamSeeds(options: [0, 7]) },
    words: streamWords,
    limit: 8 << 10,
    make: {
      let bench = try StreamBench()
      return { bytes in _ = try bench.convert(bytes.first ?? 0, bytes.rest) }
    })

  /// The same with two workers.
  static let workers = FuzzTarget(
    name: "workers",
    summary: "two workers convert a source as one does",
    seeds: { try streamSeeds(options: [0]) },
    words: streamWords,
    limit: 64 << 10,
    make: {
      let bench = try StreamBench()
      return { bytes in
        let one = try bench.convert(bytes.first ?? 0, bytes.rest)
        let two = try bench.convert(bytes.first ?? 0, bytes.rest, jobs: 2)
        guard one.output == two.output, one.rejects == two.rejects else {
          throw Violation("two workers give another result")
        }
      }
    })

  private static func streamSeeds(options: [UInt8]) throws -> [[UInt8]] {
    let texts =
      try Seeds.folder("Fixtures/streams", endingIn: ["json"]) + Seeds.folder("Fixtures/rejects", endingIn: ["json"])
    let forms = try Seeds.folder("Examples/sources", endingIn: ["json"])
    let archives = try Seeds.folder("Fixtures/archives", endingIn: [".gz", ".zst", ".tar", ".zip", ".tgz"])
    let receipts = try SignedReceipts.files(starting: "app-production", "ios6-v3")
    return (texts + forms + archives + receipts).flatMap { source in options.map { [$0] + source } }
  }

  private static let streamWords =
    LegacyWords.all + [
      "eyJ", "MII", "\r\n", "\u{FEFF}", "}\n{", "}{\"",
      "{\"S\":", "{\"M\":{", "\"Item\":{", "{\"$date\":", "\u{1F}\u{8B}\u{8}", "(\u{B5}/\u{FD}", "ustar",
      "PK\u{3}\u{4}",
    ]
}

/// Converts sources, one after another, in the same memory.
private final class StreamBench {
  private let rules: RuleSet
  private let prepared: Converter.PreparedRules
  private let file: MemoryFile
  private let lines = TextReader()
  private var runs: [UInt16: ConvertRun] = [:]

  init() throws {
    rules = try RuleSet.builtIn()
    prepared = Converter.PreparedRules(rules: rules)
    file = try MemoryFile()
  }

  func convert(_ choice: UInt8, _ source: UnsafeBufferPointer<UInt8>, jobs: Int = 1) throws -> MemorySink {
    try file.replace(with: source)
    let run = run(choice, jobs)
    let result = try LocalTasks.result(isLocal: jobs == 1) { [path = file.path] in
      var sink = MemorySink()
      do {
        let (_, counts) = try await run.convert([InputFile(path: path)], to: &sink)
        return (sink, counts)
      } catch let error as FileError {
        throw Violation("a source ended the run: \(error)")
      }
    }
    let (sink, counts) = result
    guard counts.read == counts.converted + counts.rejected, counts.converted == sink.lines.count,
      counts.rejected == sink.rejects.count
    else { throw Violation("the counts do not add up") }
    try requireSound(sink)
    return sink
  }

  private func run(_ choice: UInt8, _ jobs: Int) -> ConvertRun {
    let key = UInt16(jobs) << 8 | UInt16(choice)
    if let run = runs[key] { return run }
    var options = ConvertOptions()
    options.jobs = jobs
    options.keepsRejects = true
    options.keepsProvenance = choice & 2 != 0
    options.isResumable = choice & 8 != 0
    if choice & 1 != 0 { (options.recordBytes, options.depth) = (2048, 16) }
    if choice & 16 != 0 { options.body = JSONPointer("/body") }
    options.emission = Emission.allCases[Int(choice >> 5) % Emission.allCases.count]
    let run = ConvertRun(rules: rules, prepared: prepared, options: options)
    runs[key] = run
    return run
  }

  private func requireSound(_ sink: MemorySink) throws {
    for reject in sink.rejectLines.map({ Array($0.utf8) })
    where reject.withUnsafeBufferPointer({ lines.value($0) == nil }) {
      throw Violation("a reject is not JSON")
    }
  }
}
