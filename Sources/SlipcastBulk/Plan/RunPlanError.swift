/// Why a run cannot begin as it is planned.
public enum RunPlanError: Error, Hashable, Sendable, CustomStringConvertible {
  /// CSV cannot contain signed payloads; the path of the table.
  case signedTable(String)
  /// A database keeps decoded records, so nothing is signed for it; its name.
  case signedStore(String)
  /// A database keeps `migration`, so it cannot be omitted; its name.
  case plainStore(String)
  /// App transactions are written as decoded lines; another target that was named.
  case appTransactionElsewhere(String)
  /// Only a database keeps the legacy records.
  case bodiesElsewhere
  /// Resuming needs the file of checkpoints.
  case nothingToResume
  /// Standard output cannot be rewritten, so a run to it has no checkpoint.
  case checkpointOfStream
  /// A database keeps its checkpoints itself.
  case checkpointOfStore
  /// Standard output cannot be rewritten: `rejects` or `provenance` needs a file where there is a checkpoint.
  case streamWithCheckpoint(String)
  /// Two outputs are one file.
  case sameFile(String)
  /// An output is also an input.
  case overwritesInput(String)
  /// The file is not a checkpoint of this version.
  case notACheckpoint(String, reason: String)
  /// The file is the checkpoint of an unfinished run, which was not asked for.
  case unfinishedRun(String)
  /// The file is the checkpoint of another run; the difference.
  case otherRun(String, difference: String)

  /// The reason, and what to do.
  public var description: String {
    switch self {
    case .signedTable(let path): "\(path): CSV cannot contain signed payloads; write NDJSON"
    case .signedStore(let name): "\(name): a database keeps decoded records; write signed ones as NDJSON"
    case .plainStore(let name): "\(name): a database keeps \"migration\"; write plain records as NDJSON"
    case .appTransactionElsewhere(let name): "\(name): app transactions are written as NDJSON only"
    case .bodiesElsewhere:
      "legacy records are kept in a database only; name one: FILE.sqlite or postgres://HOST/DATABASE"
    case .nothingToResume: "resuming needs the checkpoint of the run"
    case .checkpointOfStream: "a checkpoint needs a file or a folder: standard output cannot be rewritten"
    case .checkpointOfStore: "a checkpoint is for files; a database keeps the checkpoint with the data"
    case .streamWithCheckpoint(let name): "with a checkpoint, \(name) needs a file: standard output cannot be rewritten"
    case .sameFile(let path): "\(path) is named for two outputs"
    case .overwritesInput(let path): "\(path) is also an input, which it would overwrite"
    case .notACheckpoint(let path, let reason):
      "\(path) cannot be the checkpoint: \(reason); restore it from a copy, name another file, or delete it to start "
        + "over"
    case .unfinishedRun(let path):
      "\(path) is the checkpoint of an unfinished run; resume it, or delete the file to start over"
    case .otherRun(let path, let difference):
      "\(path) is the checkpoint of another run: \(difference); resume with the same inputs, options and rules"
    }
  }
}
