@_spi(Slipcast) package import SlipcastWire

/// The differences between two archives that a team knows and accepts, as a file in version control.
///
///     {"schema": 1,
///      "differences": [
///       {"path": "data.transactionInfo.appAccountToken", "class": "conflict", "kind": "changed", "legacy": "DID_RENEW",
///        "server": "DID_RENEW", "atMost": 12, "reason": "tokens were rewritten in 2024", "until": "2027-01-31"}]}
///
/// `kind` is a `DifferenceKind`. A difference without one, as older versions wrote it, accepts nothing, because it does not
/// say in which direction the sides may differ. `atMost` may be left out for any number of pairs, `until` for no end. A path may not hold patterns: what is accepted
/// is spelled out.
package struct Baseline: Hashable, Sendable {
  /// What reports call it: the file's path.
  package var name: String
  /// The differences, in the order of the file.
  package var differences: [KnownDifference]
  /// When it is read: differences count up to the end of their last day, UTC.
  package var now: Timestamp

  /// A baseline of known differences.
  package init(name: String, differences: [KnownDifference], now: Timestamp) {
    (self.name, self.differences, self.now) = (name, differences, now)
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
    self.init(name: name, differences: try BaselineReader.differences(JSONElement(tape: tape)), now: now)
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
    writer.raw("]}\n")
    return writer.string
  }
}

private enum BaselineReader {
  static func differences(_ root: JSONElement) throws(Baseline.Fault) -> [KnownDifference] {
    guard root["schema"]?.integer == 1, let list = root["differences"], list.kind == .array else {
      throw Baseline.Fault(description: "expected {\"schema\": 1, \"differences\": […]}, as baseline record writes it")
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
    let names = ["path", "class", "kind", "legacy", "server", "atMost", "reason", "until"]
    for child in item.children where !names.contains(child.name) {
      throw fault(place, "\"\(SafeText.words(child.name))\" is not one of \(names.joined(separator: ", "))")
    }
    func text(_ name: String) throws(Baseline.Fault) -> String {
      guard let text = item[name]?.string, !text.isEmpty else { throw fault(place, "expected a text \"\(name)\"") }
      return text
    }
    var kind: DifferenceKind?
    if item["kind"] != nil {
      kind = DifferenceKind(rawValue: try text("kind"))
      guard kind != nil else {
        throw fault(place, "\"kind\" is one of \(DifferenceKind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
    }
    var most: Int?
    if let element = item["atMost"] {
      guard let number = element.integer, number >= 0 else { throw fault(place, "\"atMost\" is a number of pairs") }
      most = Int(number)
    }
    var until: String?
    if item["until"] != nil {
      until = try text("until")
      guard until.flatMap({ Timestamp(day: $0) }) != nil else {
        throw fault(place, "\"until\" is a day, yyyy-MM-dd, the last on which it counts")
      }
    }
    return KnownDifference(
      path: try text("path"), differenceClass: try text("class"), kind: kind, legacy: try text("legacy"),
      server: try text("server"), atMost: most, reason: try text("reason"), until: until)
  }

  private static func fault(_ place: Int, _ message: String) -> Baseline.Fault {
    Baseline.Fault(description: "differences[\(place)]: \(message)")
  }
}
