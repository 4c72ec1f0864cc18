import SlipcastBulk
import SlipcastStores
import SlipcastWire

/// Databases as inputs and targets of `convert`.
enum Databases {
  /// The rows that an input names; `nil` for a file.
  ///
  /// - Throws: `StoreError`, and `BulkError` for the location of a system that is not read.
  static func rows(_ name: String) throws -> (any RowFeed)? {
    try ForeignLocation.check(name)
    return StoreLocation.isLocation(name) ? try Store.rows(try StoreLocation(name)) : nil
  }

  /// The database that records are to go to; `nil` for a file.
  ///
  /// - Throws: `StoreError`, and `UsageError` for options that a database has no place for.
  static func target(_ name: String, _ arguments: Arguments) throws -> DatabaseTarget? {
    guard StoreLocation.isTarget(name) else { return nil }
    for option in ["plain", "sign"] where arguments.has(option) {
      let reason = "a database keeps decoded records, with \"migration\" in separate columns"
      throw UsageError(
        "--\(option) does not go with --to \(try StoreLocation(name)): \(reason)", ConvertCommand.description)
    }
    return DatabaseTarget(
      location: try StoreLocation(name), isExecuted: arguments.has("execute") && !arguments.has("dry-run"),
      setsCommits: arguments.has("checkpoint-every"))
  }

  /// A word of the command line without the password that may be in it.
  static func withoutPassword(_ word: String) -> String {
    let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0].hasPrefix("--"), StoreLocation.isLocation(parts[1]) {
      return parts[0] + "=" + withoutPassword(parts[1])
    }
    guard let scheme = ["postgres://", "postgresql://"].first(where: { word.hasPrefix($0) }) else { return word }
    var halves = word.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if let sign = halves[0].prefix(while: { $0 != "/" }).lastIndex(of: "@") {
      let user = halves[0][..<sign].prefix { $0 != ":" }
      halves[0] = user + halves[0][sign...]
    }
    if halves.count == 2 {
      let kept = halves[1].split(separator: "&").filter { parameter in
        !PasswordMask.isSecret(String(parameter.prefix { $0 != "=" }))
      }
      halves = kept.isEmpty ? [halves[0]] : [halves[0], kept.joined(separator: "&")[...]]
    }
    return PasswordMask.mask(scheme + halves.joined(separator: "?"))
  }
}

/// A database that records go to, or would go to.
struct DatabaseTarget {
  let location: StoreLocation
  /// Records are written; else the run is a dry run.
  let isExecuted: Bool
  /// `--checkpoint-every` says when to commit.
  let setsCommits: Bool

  /// Opens the store.
  ///
  /// - Returns: the checkpoint to resume from; `nil` for a new run.
  /// - Throws: `StoreError`.
  func open(_ destination: RunDestination, _ now: Checkpoint, resumes: Bool) throws -> Checkpoint? {
    guard isExecuted else {
      // The dry run already reports a store of another program, or a newer one.
      _ = try Store.reader(location)
      destination.known = KnownIDs(memory: 256 << 20)
      destination.isRehearsal = true
      return nil
    }
    let names = now.sources.map(\.name)
    let shown = names.prefix(20).joined(separator: " ") + (names.count > 20 ? " … \(names.count) in all" : "")
    let run = RunDescription(
      fingerprint: now.fingerprint, sources: shown, version: Release.version,
      adviceWhenFull: "free some space and continue with --resume")
    let (sink, bytes) = try Store.open(location, run: run, resume: resumes)
    destination.store = sink
    if !setsCommits { destination.commitBytes = Store.commitBytes }
    guard let bytes else { return nil }
    guard let found = Checkpoint(json: bytes) else {
      throw StoreError(
        .cannotResume, location.description, "resume", "another version of slipcast wrote its checkpoint",
        advice: "start over without --resume")
    }
    if let difference = found.difference(from: now) {
      throw StoreError(
        .cannotResume, location.description, "resume", difference, advice: "repeat that command with --resume")
    }
    return found
  }

  /// How many records the same run rejected, when it has been finished there; else `nil`.
  func finished(_ now: Checkpoint) throws -> Int? {
    guard isExecuted, let last = try Store.reader(location)?.lastRun() else { return nil }
    return last.state == "finished" && last.fingerprint == now.fingerprint ? last.rejected : nil
  }

  /// What a run with --execute would have done.
  func dryRunMessage(_ counts: RunCounts) throws -> String {
    let there =
      if let found = try Store.reader(location)?.counts() {
        "which contains \(ClosingTable.grouped(found.notifications)) notifications and "
          + "\(ClosingTable.grouped(found.answers)) answers; those that are among them already would be dropped too"
      } else {
        "which would be made"
      }
    return
      "slipcast: dry run: nothing was written. With --execute \(ClosingTable.grouped(counts.converted)) records "
      + "would go to \(Console.harmless(location.description)), \(there)\n"
  }
}
