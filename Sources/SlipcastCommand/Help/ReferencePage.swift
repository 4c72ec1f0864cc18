/// The reference of all commands in Markdown, from the command descriptions.
enum ReferencePage {
  static func text(_ commands: [CommandDescription]) -> String {
    let name = ProgramDescription.name
    var text = "# \(name)\n\n\(Markdown.prose(ProgramDescription.text.summary))\n\n"
    text += Markdown.block("\(name) \(ProgramDescription.text.usage)") + "\n"
    text += ProgramDescription.text.discussion.map { Markdown.prose($0) + "\n\n" }.joined()
    text += "This page is what `slipcast manual --format markdown` prints, made from the table that the program reads "
    text += "its command line with.\n\n## Commands\n\n"
    text += commands.map { "- \(Markdown.code("slipcast \($0.name)")): \(Markdown.prose($0.summary))\n" }.joined()
    text +=
      "\n\(Markdown.prose(ProgramDescription.optionsNote))\n\n" + ProgramDescription.options.map(item).joined() + "\n"
    text += "## Exit status\n\n" + statuses(ProgramDescription.text.exitStatuses)
    text += "\n## Environment\n\n" + rows(ProgramDescription.environment)
    text += "\n## Files\n\n" + rows(ProgramDescription.files)
    for command in commands { text += "\n" + section(command) }
    return text
  }

  private static func section(_ command: CommandDescription) -> String {
    var text = "## slipcast \(command.name)\n\n" + Markdown.block("slipcast \(command.usage)") + "\n"
    for paragraph in command.discussion { text += Markdown.prose(paragraph) + "\n\n" }
    for (heading, options) in command.ownOptionGroups {
      text += "**\(heading)**\n\n" + options.map(item).joined() + "\n"
    }
    if !command.examples.isEmpty { text += "**Examples**\n\n" }
    for example in command.examples {
      text += Markdown.prose(example.says) + "\n\n" + Markdown.block(example.command, "sh") + "\n"
    }
    return text + "**Exit status**\n\n" + statuses(command.exitStatuses)
  }

  private static func item(_ option: Option) -> String {
    let text = OptionText(option)
    let after = text.after.isEmpty ? "" : " " + text.after
    return "- \(Markdown.code(option.usage)): \(Markdown.prose(text.before + after))\n"
      + text.choices.map { choice in
        "  - \(Markdown.code(choice.name))\(choice.means.isEmpty ? "" : ": " + Markdown.prose(choice.means))\n"
      }.joined()
  }

  private static func statuses(_ statuses: [(status: ExitCode, means: String)]) -> String {
    statuses.map { "- \(Markdown.code("\($0.status.rawValue)")): \(Markdown.prose($0.means))\n" }.joined()
  }

  private static func rows(_ rows: [(name: String, means: String)]) -> String {
    rows.map { "- \(Markdown.code($0.name)): \(Markdown.prose($0.means))\n" }.joined()
  }
}
