import SlipcastBulk
import SlipcastMapping
import SlipcastReports

/// The files that `--report` names, each with its form.
struct ReportFiles {
  let files: [(path: String, format: ReportFormat)]

  /// - Parameter inputs: files that no report may overwrite.
  /// - Throws: `UsageError` for a name that tells no form, is an input, or comes twice.
  init(_ arguments: Arguments, _ command: CommandDescription, inputs: [String]) throws {
    let paths = arguments.all("report")
    for (place, path) in paths.enumerated() {
      if inputs.contains(where: { InputFile.isSame($0, path) }) {
        throw UsageError("--report \(path) is also an input, which it would overwrite", command)
      }
      if paths[..<place].contains(where: { InputFile.isSame($0, path) }) {
        throw UsageError("--report \(path) is given twice", command)
      }
    }
    files = try paths.map { path in
      guard let format = ReportFormat(path: path) else {
        throw UsageError("--report \(path): the extension is none of \(ReportFormat.extensions)", command)
      }
      return (path, format)
    }
  }

  static let report = Option(
    name: "report", value: "FILE", isRepeatable: true,
    help: "Also writes a report there, in the form of its extension: \(ReportFormat.extensions).")
  static let format = Option(
    name: "format", value: "FORMAT", choices: ReportFormat.allCases.map(\.rawValue),
    help: "How the report on standard output is written; text by default.")
  static let strict = Option(
    name: "strict", value: "CLASS",
    choices: DifferenceClass.allCases.filter { $0 != .conflict && $0 != .identical }.map(\.rawValue),
    isRepeatable: true, help: "Lets fields of this class fail too.")
}
