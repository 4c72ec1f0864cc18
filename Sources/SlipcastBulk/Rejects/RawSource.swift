@_spi(Slipcast) internal import SlipcastWire

/// How a folder of raw rejects keeps those of one source: in a file that the same options read again.
package struct RawSource {
  /// What rejects call the source.
  let name: String
  /// The name of its file, without an ending that says how it was packed.
  let file: String
  /// What a file of sources says of it.
  let options: [ReadingOption]
  /// Its files may have several forms.
  let isArchive: Bool
  /// What decides whether one file can hold its rejects and those of another source.
  private let form: String

  /// - Parameters:
  ///   - number: of the source, from 1: two sources may have files of the same name.
  ///   - others: where rows have what, if the source does not state it.
  init(_ source: RecordSource, number: Int, others: RowPointers) {
    name = source.name
    var pointers = source.pointers ?? others
    switch source {
    case .rows:
      (file, isArchive) = ("\(number)-rows.ndjson", false)
      pointers = RawRow.pointers(pointers)
      options = Self.options(pointers)
      form = "rows"
    case .file(let input, _):
      let base = Self.unpacked(input.path)
      let endings = [".tar", ".tgz", ".tbz2", ".txz", ".zip"]
      isArchive = endings.contains { base.lowercased().hasSuffix($0) }
      file = "\(number)-\(base)"
      let table = Self.options(input.table, of: base)
      options = table + Self.options(pointers)
      let kind = isArchive ? "archive" : input.table.form(of: base).map { "\($0)" } ?? "lines"
      form = "\(kind) \(options)"
    }
  }

  /// One file can hold the rejects of all sources, and be read again.
  package static func fitInOneFile(_ sources: [RecordSource], _ others: RowPointers) -> Bool {
    Set(sources.map { RawSource($0, number: 1, others: others).form }).count < 2
  }

  /// The name of the file that a reject belongs to.
  func file(of raw: Reject.RawText) -> String {
    guard isArchive else { return file }
    switch raw.form {
    case .csv: return file + ".csv"
    case .tsv: return file + ".tsv"
    case nil: return file + ".ndjson"
    }
  }

  /// The files that it may have.
  var files: [String] { isArchive ? [".csv", ".tsv", ".ndjson"].map { file + $0 } : [file] }

  // MARK: what reads it

  private static func unpacked(_ path: String) -> String {
    guard path != "-" else { return "standard-input" }
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for ending in [".gz", ".zst", ".xz", ".bz2"] where name.lowercased().hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    return name
  }

  private static func options(_ pointers: RowPointers) -> [ReadingOption] {
    [("body", pointers.body), ("received-at", pointers.receivedAt), ("id", pointers.id)].compactMap { name, pointer in
      pointer.map { ReadingOption(name, $0.optionValue) }
    }
  }

  /// The options of a table or a log, as far as they act on a file of that name.
  private static func options(_ table: TableOptions, of name: String) -> [ReadingOption] {
    let isNamed = TableOptions().form(of: name) != nil
    switch table.form(of: name) {
    case .csv where table.escaping == .quoted: return [ReadingOption("tsv", TableOptions.Escaping.quoted.rawValue)]
    case .csv:
      let separator = table.separator.map { ReadingOption("separator", String(UnicodeScalar($0))) }
      return (isNamed ? [] : [ReadingOption("csv")]) + [separator].compactMap(\.self)
    case .tsv(let escaping): return escaping.map { [ReadingOption("tsv", $0.rawValue)] } ?? []
    case nil: return table.isLog ? [ReadingOption("from-logs")] : []
    }
  }
}

/// A row of a database as a line of raw rejects: with its key and the time at which it arrived.
enum RawRow {
  /// Where such a line has what.
  static func pointers(_ inBody: RowPointers) -> RowPointers {
    let body = JSONPointer(tokens: ["body"] + (inBody.body?.tokens ?? []))
    func place(_ pointer: JSONPointer?, _ own: String) -> JSONPointer {
      JSONPointer(tokens: pointer.map { ["body"] + $0.tokens } ?? [own])
    }
    return RowPointers(
      body: body, receivedAt: place(inBody.receivedAt, "receivedAt"), id: place(inBody.id, "id"))
  }

  /// The line; bytes that are no text are in base64, which is read again too.
  static func line(_ row: RowPage.Row, _ body: JSONText) -> [UInt8] {
    let writer = JSONWriter(capacity: body.count + 128)
    writer.raw("{")
    if let id = row.id { writer.member("id", id) }
    if let time = row.receivedAt { writer.member("receivedAt", time) }
    if row.isNull {
      writer.key("body")
      writer.raw("null")
    } else if let text = String(validating: body.buffer, as: UTF8.self) {
      writer.member("body", text)
    } else {
      writer.member("body", Base64.encode(Array(body.buffer)))
    }
    writer.raw("}")
    return Array(writer.string.utf8)
  }
}
