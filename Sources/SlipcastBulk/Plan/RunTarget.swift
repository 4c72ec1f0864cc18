import SlipcastSystem

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

  /// The path of its file or folder.
  private var place: String? {
    switch kind {
    case .file(let path), .table(let path), .folder(let path, _, _): path
    case .nothing, .standardOutput, .store: nil
    }
  }

  /// It has files; a run that ends early may leave them incomplete.
  package var writesFiles: Bool { place != nil }
  package var store: (any StoreTarget)? { if case .store(let store) = kind { store } else { nil } }

  package var isTable: Bool { if case .table = kind { true } else { false } }

  /// Its name in messages, without a password; empty for streams.
  package var name: MaskedName { store?.name ?? place.map(MaskedName.init(path:)) ?? .nothing }

  package var path: String? { if case .folder = kind { nil } else { place } }

  /// The same target, named so that every spelling of its path is one name.
  package var resolved: RunTarget {
    switch kind {
    case .file(let path): .file(Platform.resolved(path))
    case .table(let path): .table(Platform.resolved(path))
    case .folder(let path, let division, let compression):
      .folder(Platform.resolved(path), by: division, compression: compression)
    case .nothing, .standardOutput, .store: self
    }
  }

  /// Opens what it writes to, unless that is a database.
  ///
  /// - Parameters:
  ///   - states: what is final of all files in a resumed run.
  ///   - others: files of the run that do not belong to the target.
  ///   - isGrowing: files have their final names from the start, so that others can read them meanwhile.
  package func openFiles(
    of destination: RunDestination, resuming states: [OutputState]?, besides others: [String?],
    isResumable: Bool = true, isGrowing: Bool = false
  ) throws {
    func file(_ path: String) throws -> FileOutput {
      let state = states?.first { $0.path == path }
      if isGrowing { return try FileOutput(growing: path, resuming: state) }
      return try FileOutput(path, isResumable: isResumable, resuming: state)
    }
    switch kind {
    case .standardOutput: destination.output = StreamOutput()
    case .nothing, .store: break
    case .file(let path): destination.output = try file(path)
    case .table(let path):
      let output = try file(path)
      if output.isEmpty || output.earlier?.isEmpty == true {
        try output.write(EventTable.header)
      } else if let earlier = output.earlier, !EventTable.isHeader(earlier.first) {
        let reason = "it begins with another header row than CSV of slipcast; name another file"
        throw FileError(path: path, doing: "append to", reason: reason)
      }
      destination.output = output
    case .folder(let path, let division, let compression):
      destination.division = division
      destination.output = try SplitOutput(
        path, compression: compression, isResumable: isResumable,
        resuming: states?.filter { !others.contains($0.path) }, isGrowing: isGrowing)
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
  /// Where it is.
  var name: MaskedName { get }
  /// It keeps checkpoints and rejects; otherwise a run to it cannot be resumed.
  var keepsRuns: Bool { get }
  /// It takes V2 records next to converted ones.
  var holdsBothSides: Bool { get }
  var commitBytes: Int { get }
  /// Opens it, and creates it if it does not exist.
  ///
  /// - Returns: the sink for records, `nil` in a dry run; and the checkpoint to resume from, `nil` for a new run.
  func open(_ now: Checkpoint, resumes: Bool) throws -> (sink: (any StoreSink)?, before: Checkpoint?)
  /// Goes on with the run of a journal, or begins one where the newest run of the store is another one.
  ///
  /// A run that begins again delivers all events once more; the store drops those that it has.
  func openLive(_ now: Checkpoint, of journal: String) throws -> (sink: any StoreSink, before: Checkpoint?)
  /// What the same run counted, when it has been finished there; else `nil`.
  func finished(_ now: Checkpoint) throws -> RunCounts?
}
