/// The completion script for bash, 3.2 and newer; it needs only bash.
enum BashCompletion {
  private static let quote = CompletionTable.quote

  static func script(_ commands: [CommandDescription]) -> String {
    CompletionTable.script(
      PackageResources.completion_bash,
      [
        "NAMES": commands.map { quote($0.name) }.joined(separator: " "),
        "OPTIONS": commands.map(options).joined(separator: "\n"), "VALUES": values(commands),
        "OPERANDS": commands.compactMap { command in
          action(command.operands).map { "    \(quote(command.name))) \($0) ;;" }
        }.joined(separator: "\n"),
      ])
  }

  private static func options(_ command: CommandDescription) -> String {
    func list(_ options: [Option]) -> String { quote(options.map { "--\($0.name)" }.joined(separator: " ")) }
    let all = command.allOptions
    return """
          \(quote(command.name)))
            options=\(list(all))
            valued=\(list(all.filter { $0.value != nil }))
            repeatable=\(list(all.filter(\.isRepeatable)))
            ;;
      """
  }

  /// Options of one kind of value share a line.
  private static func values(_ commands: [CommandDescription]) -> String {
    var actions: [(action: String, places: [String])] = []
    for command in commands {
      for option in command.allOptions {
        guard let action = action(option.accepted) else { continue }
        let place = quote("\(command.name) --\(option.name)")
        if let known = actions.firstIndex(where: { $0.action == action }) {
          actions[known].places.append(place)
        } else {
          actions.append((action, [place]))
        }
      }
    }
    return actions.map { "    \($0.places.joined(separator: " | \\\n      "))) \($0.action) ;;" }.joined(
      separator: "\n")
  }

  private static func action(_ accepted: Accepted) -> String? {
    switch accepted {
    case .none, .other: nil
    case .words(let choices): "_slipcast_offer " + choices.map { quote($0.name) }.joined(separator: " ")
    case .files: "_slipcast_files"
    case .folders: "_slipcast_folders"
    case .names: "_slipcast_names"
    case .commands: "_slipcast_commands \"$operands\""
    }
  }
}
