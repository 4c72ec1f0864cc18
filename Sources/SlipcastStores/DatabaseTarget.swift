public import SlipcastBulk
internal import SlipcastWire

extension RunTarget {
  /// A Slipcast store in SQLite or PostgreSQL, which is created if it does not exist.
  ///
  /// The store keeps its checkpoints and rejects, and drops records that it already has.
  public static func store(_ location: StoreLocation) -> RunTarget {
    RunTarget(.store(DatabaseTarget(location: location)))
  }

  /// The same store, of which a dry run only reports whether it could be written.
  package static func dryRun(_ location: StoreLocation) -> RunTarget {
    RunTarget(.store(DatabaseTarget(location: location, isDryRun: true)))
  }
}

private struct DatabaseTarget: StoreTarget {
  let location: StoreLocation
  var isDryRun = false

  var name: MaskedName { MaskedName(location) }
  var keepsRuns: Bool { !isDryRun }
  var holdsBothSides: Bool { true }
  var commitBytes: Int { Store.commitBytes }

  func open(_ now: Checkpoint, resumes: Bool) throws -> (sink: (any StoreSink)?, before: Checkpoint?) {
    guard !isDryRun else {
      // The dry run already reports a store of another program, or a newer one.
      _ = try Store.reader(location)
      return (nil, nil)
    }
    let (sink, bytes) = try Store.open(location, run: description(now), resume: resumes)
    guard let bytes else { return (sink, nil) }
    let found = try checkpoint(bytes, .convert, advice: "start over without --resume")
    if let difference = found.difference(from: now) {
      throw StoreError(
        .cannotResume, location.description, "resume", difference, advice: "repeat that command with --resume")
    }
    return (sink, found)
  }

  func openLive(_ now: Checkpoint, of journal: String) throws -> (sink: any StoreSink, before: Checkpoint?) {
    let run = RunDescription(
      fingerprint: now.fingerprint, sources: journal, version: Release.version,
      adviceWhenFull: "free some space; the server then continues by itself", isLive: true)
    let (sink, bytes): (any StoreSink, [UInt8]?)
    do {
      (sink, bytes) = try Store.open(location, run: run, resume: true)
    } catch let error as StoreError where error.kind == .cannotResume {
      return (try Store.open(location, run: run).sink, nil)
    }
    let advice = "restore the database from a copy, or name another one, which receives all events"
    return (sink, try bytes.map { try checkpoint($0, .serve, advice: advice) })
  }

  private func checkpoint(_ text: [UInt8], _ kind: GuardedState.Writer, advice: String) throws -> Checkpoint {
    do throws(StateFault) {
      return try Checkpoint(json: text, of: kind)
    } catch {
      throw StoreError(
        .cannotResume, location.description, "resume", "its last checkpoint: \(error.reason)", advice: advice)
    }
  }

  private func description(_ now: Checkpoint) -> RunDescription {
    let names = now.sources.map(\.name)
    let shown = names.prefix(20).joined(separator: " ") + (names.count > 20 ? " … \(names.count) in all" : "")
    return RunDescription(
      fingerprint: now.fingerprint, sources: shown, version: Release.version,
      adviceWhenFull: "free some space and continue with --resume")
  }

  func finished(_ now: Checkpoint) throws -> RunCounts? {
    guard keepsRuns, let last = try Store.reader(location)?.lastRun() else { return nil }
    guard last.state == "finished", last.fingerprint == now.fingerprint else { return nil }
    return last.checkpoint.flatMap { try? Checkpoint(json: $0).counts }
  }
}
