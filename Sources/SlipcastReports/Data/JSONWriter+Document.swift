import SlipcastComparison
import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

/// How documents for programs are laid out: a member of the outer object a line, an item of its lists a line.
extension JSONWriter {
  /// A whole document with the members that the body writes.
  static func document(_ body: (JSONWriter) -> Void) -> String {
    let writer = JSONWriter()
    writer.raw("{")
    body(writer)
    writer.raw("\n}\n")
    return writer.string
  }

  /// A member of the outer object on a separate line.
  func line(_ name: String, _ value: () -> Void) {
    comma()
    raw("\n  ")
    text(name)
    raw(": ")
    value()
  }

  func object(line name: String, _ write: () -> Void) { line(name) { object(write) } }

  /// A list of objects in such a member, one a line.
  func lines<Items: Collection>(_ name: String, _ items: Items, _ write: (Items.Element) -> Void) {
    line(name) { rows(items, margin: "  ", write) }
  }

  /// A list of objects, each on a separate line, deeper than the margin.
  func rows<Items: Collection>(_ items: Items, margin: String, _ write: (Items.Element) -> Void) {
    raw("[")
    for item in items {
      comma()
      raw("\n\(margin)  {")
      write(item)
      raw("}")
    }
    raw(items.isEmpty ? "]" : "\n\(margin)]")
  }

  /// A member with a value of a record, unless it is absent or not shown.
  func member(_ name: String, value: ComparedValue?) {
    guard let json = value?.json else { return }
    key(name)
    raw(json)
  }

  func members(_ counts: KeyValuePairs<String, Int>) { for (name, count) in counts { member(name, count) } }

  func members(_ counts: [DifferenceClass: Int]) {
    for differenceClass in Self.classes { member(differenceClass.rawValue, counts[differenceClass, default: 0]) }
  }

  func members(of note: Comparison.Note) {
    member("code", note.code)
    member("severity", note.severity)
    member("message", note.message)
  }

  /// The classes in the order of the contract, from alike to unlike.
  private static let classes: [DifferenceClass] = [
    .identical, .representation, .semantic, .derived, .legacyOnly, .serverOnly, .elsewhere, .repeated, .unknown,
    .timeDependent, .conflict,
  ]
}
