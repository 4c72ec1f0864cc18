extension CommandArguments {
  /// The command that was given, with `--resume`; passwords in it are left out.
  static var resumeCommand: String { resumeCommand(words: 1) }

  /// The same for a command whose name has a number of words.
  static func resumeCommand(words count: Int) -> String {
    var words = all.map { Databases.withoutPassword($0) }
    words[0] = "slipcast"
    if !words.contains("--resume") { words.insert("--resume", at: min(1 + count, words.count)) }
    return words.map { word in
      let isPlain =
        !word.isEmpty
        && word.utf8.allSatisfy { byte in
          byte > 0x20 && byte < 0x7F && !"'\"\\$`&|;<>()*?[]#~!{}".utf8.contains(byte)
        }
      return isPlain ? word : CompletionTable.quote(Console.harmless(word))
    }.joined(separator: " ")
  }
}
