/// Places words on the lines of a terminal.
package enum TextLayout {
  /// The characters of a line of text that is not written for a terminal, at most, unless a single word is longer.
  package static let width = 100

  /// The columns for which text is laid out; a terminal with fewer or more breaks its lines or leaves room.
  package static let widths = 40...140

  /// The text after so many blanks that it ends at a width.
  package static func aligned(_ text: String, to width: Int) -> String { blanks(width - text.count) + text }

  package static func padded(_ text: String, to width: Int) -> String { text + blanks(width - text.count) }

  /// So many blanks; none for a number below zero.
  package static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

  /// The words in lines.
  ///
  /// - Parameters:
  ///   - first: What opens the first line.
  ///   - hanging: The blanks in front of the others; as many as `first` has characters if not given.
  ///   - keepsBlanks: Several blanks between two words stay.
  package static func wrapped(
    _ text: String, after first: String = "", hanging: Int? = nil, keepsBlanks: Bool = false, width: Int = width
  ) -> [String] {
    var lines: [String] = []
    var line = ""
    func margin() -> String { lines.isEmpty ? first : blanks(hanging ?? first.count) }
    for word in text.split(separator: " ", omittingEmptySubsequences: !keepsBlanks) {
      if !line.isEmpty, margin().count + line.count + 1 + word.count > width {
        lines.append(margin() + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [margin() + line]
  }

  /// A line in pieces that fit into a terminal's columns; colors continue in the next piece.
  ///
  /// It is broken at blanks, and a word that is too long at any character. Pieces after the first begin a little
  /// further to the right than the line.
  package static func fitted(_ line: String, to width: Int) -> [String] {
    guard line.utf8.count > width else { return [line] }
    return LineFitting(line, width: width).pieces()
  }

  /// Blocks of lines with an empty line between them; a line feed ends each line.
  package static func blocks(_ blocks: [[String]]) -> String {
    blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }
}
