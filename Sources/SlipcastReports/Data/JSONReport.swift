import SlipcastComparison
import SlipcastMapping
internal import SlipcastV2
@_spi(Slipcast) import SlipcastWire

struct JSONReport {
  let comparison: Comparison
  /// Called between two fields: takes what was written so far, or leaves it.
  var drain: (JSONWriter) -> Void = { _ in }

  var text: String { JSONWriter.document(members) }

  func members(_ writer: JSONWriter) {
    writer.line("schema") { writer.integer(1) }
    writer.line("verdict") { writer.text(comparison.verdict.rawValue) }
    writer.object(line: "counts") { writer.members(comparison.counts) }
    writer.line("unreadable") { writer.integer(Int64(comparison.unreadableCount)) }
    writer.line("ignored") { writer.integer(Int64(comparison.ignoredCount)) }
    writer.object(line: "legacy") { side(comparison.legacy, writer) }
    writer.object(line: "server") { side(comparison.server, writer) }
    writer.lines("notes", comparison.notes) { writer.members(of: $0) }
    writer.line("fields") { fields(writer) }
    if let origin = comparison.origin {
      writer.lines(of: comparison.gates)
      writer.lines(of: origin)
    }
  }

  private func fields(_ writer: JSONWriter) {
    writer.raw("[")
    for (place, one) in comparison.fields.enumerated() {
      drain(writer)
      writer.raw(place == 0 ? "\n    {" : ",\n    {")
      field(one, writer)
      writer.raw("}")
    }
    writer.raw(comparison.fields.isEmpty ? "]" : "\n  ]")
  }

  private func side(_ side: Comparison.Side, _ writer: JSONWriter) {
    writer.member("name", side.name)
    writer.member("description", side.description)
  }

  private func field(_ field: FieldDifference, _ writer: JSONWriter) {
    writer.member("v1Path", ifPresent: field.v1Path)
    writer.member("v2Path", ifPresent: field.v2Path)
    writer.member("v1", value: field.v1)
    writer.member("cast", value: field.cast)
    writer.member("v2", value: field.v2)
    writer.member("class", field.differenceClass.rawValue)
    if field.isUnreadable { writer.member("unreadable", true) }
    writer.member("rule", ifPresent: field.rule)
    writer.member("confidence", ifPresent: field.confidence?.rawValue)
    writer.member("explanation", field.explanation)
    writer.member("note", ifPresent: field.note)
    let source = field.sources.map(\.description).joined(separator: "; ")
    writer.member("source", ifPresent: source.isEmpty ? nil : source)
    if let storekit = field.storekit { column(storekit, writer) }
    if let ignored = field.ignored { reason(ignored, writer) }
  }

  private func column(_ storekit: StoreKitColumn, _ writer: JSONWriter) {
    writer.object("storekit") {
      writer.member("name", storekit.name)
      writer.member("cast", ifPresent: storekit.cast)
      writer.member("v2", ifPresent: storekit.v2)
    }
  }

  private func reason(_ ignored: IgnoredDifference, _ writer: JSONWriter) {
    writer.object("ignored") {
      writer.member("reason", ignored.reason)
      writer.member("list", ignored.list)
      writer.member("line", ignored.line)
      writer.member("until", ifPresent: ignored.until)
    }
  }
}

extension Comparison {
  private static let piece = 256 << 10

  /// Writes the JSON form in pieces: that of a history of 20,000 transactions has hundreds of megabytes.
  ///
  /// - Parameter emit: takes a piece; pieces end between fields.
  /// - Throws: what the closure throws.
  package func writeJSON(to emit: @escaping (String) throws -> Void) throws {
    var fault: (any Error)?
    var report = JSONReport(comparison: self)
    report.drain = { writer in
      guard writer.count > Self.piece else { return }
      do {
        if fault == nil { try emit(writer.string) }
      } catch {
        fault = error
      }
      writer.clear()
    }
    let writer = JSONWriter()
    writer.raw("{")
    report.members(writer)
    writer.raw("\n}\n")
    if let fault { throw fault }
    try emit(writer.string)
  }
}
