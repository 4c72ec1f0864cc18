/// The completion script for zsh: a function for each command, to lie in a folder of `fpath` or to be sourced.
enum ZshCompletion {
  static func script(_ commands: [CommandDescription]) -> String {
    let lists = (CompletionTable.families(commands).map { [$0] } + [[]]).map { list($0, commands) }
    let functions = (commands.map { function($0, commands) } + lists).joined(separator: "\n\n")
    return CompletionTable.script(PackageResources.completion_zsh, ["FUNCTIONS": functions])
  }

  // MARK: commands

  private static func functionName(_ words: [String]) -> String { (["_slipcast"] + words).joined(separator: "_") }

  private static func function(_ command: CommandDescription, _ commands: [CommandDescription]) -> String {
    if case .commands = command.operands {
      // Commands follow this one as they follow the program's name.
      return list([], commands, functionName(command.words), options: command.allOptions.map(spec), goesOn: false)
    }
    let specs = command.allOptions.map(spec) + [operand(command.operands)].compactMap(\.self)
    return "\(functionName(command.words))() {\n  _arguments -S : \\\n    "
      + specs.map(CompletionTable.quote).joined(separator: " \\\n    ") + "\n}"
  }

  /// `*--root=[what it does]:FILE:_files`.
  private static func spec(_ option: Option) -> String {
    let repeats = option.isRepeatable ? "*" : ""
    let help = bracketed(CompletionTable.sentence(option.help))
    guard let value = option.value else { return "\(repeats)--\(option.name)[\(help)]" }
    let name = "\(repeats)--\(option.name)=[\(help)]:\(escape(value)):"
    return name + action(option.accepted)
  }

  private static func action(_ accepted: Accepted) -> String {
    switch accepted {
    case .none, .commands, .other: return " "
    case .names: return "_slipcast_names"
    case .files: return "_files"
    case .folders: return "_files -/"
    case .words(let choices):
      let words = choices.map { choice in
        choice.means.isEmpty
          ? choice.name : "\(choice.name)\\:\(escape(doubleQuoted(CompletionTable.sentence(choice.means))))"
      }
      return choices.contains { !$0.means.isEmpty }
        ? "((\(words.joined(separator: " "))))" : "(\(words.joined(separator: " ")))"
    }
  }

  private static func operand(_ operands: Accepted) -> String? {
    switch operands {
    case .none, .commands, .other: nil
    case .files: "*:input:" + action(operands)
    case .folders: "*:folder:" + action(operands)
    case .names: "*:name:" + action(operands)
    case .words: "1:word:" + action(operands)
    }
  }

  /// Completes the next word of a command, and calls the function of what it was.
  private static func list(
    _ words: [String], _ commands: [CommandDescription], _ name: String? = nil, options: [String] = [],
    goesOn: Bool = true
  ) -> String {
    let next = CompletionTable.next(after: words, commands)
    let rows = next.map { "        " + CompletionTable.quote("\($0.name):\($0.means)") + "\n" }.joined()
    let isStart = words.isEmpty && goesOn
    let alone = ProgramDescription.options.filter { $0.value == nil }.map { "(- : *)" + spec($0) }
    let options = (isStart ? alone : options).map { CompletionTable.quote($0) + " " }.joined()
    let calls = next.filter { goesOn || CompletionTable.families(commands).contains($0.name) }.map { choice in
      "        \(choice.name)) \(functionName(words + [choice.name])) && ret=0 ;;\n"
    }.joined()
    return """
      \(name ?? functionName(words))() {
        local state line ret=1
        local -A opt_args
        local -a next
      \(isStart ? "  local program=${(Q)words[1]/#\\~\\//$HOME/}\n" : "")\
        _arguments -C \(options)'1: :->next' '*:: :->rest' && ret=0
        case $state in
          next)
            next=(
      \(rows)\
            )
            _describe -t commands command next && ret=0
            ;;
          rest)
            case $words[1] in
      \(calls)\
            esac
            ;;
        esac
        return ret
      }
      """
  }

  // MARK: escaping

  private static func bracketed(_ text: String) -> String {
    text.reduce(into: "") { $0 += "[]\\".contains($1) ? "\\\($1)" : String($1) }
  }

  /// A part of a specification, in which colons divide.
  private static func escape(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1 == ":" ? "\\:" : String($1) }
  }

  private static func doubleQuoted(_ text: String) -> String {
    "\"" + text.reduce(into: "") { $0 += "\"$`\\".contains($1) ? "\\\($1)" : String($1) } + "\""
  }
}
