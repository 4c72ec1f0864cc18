@_spi(Slipcast) package import SlipcastWire

/// The differences between two archives that a team knows and accepts, as a file in version control.
///
///     {"schema": 1,
///      "differences": [
///       {"path": "data.transactionInfo.appAccountToken", "class": "conflict", "kind": "changed", "legacy": "DID_RENEW",
///        "server": "DID_RENEW", "atMost": 12, "reason": "tokens were rewritten in 2024", "until": "2027-01-31"}]}
///
/// Beside `differences` a file can have `missing`, single events without a counterpart that are accepted:
///
///      {"type": "REFUND", "side": "legacy", "originalTransactionId": "2000000400000001",
///       "transactionId": "2000000400000007", "time": 1735689600000, "reason": "a test purchase"}
///
/// Each line accepts one event: of several that nothing distinguishes, each has a line. `side` is the archive that has the
/// event; a line may leave out `side` and `transactionId`.
///
/// `kind` is a `DifferenceKind`. A difference without one, as older versions wrote it, accepts nothing, because it does not
/// say in which direction the sides may differ. `atMost` may be left out for any number of pairs, `until` for no end. A path may not hold patterns: what is accepted
/// is spelled out.
package struct Baseline: Hashable, Sendable {
  /// What reports call it: the file's path.
  package var name: String
  /// The differences, in the order of the file.
  package var differences: [KnownDifference]
  /// Single missing events, in the order of the file.
  package var events: [KnownEvent]
  /// When it is read: differences count up to the end of their last day, UTC.
  package var now: Timestamp

  /// A baseline of known differences.
  package init(name: String, differences: [KnownDifference], events: [KnownEvent] = [], now: Timestamp) {
    (self.name, self.differences, self.events, self.now) = (name, differences, events, now)
  }

  /// Accepts one more missing event; an expired line that accepted it is removed.
  package mutating func accept(_ event: KnownEvent) {
    events.removeAll { $0.accepts(event) && $0.isExpired(at: now) }
    events.append(event)
  }

  /// A file that is not a baseline.
  package struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was expected and found, with the place.
    package var description: String
  }

  /// Reads a file.
  ///
  /// - Throws: `Fault` with the place and what was expected there.
  package init(json: [UInt8], name: String, now: Timestamp) throws(Fault) {
    let text = JSONBuffer(json)
    let reader = JSONReader(names: [])
    let tape: JSONTape
    do throws(JSONError) {
      tape = try reader.read(text)
    } catch {
      throw Fault(description: "byte \(error.offset): \(error.message)")
    }
    let root = JSONElement(tape: tape)
    self.init(
      name: name, differences: try BaselineReader.differences(root), events: try BaselineReader.events(root), now: now)
  }

  /// The file's text, a difference a line.
  package var json: String {
    let writer = JSONWriter(capacity: 4096)
    writer.raw("{\"schema\": 1,\n \"differences\": [")
    for (place, difference) in differences.enumerated() {
      writer.raw(place == 0 ? "\n  {" : ",\n  {")
      writer.member("path", difference.path)
      writer.member("class", difference.differenceClass)
      writer.member("kind", ifPresent: difference.kind?.rawValue)
      writer.member("legacy", difference.legacy)
      writer.member("server", difference.server)
      if let most = difference.atMost { writer.member("atMost", most) }
      writer.member("reason", difference.reason)
      writer.member("until", ifPresent: difference.until)
      writer.raw("}")
    }
    writer.raw("]")
    if !events.isEmpty {
      writer.raw(",\n \"missing\": [")
      for (place, event) in events.enumerated() {
        writer.raw(place == 0 ? "\n  {" : ",\n  {")
        writer.member("type", event.type)
        writer.member("side", ifPresent: event.side?.rawValue)
        writer.member("originalTransactionId", event.originalTransactionId)
        writer.member("transactionId", ifPresent: event.transactionId)
        writer.member("time", ifPresent: event.time)
        writer.member("reason", event.reason)
        writer.member("until", ifPresent: event.until)
        writer.raw("}")
      }
      writer.raw("]")
    }
    writer.raw("}\n")
    return writer.string
  }
}

