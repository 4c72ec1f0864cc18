/// `slipcast completions`: what makes a shell complete commands, options and values.
enum CompletionsCommand: Command {
  private static let shells: [Choice] = ["bash", "zsh", "fish"]

  static let description = CommandDescription(
    name: "completions", topic: .rules,
    summary: "prints a shell's completion script",
    usage: "completions bash|zsh|fish",
    operands: .words(shells),
    discussion: [
      "Prints a script that completes commands, options, the words that options accept, files, folders, and the names that "
        + "explain knows. It is made from the table that the program reads its command line with. A package or make "
        + "install has put it in its place already; by hand it goes into the file of your shell that is named below, and "
        + "works in the next shell."
    ],
    options: [],
    exitStatuses: [(.fine, "printed"), (.failed, "the shell is not supported")],
    examples: [
      (
        command: "slipcast completions bash > ~/.local/share/bash-completion/completions/slipcast",
        says: "bash, with the package bash-completion:"
      ),
      (command: "source <(slipcast completions bash)", says: "bash, without it, as a line of ~/.bashrc:"),
      (
        command: "slipcast completions zsh > ~/.zfunc/_slipcast",
        says: "zsh, with fpath+=~/.zfunc before compinit in ~/.zshrc:"
      ),
      (command: "slipcast completions fish > ~/.config/fish/completions/slipcast.fish", says: "fish:"),
    ])

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    let names = shells.map(\.name)
    guard arguments.operands.count == 1, let shell = arguments.operands.first else {
      throw UsageError("expected one shell: \(UsageError.list(names))", description)
    }
    try Choice.check(shell, of: "a shell", among: shells, description)
    let commands = Slipcast.descriptions
    switch shell {
    case "zsh": try console.print(ZshCompletion.script(commands), as: .document)
    case "fish": try console.print(FishCompletion.script(commands), as: .document)
    default: try console.print(BashCompletion.script(commands), as: .document)
    }
    return .fine
  }
}
