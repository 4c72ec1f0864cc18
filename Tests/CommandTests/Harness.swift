import SlipcastBulk
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

@testable import SlipcastCommand

/// Takes what a run writes into memory.
struct MemorySink: LineSink {
  var output: [UInt8] = []
  var provenance: [UInt8] = []
  var rejects: [Reject] = []

  mutating func write(output bytes: Span<UInt8>) { output.append(contentsOf: bytes) }
  mutating func write(provenance bytes: Span<UInt8>) { provenance.append(contentsOf: bytes) }
  mutating func write(reject: Reject) { rejects.append(reject) }

  var lines: [String] { String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init) }
  var provenanceLines: [String] { String(decoding: provenance, as: UTF8.self).split(separator: "\n").map(String.init) }
  /// The rejects as the file of `--rejects` would hold them.
  var rejectLines: [String] {
    rejects.map { reject in
      let writer = JSONWriter()
      reject.write(to: writer)
      return writer.string
    }
  }
}

enum Harness {
  static let rules: RuleSet = {
    do { return try RuleSet.builtIn() } catch { fatalError("\(error)") }
  }()

  /// Converts files as `slipcast convert WORDS… FILES…` would.
  static func convert(_ words: [String], _ files: [String]) async throws -> (
    sink: MemorySink, end: RunEnd, counts: RunCounts
  ) {
    let arguments = try Arguments(words, for: ConvertCommand.description)
    var options = try ConvertCommand.options(arguments)
    options.keepsProvenance = true
    options.keepsRejects = true
    var sink = MemorySink()
    let run = ConvertRun(rules: rules, options: options)
    let (end, counts) = try await run.convert(files.map(InputFile.init(path:)), to: &sink)
    return (sink, end, counts)
  }
}
