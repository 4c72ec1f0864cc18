import SlipcastComparison
import SlipcastMapping
import SlipcastReports

/// The reports of a comparison: the files that `--report` names, and the one on standard output.
struct ReportFiles {
  /// Writes a report in pieces.
  typealias Writer = (ReportFormat, ReportStyle, _ emit: @escaping (String) throws -> Void) throws -> Void

  let files: [(path: String, format: ReportFormat)]
  let format: ReportFormat
  private let arguments: Arguments

  init(_ arguments: Arguments) throws {
    self.arguments = arguments
    format = arguments.value("format") ?? .text
    files = try arguments.all("report").map { path in
      guard let format = ReportFormat(path: path) else {
        throw UsageError("--report \(path): unknown extension; expected one of \(ReportFormat.extensions)")
      }
      return (path, format)
    }
  }

  /// Writes all; warnings go to standard error where the report on standard output is for programs.
  func write(warnings notes: [Comparison.Note], _ console: Console, _ write: Writer) throws {
    let isVerbose = arguments.has("verbose")
    for (path, format) in files {
      let style = ReportStyle(isVerbose: isVerbose)
      try Console.keepingVerdict { try Files.write(to: path) { try write(format, style, $0) } }
    }
    if arguments.has("quiet") || format != .text {
      for note in notes where note.isWarning { console.say("slipcast: \(Console.harmless(note.message))\n") }
    }
    if arguments.has("quiet"), !arguments.has("format") { return }
    let style = ReportStyle(isColored: Console.colors(1, arguments), isVerbose: isVerbose, columns: Screen.terminal)
    try Console.keepingVerdict { try write(format, style) { try console.print($0, as: .init(format)) } }
  }
}

extension Console.Form {
  init(_ format: ReportFormat) { self = format == .json ? .json : format == .text ? .text : .document }
}