private enum BaselineReader {
  static func differences(_ root: JSONElement) throws(Baseline.Fault) -> [KnownDifference] {
    guard root["schema"]?.integer == 1, let list = root["differences"], list.kind == .array else {
      throw Baseline.Fault(description: "expected {\"schema\": 1, \"differences\": […]}, as baseline record writes it")
    }
    let names = ["schema", "differences", "missing"]
    for child in root.children where !names.contains(child.name) {
      throw Baseline.Fault(
        description: "\"\(SafeText.words(child.name))\" is not one of \(names.joined(separator: ", "))")
    }
    var differences: [KnownDifference] = []
    var seen: Set<KnownDifference.Identity> = []
    for (place, item) in list.children.enumerated() {
      let difference = try difference(item, place)
      guard seen.insert(difference.identity).inserted else {
        throw fault(place, "the same path, class, kind and events are listed twice")
      }
      differences.append(difference)
    }
    return differences
  }

  private static func difference(_ item: JSONElement, _ place: Int) throws(Baseline.Fault) -> KnownDifference {
    let entry = BaselineEntry(item, "differences", place)
    try entry.check(["path", "class", "kind", "legacy", "server", "atMost", "reason", "until"])
    var kind: DifferenceKind?
    if item["kind"] != nil {
      kind = DifferenceKind(rawValue: try entry.text("kind"))
      guard kind != nil else {
        throw fault(place, "\"kind\" is one of \(DifferenceKind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
    }
    var most: Int?
    if let element = item["atMost"] {
      guard let number = element.integer, number >= 0 else { throw fault(place, "\"atMost\" is a number of pairs") }
      most = Int(number)
    }
    return KnownDifference(
      path: try entry.text("path"), differenceClass: try entry.text("class"), kind: kind,
      legacy: try entry.text("legacy"), server: try entry.text("server"), atMost: most,
      reason: try entry.text("reason"), until: try entry.until())
  }

  static func events(_ root: JSONElement) throws(Baseline.Fault) -> [KnownEvent] {
    guard let list = root["missing"] else { return [] }
    guard list.kind == .array else { throw Baseline.Fault(description: "\"missing\" is a list of single events") }
    var events: [KnownEvent] = []
    for (place, item) in list.children.enumerated() { events.append(try event(item, place)) }
    return events
  }

  private static func event(_ item: JSONElement, _ place: Int) throws(Baseline.Fault) -> KnownEvent {
    let entry = BaselineEntry(item, "missing", place)
    try entry.check(["type", "side", "originalTransactionId", "transactionId", "time", "reason", "until"])
    var time: Int64?
    if let element = item["time"] {
      time = element.integer
      guard time != nil else {
        throw entry.fault("\"time\" is that of one event, as the report has it: milliseconds since 1970 UTC")
      }
    }
    var side: MissingEvent.Side?
    if item["side"] != nil {
      side = MissingEvent.Side(rawValue: try entry.text("side"))
      guard side != nil else {
        throw entry.fault("\"side\" is one of \(MissingEvent.Side.allCases.map(\.rawValue).joined(separator: ", "))")
      }
    }
    return KnownEvent(
      type: try entry.text("type"), side: side, originalTransactionId: try entry.text("originalTransactionId"),
      transactionId: item["transactionId"] == nil ? nil : try entry.text("transactionId"), time: time,
      reason: try entry.text("reason"), until: try entry.until())
  }

  private static func fault(_ place: Int, _ message: String) -> Baseline.Fault {
    Baseline.Fault(description: "differences[\(place)]: \(message)")
  }
}

/// One line of a baseline, with its place for errors.
private struct BaselineEntry {
  private let item: JSONElement
  private let list: String
  private let place: Int

  init(_ item: JSONElement, _ list: String, _ place: Int) { (self.item, self.list, self.place) = (item, list, place) }

  func check(_ names: [String]) throws(Baseline.Fault) {
    for child in item.children where !names.contains(child.name) {
      throw fault("\"\(SafeText.words(child.name))\" is not one of \(names.joined(separator: ", "))")
    }
  }

  func text(_ name: String) throws(Baseline.Fault) -> String {
    guard let text = item[name]?.string, !text.isEmpty else { throw fault("expected a text \"\(name)\"") }
    return text
  }

  func until() throws(Baseline.Fault) -> String? {
    guard item["until"] != nil else { return nil }
    let day = try text("until")
    guard Timestamp(day: day) != nil else { throw fault("\"until\" is a day, yyyy-MM-dd, the last on which it counts") }
    return day
  }

  func fault(_ message: String) -> Baseline.Fault { Baseline.Fault(description: "\(list)[\(place)]: \(message)") }
}
