import SlipcastBulk
import SlipcastSystem

/// A folder as the target of `--to`, which `--split` fills with files.
struct FolderTarget {
  let path: String
  let division: OutputDivision
  let compression: Compression

  init?(_ path: String, _ arguments: Arguments) throws {
    guard arguments.has("split") || path.hasSuffix("/") || Platform.kind(path) == .folder else { return nil }
    guard let text = arguments.last("split") else {
      throw UsageError("--to \(path) is a folder; add --split date, bundle or N")
    }
    guard !ConvertTarget.isTable(path) else { throw UsageError("--to \(path): --split writes NDJSON; name a folder") }
    self.path = path
    division = try Self.division(text)
    compression = arguments.value("compress") ?? .none
  }

  private static func division(_ text: String) throws -> OutputDivision {
    switch text {
    case "date": return .date
    case "bundle": return .bundle
    default:
      guard let number = Int(text), number > 0 else {
        throw UsageError(
          "--split is date, bundle or a number of records, not \"\(text)\"\(UsageError.hint(text, ["date", "bundle"]))")
      }
      return .records(number)
    }
  }

  /// Refuses what is only for folders.
  static func refuse(_ arguments: Arguments) throws(UsageError) {
    if arguments.has("split") { throw UsageError("--split needs --to FOLDER") }
    if arguments.has("compress") {
      throw UsageError("--compress is for --split; a single file is compressed by its extension (.gz, .zst)")
    }
  }
}
