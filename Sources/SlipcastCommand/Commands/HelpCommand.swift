/// `slipcast help`: the help of a command.
enum HelpCommand: Command {
  static let description = CommandDescription(
    name: "help", topic: .rules,
    summary: "describes a command, with options and examples",
    usage: "help [COMMAND]",
    operands: .commands,
    discussion: [
      "Shows the help of a command, as slipcast COMMAND --help does; without a command, the list of all."
    ],
    options: [],
    exitStatuses: [(.fine, "shown"), (.failed, "the command is unknown")],
    examples: [
      (command: "slipcast help convert", says: "One command:"),
      (command: "slipcast help baseline", says: "All commands of a family:"),
    ])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    try console.print(try text(arguments.operands))
    return .fine
  }

  /// The help for the words of a command line.
  ///
  /// - Throws: `UsageError` where they name no command.
  static func text(_ words: [String]) throws -> String {
    guard let first = words.first else { return Help.program(Slipcast.descriptions) }
    if let command = Slipcast.command(words)?.description { return Help.page(command) }
    let members = Slipcast.descriptions.filter { $0.words.count > 1 && $0.words[0] == first }
    guard words.count == 1, !members.isEmpty else { throw UsageError.unknownCommand(words) }
    return Help.family(first, members)
  }
}
