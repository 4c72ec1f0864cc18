import CSlipcastProcess

/// The words that started the program.
enum CommandArguments {
  /// All words, the program's name first.
  ///
  /// Swift reads them from `/proc/self/cmdline`: an empty file system lacks it, and a loader that starts the program
  /// puts its own arguments there. The C library knows them in both cases.
  static let all: [String] = {
    var words: [String] = []
    while let word = slipcast_process_argument(Int32(words.count)) { words.append(String(cString: word)) }
    return words.isEmpty ? CommandLine.arguments : words
  }()

  /// The words as they were given, with `--resume`; passwords in them are left out.
  static func resuming(_ command: CommandDescription) -> String {
    var words = all.map { Databases.withoutPassword($0) }
    words[0] = "slipcast"
    if !words.contains("--resume") { words.insert("--resume", at: min(1 + command.words.count, words.count)) }
    return line(words)
  }

  /// Words as a shell reads them.
  static func line(_ words: [String]) -> String {
    words.map { word in
      let isPlain =
        !word.isEmpty
        && word.utf8.allSatisfy { byte in
          byte > 0x20 && byte < 0x7F && !"'\"\\$`&|;<>()*?[]#~!{}".utf8.contains(byte)
        }
      return isPlain ? word : hasControls(word) ? printed(word) : quote(Console.harmless(word))
    }.joined(separator: " ")
  }

  private static func hasControls(_ word: String) -> Bool { word.utf8.contains { $0 < 0x20 || $0 == 0x7F } }

  /// A text with a tab or a line feed, as every shell makes it of visible characters: `"$(printf '\011')"`.
  private static func printed(_ word: String) -> String {
    var text = ""
    for scalar in word.unicodeScalars {
      switch scalar {
      case "%": text += "%%"
      case "\\": text += "\\\\"
      case "'": text += "'\\''"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      default: text += Console.harmless(String(scalar))
      }
    }
    return "\"$(printf '\(text)')\""
  }

  /// A text in single quotes.
  private static func quote(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
