import SlipcastBulk
@_spi(Slipcast) import SlipcastWire

/// What `detect` prints: names of places, kinds of records and counts, never a value.
enum DetectText {
  static func text(_ input: DetectedInput) -> String {
    let found = input.found
    var lines = ["\(Console.harmless(InputFile.title(input.name))): \(input.found.form.rawValue)\(counts(input))"]
    if let fault = found.fault { lines.append("  \(Console.harmless(fault))") }
    if let records = records(input) { lines.append("  records: \(records)") }
    if !columns(found).isEmpty {
      let names = columns(found).map { Console.harmless($0) }.joined(separator: ", ")
      lines.append("  columns: \(names)\(found.profile.hasMoreColumns ? ", …" : "")")
    }
    lines += found.notes.map { "  note: \(Console.harmless($0))" }
    for choice in input.choices {
      let values = choice.values.map(Console.harmless).joined(separator: " or ")
      lines.append("  choose \(input.isLocation ? "\(choice.option)=" : "--\(choice.option) ")\(values)")
    }
    if !input.isReadable, found.fault == nil {
      lines.append("  no record found; name the place of the record with --body, or see Examples/sources.md")
    } else if input.isReadable {
      for (use, command) in input.commands {
        let line = "  \(use): \(command)"
        let isFitting = line.count <= Screen.columnsOfCode
        lines += isFitting ? [line] : ["  \(use):", String(Help.shell(command, indent: 4).dropLast())]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func counts(_ input: DetectedInput) -> String {
    let profile = input.found.profile
    if input.found.form == .store { return ", converted before" }
    var words = [", \(profile.rows.grouped) \(profile.rows == 1 ? "row" : "rows") looked at"]
    if let files = input.files { words.append(" in \(files.looked.grouped) of \(files.all.grouped) files") }
    if profile.unreadable > 0 { words.append(", \(profile.unreadable.grouped) unreadable") }
    if profile.skippedLines > 0 { words.append(", \(profile.skippedLines.grouped) lines without a record") }
    return words.joined()
  }

  /// The kinds of the records; of every column, where a person chooses the one; `nil` without any.
  private static func records(_ input: DetectedInput) -> String? {
    let found = input.found
    if let choice = found.choices.first(where: { $0.option == "body" }) {
      let columns = choice.values.compactMap { found.column(at: $0) }
      return columns.map { words($0.kinds, in: $0.pointer.optionValue) }.joined(separator: "; ")
    }
    if found.kinds.isEmpty { return nil }
    let converted = found.isServer ? ", V2: no conversion is needed" : ""
    return words(found.kinds, in: found.options.first { $0.name == "body" }?.value) + converted
  }

  private static func words(_ kinds: [String: Int], in place: String?) -> String {
    let kinds = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return kinds.map { "\($0.value.grouped) \($0.key)" }.joined(separator: ", ")
      + (place.map { " in \(Console.harmless($0))" } ?? "")
  }

  /// The names of the columns, where a row has more than the record.
  private static func columns(_ found: Detection) -> [String] {
    guard found.profile.whole.recordCount == 0 || found.options.contains(where: { $0.name == "body" }) else {
      return []
    }
    return found.profile.columns.filter { $0.pointer.tokens.count == 1 }.map(\.pointer.optionValue)
  }

  /// One line of JSON.
  static func json(_ input: DetectedInput) -> String {
    let (found, profile) = (input.found, input.found.profile)
    return JSONWriter.object(capacity: 1024) { writer in
      writer.member("input", input.name)
      writer.member("form", found.form.rawValue)
      writer.member("rows", profile.rows)
      writer.member("unreadable", profile.unreadable)
      if profile.skippedLines > 0 { writer.member("skippedLines", profile.skippedLines) }
      writer.member("isWhole", profile.isWhole)
      writer.member("columns", columns(found))
      writer.object("kinds") {
        for kind in found.kinds.sorted(by: { $0.key < $1.key }) { writer.member(kind.key, kind.value) }
      }
      input.writeOptions(to: writer)
      input.writeChoices(to: writer)
      if !found.notes.isEmpty { writer.member("notes", found.notes) }
      writer.member("fault", ifPresent: found.fault)
    }.string + "\n"
  }
}
