import SlipcastComparison
import SlipcastMapping
@_spi(Slipcast) import SlipcastWire

/// The form for programs: one JSON document, a field a line.
struct JSONReport {
  /// The classes in the order of the contract, from alike to unlike.
  static let classes: [DifferenceClass] = [
    .identical, .representation, .semantic, .derived, .legacyOnly, .serverOnly, .timeDependent, .conflict,
  ]

  let comparison: Comparison

  var text: String {
    let writer = JSONWriter()
    writer.raw("{")
    member("schema", writer) { writer.integer(1) }
    member("verdict", writer) { writer.text(comparison.verdict.rawValue) }
    member("counts", writer) { counts(writer) }
    member("ignored", writer) { writer.integer(Int64(comparison.ignoredCount)) }
    member("legacy", writer) { side(comparison.legacy, writer) }
    member("server", writer) { side(comparison.server, writer) }
    member("notes", writer) { list(comparison.notes, writer) { note($0, writer) } }
    member("fields", writer) { list(comparison.fields, writer) { field($0, writer) } }
    writer.raw("\n}\n")
    return writer.string
  }

  /// A member of the outer object on a line of its own.
  private func member(_ name: String, _ writer: JSONWriter, _ value: () -> Void) {
    writer.comma()
    writer.raw("\n  ")
    writer.text(name)
    writer.raw(": ")
    value()
  }

  private func list<Item>(_ items: [Item], _ writer: JSONWriter, _ write: (Item) -> Void) {
    writer.raw("[")
    for item in items {
      writer.comma()
      writer.raw("\n    {")
      write(item)
      writer.raw("}")
    }
    writer.raw(items.isEmpty ? "]" : "\n  ]")
  }

  private func counts(_ writer: JSONWriter) {
    let counts = comparison.counts
    writer.raw("{")
    for differenceClass in Self.classes { writer.member(differenceClass.rawValue, counts[differenceClass, default: 0]) }
    writer.raw("}")
  }

  private func side(_ side: Comparison.Side, _ writer: JSONWriter) {
    writer.raw("{")
    writer.member("name", side.name)
    writer.member("description", side.description)
    writer.raw("}")
  }

  private func note(_ note: Comparison.Note, _ writer: JSONWriter) {
    writer.member("code", note.code)
    writer.member("severity", note.severity)
    writer.member("message", note.message)
  }

  private func field(_ field: FieldDifference, _ writer: JSONWriter) {
    words("v1Path", field.v1Path, writer)
    words("v2Path", field.v2Path, writer)
    json("v1", field.v1?.json, writer)
    json("cast", field.cast?.json, writer)
    json("v2", field.v2?.json, writer)
    writer.member("class", field.differenceClass.rawValue)
    words("rule", field.rule, writer)
    words("confidence", field.confidence?.rawValue, writer)
    writer.member("explanation", field.explanation)
    words("note", field.note, writer)
    let source = field.sources.map(\.description).joined(separator: "; ")
    words("source", source.isEmpty ? nil : source, writer)
    if let storekit = field.storekit { column(storekit, writer) }
    if let ignored = field.ignored { reason(ignored, writer) }
  }

  private func column(_ storekit: StoreKitColumn, _ writer: JSONWriter) {
    writer.key("storekit")
    writer.raw("{")
    writer.member("name", storekit.name)
    words("cast", storekit.cast, writer)
    words("v2", storekit.v2, writer)
    writer.raw("}")
  }

  private func reason(_ ignored: IgnoredDifference, _ writer: JSONWriter) {
    writer.key("ignored")
    writer.raw("{")
    writer.member("reason", ignored.reason)
    writer.member("list", ignored.list)
    writer.member("line", ignored.line)
    words("until", ignored.until, writer)
    writer.raw("}")
  }

  private func words(_ name: String, _ value: String?, _ writer: JSONWriter) {
    if let value { writer.member(name, value) }
  }

  private func json(_ name: String, _ value: String?, _ writer: JSONWriter) {
    guard let value else { return }
    writer.key(name)
    writer.raw(value)
  }
}
