import SlipcastWire

/// Builds help texts from the command descriptions.
enum Help {
  /// What is shown where no command is given.
  static func program(_ commands: [CommandDescription]) -> String {
    let topics = Topic.allCases.map { topic in (topic, rows(commands.filter { $0.topic == topic })) }
    let width = topics.flatMap { $0.1 }.map(\.name.count).max() ?? 0
    let groups = topics.map { topic, rows in topic.rawValue + "\n" + columns(rows, width: width) }
    let next = ProgramDescription.next.map { "\($0.command) (\($0.says))" }
    return """
      \(ProgramDescription.name): \(ProgramDescription.text.summary)

      Common tasks:
      \(columns(ProgramDescription.essentials.map { ("\($0.command)  ", $0.says) }))
      \(groups.joined())\
      \(wrap("Next: " + next.joined(separator: ", "), indent: 0))\
      \(wrap("Exit status: " + ProgramDescription.briefStatuses, indent: 0))
      """
  }

  private static func rows(_ commands: [CommandDescription]) -> [(name: String, says: String)] {
    var rows: [(name: String, says: String)] = []
    for command in commands {
      let word = command.words[0]
      if let says = ProgramDescription.families[word] {
        let members = commands.filter { $0.words[0] == word }.map { $0.words.dropFirst().joined(separator: " ") }
        if rows.last?.name != word { rows.append((word, "\(says): \(members.joined(separator: ", "))")) }
      } else {
        rows.append((command.name, command.summary))
      }
    }
    return rows
  }

  static func family(_ word: String, _ members: [CommandDescription]) -> String {
    let list = columns(members.map { ($0.name, $0.summary) })
    return
      "Usage: slipcast \(word) COMMAND [OPTION…]\n\n\(list)\nslipcast \(members[0].name) --help shows one of them.\n"
  }

  static func page(_ command: CommandDescription) -> String {
    var text = wrap("Usage: slipcast \(command.usage)", indent: 0, hanging: 4) + "\n"
    for paragraph in command.discussion { text += wrap(paragraph, indent: 0) + "\n" }
    for (heading, options) in command.optionGroups {
      text += heading + ":\n" + options.map(option).joined() + "\n"
    }
    if !command.examples.isEmpty {
      text += "Examples:\n"
      for example in command.examples { text += wrap(example.says, indent: 2) + "    \(example.command)\n" }
      text += "\n"
    }
    return text + "Exit status:\n" + statuses(command.exitStatuses)
  }

  static func statuses(_ statuses: [(status: ExitCode, means: String)]) -> String {
    statuses.map { wrap("\($0.status.rawValue)  \($0.means)", indent: 2, hanging: 3, keeping: true) }.joined()
  }

  static func option(_ option: Option) -> String {
    let text = OptionText(option)
    var lines = "  \(option.usage)\n" + wrap(text.before, indent: 6)
    let width = text.choices.map(\.name.count).max() ?? 0
    for choice in text.choices {
      lines += wrap(
        "\(TextLayout.padded(choice.name, to: width))  \(choice.means)", indent: 8, hanging: width + 2, keeping: true)
    }
    return lines + wrap(text.after, indent: 6)
  }

  // MARK: laying out

  private static func columns(_ rows: [(name: String, says: String)], width: Int? = nil) -> String {
    let width = width ?? rows.map(\.name.count).max() ?? 0
    return rows.map { "  \(TextLayout.padded($0.name, to: width))  \($0.says)\n" }.joined()
  }

  /// Breaks a text at blanks.
  ///
  /// - Parameters:
  ///   - hanging: how much further in the second line and those below begin.
  ///   - keeping: blanks at its beginning stay as they are.
  static func wrap(
    _ text: String, indent: Int, hanging: Int = 0, keeping: Bool = false
  ) -> String {
    TextLayout.wrapped(
      text, after: TextLayout.blanks(indent), hanging: indent + hanging, keepsBlanks: keeping
    ).map { $0 + "\n" }.joined()
  }
}
