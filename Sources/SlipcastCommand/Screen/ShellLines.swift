import SlipcastWire

/// A command in lines that a shell joins again.
enum ShellLines {
  /// Breaks at blanks outside of quotes; a backslash ends each line but the last one.
  static func broken(_ command: String, indent: Int, width: Int) -> [String] {
    guard indent + command.count > width else { return [TextLayout.blanks(indent) + command] }
    var lines: [String] = []
    var line = ""
    for word in words(command) {
      let margin = indent + (lines.isEmpty ? 0 : 2)
      // A blank and the backslash follow.
      if !line.isEmpty, margin + line.count + 1 + word.count + 2 > width {
        lines.append(TextLayout.blanks(margin) + line + " \\")
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [TextLayout.blanks(indent + (lines.isEmpty ? 0 : 2)) + line]
  }

  private static func words(_ command: String) -> [String] {
    var words = [""]
    var quote: Character?
    for character in command {
      if character == " ", quote == nil {
        words.append("")
        continue
      }
      if character == quote { quote = nil } else if quote == nil, "'\"".contains(character) { quote = character }
      words[words.count - 1].append(character)
    }
    return words.filter { !$0.isEmpty }
  }
}
