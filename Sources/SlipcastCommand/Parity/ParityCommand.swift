import SlipcastBulk
import SlipcastComparison
import SlipcastMapping
import SlipcastParity
import SlipcastReports
import SlipcastSystem
import SlipcastWire

/// `slipcast parity`: two archives of the same app, event by event.
enum ParityCommand: Command {
  static let description = CommandDescription("parity", .compare)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let reports = try ReportFiles(arguments)
    let baseline = try ParityJob.baseline(arguments.last("baseline"))
    var job = try ParityJob(arguments, baseline: baseline)
    let access = try arguments.last("access").map { try RowFile($0, option: "access", AccessTable.columns) }
    if let access { job.options.access = { try access.write($0) } }
    // All pairs are for JSON and for the page.
    let isWhole = (reports.files.map(\.format) + [reports.format]).contains { $0 == .json || $0 == .html }
    let failing = isWhole ? try FailingPairs() : nil
    job.options.failing = failing
    let missing = MissingRows()
    job.options.missing = missing
    let gates = try job.gates(arguments)
    let clock = Platform.seconds()
    var result = try await job.run(arguments, console, hasVerdict: true)
    try access?.finish()
    result.accessList = arguments.last("access").map { $0 == "-" ? "standard output" : $0 }
    gates.judge(&result)
    result.origin?.made = ReportClock.milliseconds
    try reports.write(warnings: result.notes, console) { format, style, emit in
      if format == .json, let failing {
        try result.writeJSON(pairs: failing.forEach, missing: missing.forEach, to: emit)
      } else {
        try emit(result.report(format, style: style))
      }
    }
    if !arguments.has("quiet") { sayEnd(result, Platform.seconds() - clock, console) }
    return result.verdict == .parity || arguments.has("exit-zero") ? .fine : .findings
  }

  private static func sayEnd(_ result: ParityResult, _ seconds: Double, _ console: Console) {
    let pairs = result.pairs.compared
    let records = result.legacy.records + result.server.records
    console.close(
      "\(records.grouped) records, \(pairs.grouped) \(pairs == 1 ? "pair" : "pairs"), "
        + "\(ClosingTable.decimal(seconds, 3)) s, "
        + "\(Int(Double(pairs) / max(seconds, 1e-3)).grouped) pairs/s\n")
  }
}
