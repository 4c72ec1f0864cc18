import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastReports

/// `slipcast parity`: two archives of the same app, event by event.
enum ParityCommand: Command {
  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let reports = try ReportFiles(arguments, description)
    let baseline = try ParityJob.baseline(arguments.last("baseline"), description)
    var job = try ParityJob(arguments, description, baseline: baseline)
    let access = try arguments.last("access").map { try AccessFile($0, description) }
    if let access { job.options.access = { try access.write($0) } }
    let failing = try FailingPairs.wanted(by: reports, arguments)
    job.options.failing = failing
    let gates = try job.gates(arguments, description, baseline: baseline)
    let clock = Platform.seconds()
    var result = try await job.run(arguments, console, hasVerdict: true)
    try access?.finish()
    result.accessList = arguments.last("access").map { $0 == "-" ? "standard output" : $0 }
    gates.judge(&result)
    let style = ReportStyle(isVerbose: arguments.has("verbose"))
    for report in reports.files {
      try Console.keepingVerdict {
        if report.format == .json, let failing {
          try Files.write(to: report.path) { try result.writeJSON(pairs: failing.forEach, to: $0) }
        } else {
          try Files.write(result.report(report.format, style: style), to: report.path)
        }
      }
    }
    let format = arguments.last("format").flatMap(ReportFormat.init(rawValue:)) ?? .text
    if arguments.has("quiet") || format != .text {
      for note in result.notes where note.isWarning { console.say("slipcast: \(Console.harmless(note.message))\n") }
    }
    if !arguments.has("quiet") {
      let style = ReportStyle(isColored: Console.colors(1, arguments), isVerbose: arguments.has("verbose"))
      try Console.keepingVerdict {
        if format == .json, let failing {
          try result.writeJSON(pairs: failing.forEach) { try console.print($0, as: .json) }
        } else {
          try console.print(result.report(format, style: style), as: .init(format))
        }
      }
      sayEnd(result, Platform.seconds() - clock, console)
    }
    return result.verdict == .parity || arguments.has("exit-zero") ? .fine : .findings
  }

  private static func sayEnd(_ result: ParityResult, _ seconds: Double, _ console: Console) {
    let pairs = result.pairs.compared
    let records = result.legacy.records + result.server.records
    console.say(
      "\(ClosingTable.grouped(records)) records, \(ClosingTable.grouped(pairs)) \(pairs == 1 ? "pair" : "pairs"), "
        + "\(ClosingTable.decimal(seconds, 3)) s, "
        + "\(ClosingTable.grouped(Int(Double(pairs) / max(seconds, 1e-3)))) pairs/s\n")
  }
}

extension FailingPairs {
  /// All pairs are for JSON and for the page; `nil` where neither is asked for.
  fileprivate static func wanted(by reports: ReportFiles, _ arguments: Arguments) throws -> FailingPairs? {
    let formats =
      reports.files.map(\.format) + [ReportFormat(rawValue: arguments.last("format") ?? "")].compactMap(\.self)
    return formats.contains { $0 == .json || $0 == .html } ? try FailingPairs() : nil
  }
}
