import SlipcastWire

/// What the scripts of all shells complete, taken from the command descriptions.
enum CompletionTable {
  /// The values that an option accepts.
  enum Value {
    case none
    case words([Choice])
    case files
    case folders
    /// A number, a time, a text: nothing to offer.
    case free
  }

  static func value(of option: Option) -> Value {
    if option.value == nil { return .none }
    if !option.choices.isEmpty { return .words(option.choices) }
    if option.file == nil { return .free }
    return option.isFolder ? .folders : .files
  }

  /// The words that can follow others, with what each does: `record` after `baseline`.
  static func next(after words: [String], _ commands: [CommandDescription]) -> [Choice] {
    var choices: [Choice] = []
    for command in commands where command.words.starts(with: words) && command.words.count > words.count {
      let word = command.words[words.count]
      guard !choices.contains(where: { $0.name == word }) else { continue }
      let isWhole = command.words.count == words.count + 1
      let members = commands.filter { $0.words.starts(with: words + [word]) }
      let means =
        isWhole
        ? command.summary
        : members.map { $0.words.dropFirst(words.count + 1).joined() }
          .joined(separator: ", ")
      choices.append(Choice(word, means))
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

  /// The first lines of a script.
  static func head(_ shell: String) -> String {
    """
    # \(shell) completion for slipcast \(Release.version), made by: slipcast completions \(shell)

    """
  }

  /// A text in single quotes, as sh, bash and zsh read it.
  static func quote(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
