/// Writes a page in the language of man(7), for groff and mandoc alike.
struct Roff {
  private(set) var text = ""
  /// The last line was a heading, behind which a paragraph begins by itself.
  private var isHeaded = false

  mutating func title(_ name: String, section: Int, date: String, source: String, manual: String) {
    // A date is read by programs, which know no escapes there.
    text += ".TH \"\(Self.escape(name))\" \"\(section)\" \(date)"
    text += " \"\(Self.escape(source))\" \"\(Self.escape(manual))\"\n"
  }

  mutating func section(_ heading: String) { head("SH", heading) }
  mutating func subsection(_ heading: String) { head("SS", heading) }

  mutating func paragraph(_ words: String) {
    if !isHeaded { text += ".PP\n" }
    line(Self.escape(words))
  }

  /// A line of text in the language of the page.
  mutating func plain(_ escaped: String) { line(escaped) }

  /// A paragraph in bold, which heads what follows.
  mutating func heading(_ words: String) {
    text += ".PP\n"
    line(Self.bold(words))
  }

  /// A paragraph with a tag before it.
  ///
  /// - Parameter tag: already in the language of the page.
  mutating func tagged(_ tag: String, _ words: String) {
    text += ".TP\n"
    line(tag)
    line(Self.escape(words))
  }

  /// Paragraphs with tags inside the one above.
  mutating func nested(_ rows: [(tag: String, words: String)], _ after: String) {
    text += ".RS\n"
    for row in rows { tagged(Self.bold(row.tag), row.words) }
    text += ".RE\n"
    guard !after.isEmpty else { return }
    text += ".IP\n"
    line(Self.escape(after))
  }

  /// A command as it is typed; lines are not filled.
  mutating func example(_ command: String) {
    text += ".PP\n.RS 4\n.EX\n"
    line(Self.escape(command))
    text += ".EE\n.RE\n"
  }

  // MARK: the language

  static func bold(_ words: String) -> String { "\\fB\(escape(words))\\fR" }
  static func italic(_ words: String) -> String { "\\fI\(escape(words))\\fR" }

  private mutating func head(_ request: String, _ heading: String) {
    text += ".\(request) \"\(Self.escape(heading))\"\n"
    isHeaded = true
  }

  /// A line of text, which a dot or a quote at its beginning would turn into a request.
  private mutating func line(_ escaped: String) {
    text += (escaped.hasPrefix(".") ? "\\&" : "") + escaped + "\n"
    isHeaded = false
  }

  /// Words as they stand, whatever they hold: nothing is taken for a request, turned into another sign or lost.
  ///
  /// A bare hyphen, quote, caret, grave or tilde is shown as a typographic one, which no shell understands.
  static func escape(_ words: String) -> String {
    var escaped = ""
    for scalar in words.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "\"": escaped += "\\(dq"
      case "^": escaped += "\\(ha"
      case "`": escaped += "\\(ga"
      case "~": escaped += "\\(ti"
      case "…": escaped += "..."
      case "\n": escaped += " "
      default: escaped += scalar.isASCII ? String(scalar) : "\\[u\(hexadecimal(scalar))]"
      }
    }
    return escaped
  }

  private static func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
