/// Looks into tables before a run writes anything.
package enum TableCheck {
  /// Rejects TSV with a backslash when no option states its meaning.
  ///
  /// - Throws: `BulkError`.
  package static func check(_ file: InputFile) throws(BulkError) {
    guard file.path != "-", file.table.form(of: file.path) == .tsv(nil) else { return }
    guard let member = try? SourceMembers(file, patterns: []).next() else { return }
    var (piece, offset): ([UInt8], Int) = ([], 0)
    while true {
      piece.removeAll(keepingCapacity: true)
      let got = (try? piece.append(Block.size, from: member.bytes)) ?? 0
      // Damage is reported by the run itself.
      if got == 0 { return }
      if let place = piece.firstIndex(of: UInt8(ascii: "\\")) { throw backslash(file.path, offset + place) }
      offset += got
    }
  }

  /// The meaning of a backslash is not known.
  static func backslash(_ name: String, _ offset: Int) -> BulkError {
    BulkError(
      path: name, doing: "read the table",
      reason: "the backslash at byte \(offset) may be an escape or a character; choose with --tsv copy (as COPY of "
        + "PostgreSQL and mysql --batch write) or --tsv plain")
  }
}
