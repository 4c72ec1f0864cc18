/// Where the records of a run go.
///
/// `RunTarget.store(_:)` of SlipcastStores names a database.
public struct RunTarget: Sendable {
  package enum Kind: Sendable {
    case nothing
    case standardOutput
    case file(String)
    case table(String)
    case folder(String, OutputDivision, Compression)
    case store(any StoreTarget)
  }

  package let kind: Kind

  package init(_ kind: Kind) { self.kind = kind }

  /// Nowhere: the run only counts.
  public static let nothing = RunTarget(.nothing)
  /// Standard output, as NDJSON.
  public static let standardOutput = RunTarget(.standardOutput)

  /// A file of NDJSON, compressed if its name ends in `.gz` or `.zst`.
  ///
  /// It is called `PATH.part` until it is complete; an existing file is replaced.
  public static func file(_ path: String) -> RunTarget { RunTarget(.file(path)) }

  /// A file of CSV with one row for each event, compressed if its name ends in `.gz` or `.zst`.
  public static func table(_ path: String) -> RunTarget { RunTarget(.table(path)) }

  /// A folder of NDJSON files.
  public static func folder(
    _ path: String, by division: OutputDivision, compression: Compression = .none
  ) -> RunTarget {
    RunTarget(.folder(path, division, compression))
  }

  /// Its files; a run that ends early may leave them incomplete.
  package var writesFiles: Bool {
    switch kind {
    case .file, .table, .folder: true
    case .nothing, .standardOutput, .store: false
    }
  }

  package var store: (any StoreTarget)? { if case .store(let store) = kind { store } else { nil } }

  package var isTable: Bool { if case .table = kind { true } else { false } }

  /// The file, if it is one.
  package var path: String? {
    switch kind {
    case .file(let path), .table(let path): path
    case .nothing, .standardOutput, .folder, .store: nil
    }
  }
}

/// How the records of a run are divided among the files of a folder.
public enum OutputDivision: Hashable, Sendable {
  /// By the day of `signedDate`, UTC.
  case date
  /// By bundle id.
  case bundle
  /// By a number of records per file.
  case records(Int)
}

/// A database that a run can write to.
package protocol StoreTarget: Sendable {
  /// Where it is, without a password.
  var name: String { get }
  /// It keeps checkpoints and rejects; otherwise a run to it cannot be resumed.
  var keepsRuns: Bool { get }
  /// The number of bytes of records between two commits.
  var commitBytes: Int { get }
  /// Opens it, and creates it if it does not exist.
  ///
  /// - Returns: the sink for records, `nil` in a dry run; and the checkpoint to resume from, `nil` for a new run.
  /// - Throws: `StoreError`.
  func open(_ now: Checkpoint, resumes: Bool) throws -> (sink: (any StoreSink)?, before: Checkpoint?)
  /// What the same run counted, when it has been finished there; else `nil`.
  ///
  /// - Throws: `StoreError`.
  func finished(_ now: Checkpoint) throws -> RunCounts?
}
