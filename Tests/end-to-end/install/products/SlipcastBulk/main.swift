// Prints: finished 1 0

import SlipcastBulk
import SlipcastKit

/// Counts lines.
struct Counter: LineSink {
  var lines = 0
  var rejects = 0

  mutating func write(output: Span<UInt8>) {
    for place in output.indices where output[place] == UInt8(ascii: "\n") { lines += 1 }
  }
  mutating func write(reject: Reject) { rejects += 1 }
}

func convert(_ paths: [String]) async throws {
  var counter = Counter()
  let run = ConvertRun(rules: try RuleSet.builtIn(), options: ConvertOptions())
  let (end, _) = try await run.convert(try InputFile.find(paths), to: &counter)
  print(end, counter.lines, counter.rejects)
}

try await convert(Array(CommandLine.arguments.dropFirst()))
