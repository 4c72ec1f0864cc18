/// `slipcast help`: the help of a command.
enum HelpCommand: Command {
  static let description = CommandDescription("help", .rules, operands: .commands)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    try console.print(try text(arguments.operands))
    return .fine
  }

  static func text(_ words: [String]) throws -> String {
    guard let first = words.first else { return Help.program(Slipcast.descriptions) }
    if let command = Slipcast.command(words)?.description { return Help.page(command) }
    let members = Slipcast.descriptions.filter { $0.words.count > 1 && $0.words[0] == first }
    guard words.count == 1, !members.isEmpty else { throw UsageError.unknownCommand(words) }
    return Help.family(first, members)
  }
}
