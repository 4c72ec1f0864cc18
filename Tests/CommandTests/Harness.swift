import SlipcastBulk
import SlipcastTestSupport

@testable import SlipcastCommand

enum Harness {
  static let rules = BuiltIn.rules

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
