package import SlipcastSystem

package enum TableCheck {
  /// Rejects TSV with a backslash when no option states its meaning.
  package static func check(_ file: InputFile) throws(FileError) {
    guard file.path != "-", file.table.form(of: file.path) == .tsv(nil) else { return }
    guard let member = try? SourceMembers(file, patterns: []).next(), member.refusal == nil else { return }
    var window = TextWindow(member)
    // Damage is reported by the run itself.
    while (try? window.readMore()) == true {
      if let place = Platform.find(UInt8(ascii: "\\"), in: window.text.span) {
        throw backslash(file.path, window.base + place)
      }
      window.used = window.text.count
    }
  }

  /// The meaning of a backslash is not known.
  static func backslash(_ name: String, _ offset: Int) -> FileError {
    FileError(
      path: name, doing: "read the table",
      reason: "the backslash at byte \(offset) may be an escape or a character; choose with --tsv copy (as COPY of "
        + "PostgreSQL and mysql --batch write) or --tsv plain")
  }
}
