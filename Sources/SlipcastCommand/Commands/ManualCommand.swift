/// `slipcast manual`: everything that the helps say, in one piece.
enum ManualCommand: Command {
  static let description = CommandDescription("manual", .rules)

  static func run(_ arguments: Arguments, _ console: Console) async throws -> ExitCode {
    try arguments.refuseOperands()
    let commands = Slipcast.descriptions
    switch arguments.last("format") {
    case "man": try console.print(ManualPage.text(commands), as: .document)
    case "markdown": try console.print(ReferencePage.text(commands), as: .document)
    default: try console.print(text(commands))
    }
    return .fine
  }

  private static func text(_ commands: [CommandDescription]) -> String {
    func headed(_ name: String, _ text: String) -> String {
      "\n\(name)\n\(String(repeating: "=", count: name.count))\n\n\(text)"
    }
    func rows(_ rows: [(name: String, means: String)]) -> String {
      rows.map { Help.wrap($0.name, indent: 2) + Help.wrap($0.means, indent: 6) }.joined()
    }
    return Help.program(commands)
      + headed("slipcast", ProgramDescription.text.discussion.map { Help.wrap($0, indent: 0) }.joined(separator: "\n"))
      + "\nOptions:\n" + ProgramDescription.options.map(Help.option).joined()
      + commands.map { headed("slipcast \($0.name)", Help.page($0)) }.joined()
      + headed("Environment", rows(ProgramDescription.environment))
      + headed("Files", rows(ProgramDescription.files))
  }
}

extension Arguments {
  /// For commands that take options only.
  func refuseOperands() throws(UsageError) {
    guard let word = operands.first else { return }
    let names = command.options.map(\.name)
    let hint = names.contains(word) ? "; did you mean --\(word)?" : ""
    throw UsageError("\(command.name) accepts options only, not \"\(word)\"\(hint)")
  }
}
