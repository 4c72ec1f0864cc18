import SlipcastWire

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
    let script =
      switch shell {
      case "zsh": PackageResources.completion_zsh
      case "fish": PackageResources.completion_fish
      default: PackageResources.completion_bash
      }
    let text = String(decoding: script, as: UTF8.self).replacing("@VERSION@", with: Release.version)
    try console.print(text, as: .document)
    return .fine
  }
}
