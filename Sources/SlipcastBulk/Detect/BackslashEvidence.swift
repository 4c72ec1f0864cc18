import SlipcastSystem

/// Whether the backslashes of a TSV file are escapes, where both readings give records.
enum BackslashEvidence {
  /// What COPY of PostgreSQL and `mysql --batch` write behind a backslash.
  private static let escapes = Set("\\Ntnrbfv0Z".utf8)

  /// Every backslash begins an escape of COPY: a program that takes them as they are also writes `\"`, `\/` and `\u`.
  static func isCopy(_ file: InputFile, patterns: [String]) -> Bool {
    guard let member = try? SourceMembers(file, patterns: patterns).next() else { return false }
    var window = TextWindow(member)
    var isBehind = false
    while (try? window.readMore()) == true {
      for byte in window.text {
        if isBehind, !escapes.contains(byte) { return false }
        isBehind = !isBehind && byte == UInt8(ascii: "\\")
      }
      window.used = window.text.count
    }
    return true
  }
}
