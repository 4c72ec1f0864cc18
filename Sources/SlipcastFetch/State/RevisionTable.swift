internal import SlipcastBulk
import SlipcastSystem
internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// What a later run continues from: the last revision of each customer, and the events that were written.
///
/// It is kept in a file of lines next to the checkpoint.
struct RevisionTable {
  struct Entry: Sendable {
    var environment: Environment?
    var revision: String?
    /// Until when notifications were requested, in milliseconds since 1970 UTC.
    var until: Int64?
    /// What the last response held, where there are no revisions.
    var digest: String?
    /// The customer whose response contains this id.
    var coveredBy: String?
  }

  private(set) var entries: [String: Entry] = [:]
  private(set) var events: [KnownIDs.ID] = []

  init() {}

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - state: what the checkpoint says about the file: how much of it counts, and its digest.
  ///   - isFinished: nothing follows what counts.
  /// - Throws: `FileError` for a file with other content.
  init(_ path: String, _ state: OutputState, isFinished: Bool = false) throws(FileError) {
    var file = InputFile(path: path)
    file.limit = state.bytes
    guard try state.isContent(of: path), !isFinished || Platform.size(path) == state.bytes else {
      throw Self.damage(path)
    }
    var window = try TextWindow(file)
    let reader = JSONReader(names: [])
    while let line = try window.nextWholeLine() {
      guard reader.parse(JSONBuffer(window.text[line]), { add($0) }) != nil else { throw Self.damage(path) }
    }
  }

  private static func damage(_ path: String) -> FileError {
    FileError(
      path: path, doing: "continue from",
      reason: "its content is not what the checkpoint says; restore it from a copy, or delete the checkpoint to "
        + "start over")
  }

  private mutating func add(_ line: JSONElement) {
    if let text = line["uuid"]?.string {
      if let event = KnownIDs.ID(uuid: text) { events.append(event) }
    } else if let id = line["id"]?.string {
      entries[id] = Entry(
        environment: line["environment"]?.string.flatMap(Environment.init(rawValue:)),
        revision: line["revision"]?.string, until: line["until"]?.integer, digest: line["digest"]?.string,
        coveredBy: line["coveredBy"]?.string)
    }
  }

  static func line(_ id: String, _ entry: Entry) -> [UInt8] {
    JSONWriter.line(capacity: 128) { writer in
      writer.member("id", id)
      writer.member("environment", ifPresent: entry.environment?.rawValue)
      writer.member("revision", ifPresent: entry.revision)
      writer.member("until", ifPresent: entry.until)
      writer.member("digest", ifPresent: entry.digest)
      writer.member("coveredBy", ifPresent: entry.coveredBy)
    }.bytes
  }

  static func line(_ event: KnownIDs.ID) -> [UInt8] {
    Array("{\"uuid\":\"\(UUIDText.string(event.high, event.low))\"}\n".utf8)
  }
}
