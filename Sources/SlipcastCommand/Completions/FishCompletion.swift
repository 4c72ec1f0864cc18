/// The completion script for fish.
enum FishCompletion {
  static func script(_ commands: [CommandDescription]) -> String {
    let lists = ([[]] + CompletionTable.families(commands).map { [$0] }).map { list($0, commands) }
    let alone = ProgramDescription.options.filter { $0.value == nil }.map {
      "complete -c slipcast -n __slipcast_stands_at" + line($0)
    }
    let all = (alone + lists).joined() + commands.map { "\n" + lines($0, commands) }.joined()
    return CompletionTable.script(
      PackageResources.completion_fish,
      ["NAMES": commands.map { quote($0.name) }.joined(separator: " "), "LINES": String(all.dropLast())])
  }

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
      case .none, .other: ""
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
      switch option.accepted {
      case .none: ""
      case .files: " -r -F"
      case .folders: " -x -a '(__fish_complete_directories)'"
      case .words(let choices): " -x -a \(words(choices))"
      case .names, .commands, .other: " -x"
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
}
