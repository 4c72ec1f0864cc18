internal import SlipcastMapping
@_spi(Slipcast) package import SlipcastWire

/// The state from which a run can be resumed, and by which it rejects changed inputs.
package struct Checkpoint: Sendable {
  /// The identity of a file: its length, and a hash of its first and last bytes.
  package struct SourceMark: Hashable, Sendable {
    /// The path as given, or the database and its table.
    package var name: String
    /// The length in bytes; `nil` for sources without a length, such as standard input.
    package var bytes: Int?
    /// SHA-256 of the first and the last 64 KiB; empty where the length is unknown.
    package var sha256: String
  }

  /// What writes it.
  package var kind = GuardedState.Writer.convert
  /// SHA-256 of the rules in force.
  package var rules = ""
  /// SHA-256 of everything else that determines the output: options, and the names of outputs.
  package var options = ""
  package var sources: [SourceMark] = []
  package var isFinished = false
  package var position = RunPosition()
  package var counts = RunCounts()
  package var outputs: [OutputState] = []

  package init() {}

  package var json: [UInt8] {
    GuardedState.seal(kind) { writer in
      writer.member("state", isFinished ? "finished" : "running")
      writer.member("rules", rules)
      writer.member("options", options)
      writer.object("position") {
        writer.member("source", position.source)
        writer.member("member", position.member)
        writer.member("records", position.records)
        writer.member("place", ifPresent: position.place)
        writer.member("behindMember", position.isBehindMember ? 1 : 0)
        writer.member("part", ifPresent: position.part)
      }
      writer.object("counts") {
        for (name, place) in RunCounts.all { writer.member(name, counts[keyPath: place]) }
        writer.object("findings") {
          for finding in counts.findings.byCode { writer.member(finding.code, finding.count) }
        }
        writer.object("reasons") {
          for (code, count) in counts.reasons.sorted(by: { $0.key < $1.key }) { writer.member(code, count) }
        }
        writer.list("bySource", counts.bySource.sorted { $0.key < $1.key }) { source in
          writer.member("name", source.key)
          writer.member("read", source.value.read)
          writer.member("rejected", source.value.rejected)
        }
      }
      Self.write(sources, outputs, to: writer)
    }
  }

  /// Reads what `json` wrote.
  ///
  /// - Throws: `StateFault` for anything else.
  package init(json: [UInt8], of kind: GuardedState.Writer = .convert) throws(StateFault) {
    self = try GuardedState.open(json, kind, Self.read)
    self.kind = kind
  }

  private static func read(_ root: JSONElement) -> Checkpoint? {
    guard let state = root["state"]?.string, ["running", "finished"].contains(state),
      let rules = root["rules"]?.string, let options = root["options"]?.string, let position = root["position"],
      let counts = root["counts"], root["sources"] != nil, root["outputs"] != nil, let files = files(of: root)
    else { return nil }
    var checkpoint = Checkpoint()
    checkpoint.isFinished = state == "finished"
    (checkpoint.rules, checkpoint.options) = (rules, options)
    (checkpoint.sources, checkpoint.outputs) = files
    guard let source = integer(position["source"]), let member = integer(position["member"]),
      let records = integer(position["records"]), let behind = integer(position["behindMember"])
    else { return nil }
    checkpoint.position = RunPosition(
      source: source, member: member, records: records, place: position["place"]?.string, isBehindMember: behind != 0,
      part: position["part"]?.string)
    for (name, place) in RunCounts.all {
      guard let value = integer(counts[name]) else { return nil }
      checkpoint.counts[keyPath: place] = value
    }
    guard checkpoint.counts.isBalanced, let findings = counts["findings"] else { return nil }
    for finding in findings.children {
      guard let value = integer(finding) else { return nil }
      checkpoint.counts.findings.add(finding.name, value)
    }
    return readParts(of: &checkpoint.counts, counts) ? checkpoint : nil
  }

  /// Reads the counts by reason and by source; false for damaged ones.
  private static func readParts(of counts: inout RunCounts, _ object: JSONElement) -> Bool {
    guard let reasons = object["reasons"], let sources = object["bySource"] else { return false }
    for reason in reasons.children {
      guard let value = integer(reason) else { return false }
      counts.reasons[reason.name] = value
    }
    for source in sources.children {
      guard let name = source["name"]?.string, let read = integer(source["read"]),
        let rejected = integer(source["rejected"])
      else { return false }
      counts.bySource[name] = RunCounts.OfSource(read: read, rejected: rejected)
    }
    return true
  }

  // MARK: checkpoints of every kind

  /// Writes the members about inputs and outputs.
  package static func write(_ sources: [SourceMark], _ outputs: [OutputState], to writer: JSONWriter) {
    writer.list("sources", sources) { source in
      writer.member("name", source.name)
      if let bytes = source.bytes { writer.member("bytes", bytes) }
      writer.member("sha256", source.sha256)
    }
    writer.list("outputs", outputs) { output in
      writer.member("path", output.path)
      writer.member("bytes", output.bytes)
      writer.member("sha256", output.sha256)
    }
  }

  /// Reads the members about inputs and outputs; `nil` for damaged ones.
  package static func files(of root: JSONElement) -> (sources: [SourceMark], outputs: [OutputState])? {
    var files: (sources: [SourceMark], outputs: [OutputState]) = ([], [])
    guard let sources = root["sources"], let outputs = root["outputs"] else { return nil }
    for source in sources.children {
      guard let name = source["name"]?.string, let hash = source["sha256"]?.string else { return nil }
      files.sources.append(SourceMark(name: name, bytes: integer(source["bytes"]), sha256: hash))
    }
    for output in outputs.children {
      guard let path = output["path"]?.string, let bytes = integer(output["bytes"]), let hash = output["sha256"]?.string
      else { return nil }
      files.outputs.append(OutputState(path: path, bytes: bytes, sha256: hash))
    }
    return files
  }

  /// A count, or the length of a file.
  package static func integer(_ element: JSONElement?) -> Int? {
    // No real count is larger, and adding to it would overflow.
    element?.integer.flatMap { Int(exactly: $0) }.flatMap { (0...1 << 48).contains($0) ? $0 : nil }
  }
}
