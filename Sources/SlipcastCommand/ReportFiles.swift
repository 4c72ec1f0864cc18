import SlipcastBulk
import SlipcastMapping
import SlipcastReports

/// The files that `--report` names, each with its form.
struct ReportFiles {
  let files: [(path: String, format: ReportFormat)]

  /// - Throws: `UsageError` for a name without a known extension.
  init(_ arguments: Arguments, _ command: CommandDescription) throws {
    files = try arguments.all("report").map { path in
      guard let format = ReportFormat(path: path) else {
        throw UsageError("--report \(path): unknown extension; expected one of \(ReportFormat.extensions)", command)
      }
      return (path, format)
    }
  }

  static let report = Option(
    name: "report", value: "FILE", isRepeatable: true, file: .written,
    help: "Also writes a report to FILE, in the format of its extension: \(ReportFormat.extensions).")
  static let format = Option(
    name: "format", value: "FORMAT", choices: ReportFormat.allCases.map { Choice($0.rawValue) }, byDefault: "text",
    help: "The format of the report on standard output.")
  static let strict = Option(
    name: "strict", value: "CLASS",
    choices: DifferenceClass.allCases.filter { $0 != .conflict && $0 != .identical && $0.isCompared }.map {
      Choice($0.rawValue, $0.meaning)
    },
    byDefault: "only conflict fails", isRepeatable: true, help: "Fields of this class fail too.")
}

extension Console.Form {
  /// What a report in that format is.
  init(_ format: ReportFormat) { self = format == .json ? .json : format == .text ? .text : .document }
}
