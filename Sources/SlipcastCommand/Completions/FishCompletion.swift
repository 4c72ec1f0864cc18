/// The completion script for fish.
enum FishCompletion {
  static func script(_ commands: [CommandDescription]) -> String {
    let names = commands.map { quote($0.name) }.joined(separator: " ")
    var script = CompletionTable.head("fish") + "\n" + helpers.replacing("@NAMES@", with: names) + "\n"
    script += "complete -c slipcast -f\n"
    for option in ProgramDescription.options where option.value == nil {
      script += "complete -c slipcast -n __slipcast_stands_at" + line(option)
    }
    for words in [[]] + CompletionTable.families(commands).map({ [$0] }) { script += list(words, commands) }
    for command in commands { script += "\n" + lines(command, commands) }
    return script
  }

  /// The words that can follow others.
  private static func list(_ words: [String], _ commands: [CommandDescription], after: [String] = []) -> String {
    let condition = (["__slipcast_stands_at"] + after + words).joined(separator: " ")
    return CompletionTable.next(after: words, commands).map { choice in
      "complete -c slipcast -n \(quote(condition)) -a \(choice.name) -d \(quote(choice.means))\n"
    }.joined()
  }

  private static func lines(_ command: CommandDescription, _ commands: [CommandDescription]) -> String {
    let isIt = "__slipcast_is \(quote(command.name))"
    func complete(_ rest: String) -> String { "complete -c slipcast -n \(quote(isIt)) \(rest)\n" }
    var text =
      switch command.operands {
      case .none: ""
      case .files: complete("-F")
      case .folders: complete("-a '(__fish_complete_directories)'")
      case .names: complete("-a '(__slipcast_names)'")
      case .words(let choices): complete("-a \(words(choices))")
      case .commands:
        ([[]] + CompletionTable.families(commands).map { [$0] })
          .map { list($0, commands, after: command.words) }.joined()
      }
    for option in command.allOptions {
      let lacks = option.isRepeatable ? "" : "; and __slipcast_lacks --\(option.name)"
      text += "complete -c slipcast -n \(quote(isIt + lacks))" + line(option)
    }
    return text
  }

  private static func line(_ option: Option) -> String {
    let value =
      switch CompletionTable.value(of: option) {
      case .none: ""
      case .free: " -x"
      case .files: " -r -F"
      case .folders: " -x -a '(__fish_complete_directories)'"
      case .words(let choices): " -x -a \(words(choices))"
      }
    return " -l \(option.name)\(value) -d \(quote(CompletionTable.sentence(option.help)))\n"
  }

  /// Words with what each stands for, as an argument of `-a`, which fish expands once more.
  private static func words(_ choices: [Choice]) -> String {
    quote(
      choices.map { choice in
        choice.means.isEmpty ? choice.name : "\(choice.name)\\t\(quote(CompletionTable.sentence(choice.means)))"
      }.joined(separator: " "))
  }

  /// A text in single quotes, as fish reads it.
  private static func quote(_ text: String) -> String {
    "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : String($1) } + "'"
  }

  private static let helpers = """
    # The words behind the program's name, up to the word that is being typed.
    function __slipcast_typed
        set -l words (commandline -opc)
        string join \\n -- $words[2..-1]
    end

    # True when exactly these words are typed.
    function __slipcast_stands_at
        set -l typed (__slipcast_typed)
        test "$typed" = "$argv"
    end

    # True behind the command of that name.
    function __slipcast_is
        set -l typed
        for word in (__slipcast_typed)
            set -a typed $word
            if contains -- "$typed" @NAMES@
                test "$typed" = $argv[1]
                return
            end
        end
        return 1
    end

    # True until an option is given; while its value is typed, it is not yet.
    function __slipcast_lacks
        set -l typed (__slipcast_typed)
        test "$typed[-1]" = $argv[1]
        or not string match -q -- $argv[1] (string replace -r '=.*' '' -- $typed)
    end

    # The names that the program itself knows.
    function __slipcast_names
        set -l program (string replace -r '^~/' "$HOME/" -- (commandline -opc)[1])
        $program explain --names 2>/dev/null
    end

    """
}
