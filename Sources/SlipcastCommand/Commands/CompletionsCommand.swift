/// `slipcast completions`: what makes a shell complete commands, options and values.
enum CompletionsCommand: Command {
  private static let shells: [Choice] = ["bash", "zsh", "fish"]

  static let description = CommandDescription("completions", .rules, operands: .words(shells))

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let names = shells.map(\.name)
    guard arguments.operands.count == 1, let shell = arguments.operands.first else {
      throw UsageError("expected one shell: \(UsageError.list(names))")
    }
    try Choice.check(shell, of: "a shell", among: shells)
    let commands = Slipcast.descriptions
    switch shell {
    case "zsh": try console.print(ZshCompletion.script(commands), as: .document)
    case "fish": try console.print(FishCompletion.script(commands), as: .document)
    default: try console.print(BashCompletion.script(commands), as: .document)
    }
    return .fine
  }
}
