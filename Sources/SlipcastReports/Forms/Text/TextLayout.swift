/// Places words on lines.
enum TextLayout {
  /// Blocks of lines with an empty line between them; a line feed ends each line.
  static func blocks(_ blocks: [[String]]) -> String {
    blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// The text after so many blanks that it ends at a width.
  static func aligned(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// The text with blanks up to a width.
  static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The words in lines of up to 100 characters; `first` opens the first line, blanks as wide open the others.
  static func wrapped(_ text: String, after first: String, width: Int = 100) -> [String] {
    let margin = String(repeating: " ", count: first.count)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, margin.count + line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines.enumerated().map { ($0.offset == 0 ? first : margin) + $0.element }
  }
}
