import SlipcastBulk
import SlipcastLibC
import SlipcastSystem

/// The program: generates records, measures every stage over the same bytes, and prints what came out.
@main
enum Bench {
  static func main() async {
    Platform.ignoreClosedPipes()
    do {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      if options.wantsHelp {
        try write(BenchOptions.help, to: 1)
      } else if options.isTrust {
        try write(try await TrustBench(options: options).run() + "\n", to: 1)
        try write(try await SigningBench(options: options).run(), to: 1)
      } else {
        try await run(options)
      }
    } catch {
      try? write("slipcast-bench: \(error)\n", to: 2)
      exit(error is BenchOptions.Misuse ? 2 : 1)
    }
  }

  private static func run(_ options: BenchOptions) async throws {
    // Opened first: a path that cannot be written fails before the measurement, not after it.
    let descriptor = try options.json.map { path throws in path == "-" ? 1 : try Platform.create(path) }
    defer { if let descriptor, descriptor > 2 { Platform.close(descriptor) } }
    let file = try TemporaryFile()
    var generator = RecordGenerator(seed: options.seed, isFat: options.isFat)
    try file.fill(with: &generator, records: options.records)

    // The file is converted first, while nothing of it is in memory: so its peak differs from the benchmark's.
    let converting = try WholeStages(file: file, records: options.records).all()
    try await Measurement.prepare(converting)
    let conversionPeak = Machine.peakResidentBytes()

    let input = try Input(file)
    let reading = try ReadingStages(input).all()
    try await Measurement.prepare(reading)
    try await Measurement.time(reading + converting, runs: options.runs)
    let report = Report(
      machine: Machine(), options: options, bytes: input.count, measurements: reading + converting,
      conversionPeak: conversionPeak, peak: Machine.peakResidentBytes())
    try emit(report, json: descriptor, options)
  }

  private static func emit(_ report: Report, json descriptor: Int32?, _ options: BenchOptions) throws {
    // With JSON on standard output the table steps aside, so that a program can read the one and a person the other.
    try write(report.text, to: descriptor == 1 ? 2 : 1)
    if let descriptor { try write(report.json, to: descriptor, path: options.json ?? "-") }
  }

  private static func write(_ text: String, to descriptor: Int32, path: String = "standard output") throws {
    var text = text
    try text.withUTF8 { bytes throws in try Platform.write(descriptor, bytes.span, path: path) }
  }
}

/// Why a measurement means nothing.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
