package import SlipcastBulk
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// The state from which a run is resumed.
package struct FetchCheckpoint: Sendable {
  /// SHA-256 of the options that decide what is requested.
  package var options = ""
  package var sources: [Checkpoint.SourceMark] = []
  package var isFinished = false
  /// The run continues a finished one, from its revisions.
  package var isIncremental = false
  /// When the run began, in milliseconds since 1970 UTC; it decides the times of notifications.
  package var begin: Int64 = 0
  /// Customers whose lines are all in the output.
  var done = 0
  /// Events of the next customer whose lines are in the output too.
  var sequence = 0
  package var counts = FetchCounts()
  /// The response that contains the id of a customer.
  struct Cover: Sendable {
    var by: Int32
    var environment: Environment
  }

  /// Customers whose ids a response for an earlier one contains.
  var covered: [Int32: Cover] = [:]
  var outputs: [OutputState] = []
  /// The table of revisions of the finished run that this one continues.
  var earlierTable: OutputState?

  package init() {}

  /// The checkpoint as one JSON object and a line feed.
  var json: [UInt8] {
    GuardedState.seal(.fetch) { writer in
      writer.member("state", isFinished ? "finished" : "running")
      writer.member("options", options)
      writer.member("incremental", isIncremental ? 1 : 0)
      writer.member("begin", begin)
      writer.member("done", done)
      writer.member("sequence", sequence)
      writer.object("counts") {
        for (name, count) in FetchCounts.names { writer.member(name, counts[keyPath: count]) }
      }
      Checkpoint.write(sources, outputs, to: writer)
      writer.list("covered", covered.sorted { $0.key < $1.key }) { pair in
        writer.member("customer", Int(pair.key))
        writer.member("by", Int(pair.value.by))
        writer.member("environment", pair.value.environment.rawValue)
      }
      if let earlierTable {
        writer.object("earlier") {
          writer.member("bytes", earlierTable.bytes)
          writer.member("sha256", earlierTable.sha256)
        }
      }
    }
  }

  /// Parses the output of `json`.
  ///
  /// - Throws: `StateFault` for anything else.
  package init(json: [UInt8]) throws(StateFault) { self = try GuardedState.open(json, .fetch, Self.read) }

  private static func read(_ root: JSONElement) -> FetchCheckpoint? {
    let number = Checkpoint.integer
    guard let state = root["state"]?.string, ["running", "finished"].contains(state),
      let options = root["options"]?.string, let incremental = number(root["incremental"]),
      let begin = number(root["begin"]), let done = number(root["done"]), let sequence = number(root["sequence"]),
      let counts = root["counts"], let covered = root["covered"], let files = Checkpoint.files(of: root)
    else { return nil }
    var found = FetchCheckpoint()
    (found.sources, found.outputs) = files
    (found.options, found.begin, found.done, found.sequence) = (options, Int64(begin), done, sequence)
    (found.isFinished, found.isIncremental) = (state == "finished", incremental == 1)
    for (name, count) in FetchCounts.names {
      guard let value = number(counts[name]) else { return nil }
      found.counts[keyPath: count] = value
    }
    for pair in covered.children {
      guard let one = number(pair["customer"]), let by = number(pair["by"]),
        let environment = pair["environment"]?.string.flatMap(Environment.init(rawValue:))
      else { return nil }
      found.covered[Int32(truncatingIfNeeded: one)] = Cover(by: Int32(truncatingIfNeeded: by), environment: environment)
    }
    if let earlier = root["earlier"] {
      guard let bytes = number(earlier["bytes"]), let digest = earlier["sha256"]?.string else { return nil }
      found.earlierTable = OutputState(path: "", bytes: bytes, sha256: digest)
    }
    return found
  }

  /// What the run's log and its checkpoint have in common, and no other run's log has.
  var identity: String { "\(options) \(begin)" }

  /// The checkpoint of a run that continues this finished one.
  package func continued(by fresh: FetchCheckpoint, table: String) -> FetchCheckpoint {
    var next = fresh
    next.isIncremental = true
    next.earlierTable = outputs.first { $0.path == table }
    return next
  }

  /// Why a run cannot be resumed from here; `nil` when it can.
  ///
  /// A finished run is continued with other inputs too: customers are added to an archive.
  package func difference(from now: FetchCheckpoint) -> String? {
    if options != now.options { return "other options are given, or another endpoint" }
    guard !isFinished else { return nil }
    if sources.map(\.name) != now.sources.map(\.name) { return "the inputs are others" }
    if let (_, other) = zip(sources, now.sources).first(where: { $0 != $1 }) {
      return "the content of \(other.name) changed"
    }
    return nil
  }
}
