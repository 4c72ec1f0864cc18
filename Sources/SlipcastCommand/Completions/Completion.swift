import SlipcastMapping
import SlipcastWire

/// What can complete the last of the words that are being typed; the scripts of all shells ask for it.
struct Completion {
  /// `SLIPCAST_COMPLETE` makes the program answer the scripts, whatever its value is.
  static let variable = "SLIPCAST_COMPLETE"

  private(set) var accepted = Accepted.none

  /// - Parameter words: the words behind the program's name, up to the one that is being typed, which may be empty.
  init(_ words: [String], among commands: [CommandDescription]) {
    let (typed, current) = (words.dropLast(), words.last ?? "")
    let beginnings = typed.indices.map { Array(typed[...$0]) }
    if let command = beginnings.lazy.compactMap({ words in commands.first { $0.words == words } }).first {
      complete(current, after: Array(typed.dropFirst(command.words.count)), of: command, among: commands)
    } else if typed.isEmpty, current.hasPrefix("-") {
      accepted = .words(ProgramDescription.options.filter { $0.value == nil }.map(Self.choice))
    } else {
      accepted = .words(Self.next(after: Array(typed), commands))
    }
  }

  private mutating func complete(
    _ current: String, after words: [String], of command: CommandDescription, among commands: [CommandDescription]
  ) {
    var given = Set<String>()
    var operands: [String] = []
    var open: Option?
    var isEnded = false
    for word in words {
      if let option = open {
        // bash takes --option=value apart at the sign.
        if word != "=" || option.value == nil { open = nil }
      } else if isEnded || !word.hasPrefix("-") || word == "-" {
        operands.append(word)
      } else if word == "--" {
        isEnded = true
      } else {
        let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        given.insert(String(parts[0]))
        if parts.count == 1, let option = command.option(String(parts[0])), option.value != nil { open = option }
      }
    }
    if let open {
      accepted = open.accepted
    } else if !isEnded, current.hasPrefix("--"), let sign = current.firstIndex(of: "=") {
      let name = current[..<sign].dropFirst(2)
      accepted = command.option(String(name))?.accepted ?? .none
      if case .words(let choices) = accepted {
        accepted = .words(choices.map { Choice("--\(name)=\($0.name)", $0.means) })
      }
    } else if isEnded || !current.hasPrefix("-"), command.operands.isOffered {
      accepted = command.operands
      if case .commands = accepted { accepted = .words(Self.next(after: operands, commands)) }
    } else if !isEnded {
      let options = command.allOptions.filter { $0.isRepeatable || !given.contains($0.name) }
      accepted = .words(options.map(Self.choice))
    }
  }

  private static func choice(_ option: Option) -> Choice { Choice("--\(option.name)", option.help) }

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

  /// A line that says what is accepted, `words`, `files` or `folders`, then a line for each word: the word, a tab, and
  /// what it means.
  var text: String {
    switch accepted {
    case .none, .other, .commands: "words\n"
    case .files: "files\n"
    case .folders: "folders\n"
    case .schemas: Self.text(SchemaCommand.choices)
    case .names: Self.text((try? RuleSet.builtIn()).map { ExplainedNames($0).all.map { Choice($0) } } ?? [])
    case .words(let choices): Self.text(choices)
    }
  }

  private static func text(_ choices: [Choice]) -> String {
    "words\n" + choices.map { "\($0.name)\t\(sentence($0.means))\n" }.joined()
  }

  /// The first sentence of a text, without its full stop: there is little room.
  private static func sentence(_ text: String) -> String {
    let end = text.firstRange(of: ". ")?.lowerBound ?? (text.hasSuffix(".") ? text.index(before: text.endIndex) : nil)
    return String(text[..<(end ?? text.endIndex)])
  }
}

extension Accepted {
  /// There is something to offer.
  fileprivate var isOffered: Bool {
    switch self {
    case .none, .other: false
    case .files, .folders, .names, .schemas, .commands, .words: true
    }
  }
}
