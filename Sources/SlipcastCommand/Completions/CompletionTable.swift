import SlipcastWire

/// What the scripts of all shells complete, taken from the command descriptions.
enum CompletionTable {
  /// The words that can follow others, with what each does: `record` after `baseline`.
  static func next(after words: [String], _ commands: [CommandDescription]) -> [Choice] {
    var choices: [Choice] = []
    for command in commands where command.words.starts(with: words) && command.words.count > words.count {
      let word = command.words[words.count]
      guard !choices.contains(where: { $0.name == word }) else { continue }
      let isWhole = command.words.count == words.count + 1
      let members = commands.filter { $0.words.starts(with: words + [word]) }
      let rest = members.map { $0.words.dropFirst(words.count + 1).joined() }
      choices.append(Choice(word, isWhole ? command.summary : rest.joined(separator: ", ")))
    }
    return choices
  }

  /// The words that begin commands of two words, each once.
  static func families(_ commands: [CommandDescription]) -> [String] {
    next(after: [], commands).map(\.name).filter { word in !commands.contains { $0.words == [word] } }
  }

  /// The first sentence of a text, without its full stop: there is little room.
  static func sentence(_ text: String) -> String {
    let end = text.firstRange(of: ". ")?.lowerBound ?? (text.hasSuffix(".") ? text.index(before: text.endIndex) : nil)
    return String(text[..<(end ?? text.endIndex)])
  }

  /// A script with its parts in the place of their names: `@NAMES@`.
  static func script(_ template: [UInt8], _ parts: KeyValuePairs<String, String>) -> String {
    let script = String(decoding: template, as: UTF8.self).replacing("@VERSION@", with: Release.version)
    return parts.reduce(script) { $0.replacing("@\($1.key)@", with: $1.value) }
  }

  /// A text in single quotes, as sh, bash and zsh read it.
  static func quote(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
