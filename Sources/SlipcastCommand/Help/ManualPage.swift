import SlipcastWire

/// The manual page slipcast(1), from the command descriptions.
enum ManualPage {
  static func text(_ commands: [CommandDescription]) -> String {
    var page = Roff()
    let name = ProgramDescription.name
    page.title(
      name.uppercased(), section: 1, date: Release.date, source: "\(name) \(Release.version)", manual: "User Commands")
    page.section("NAME")
    page.plain(Roff.escape(name) + " \\- " + Roff.escape(ProgramDescription.text.summary))
    page.section("SYNOPSIS")
    page.plain(Roff.bold(name) + " " + usage(ProgramDescription.text.usage))
    page.section("DESCRIPTION")
    for paragraph in ProgramDescription.text.discussion { page.paragraph(paragraph) }
    page.paragraph("The commands:")
    for command in commands { page.tagged(Roff.bold(command.name), command.summary) }
    page.section("OPTIONS")
    page.paragraph(ProgramDescription.optionsNote)
    for option in ProgramDescription.options { add(option, to: &page) }
    page.section("COMMANDS")
    for command in commands { add(command, to: &page) }
    addTables(to: &page)
    return page.text
  }

  private static func addTables(to page: inout Roff) {
    page.section("EXIT STATUS")
    add(ProgramDescription.text.exitStatuses, to: &page)
    page.section("ENVIRONMENT")
    for row in ProgramDescription.environment { page.tagged(Roff.bold(row.name), row.means) }
    page.section("FILES")
    for row in ProgramDescription.files { page.tagged(Roff.italic(row.name), row.means) }
    page.section("EXAMPLES")
    for row in ProgramDescription.essentials + ProgramDescription.next {
      page.paragraph(row.says + ":")
      page.example(row.command)
    }
    page.section("SEE ALSO")
    let references = ProgramDescription.seeAlso.map { reference in
      Roff.bold(String(reference.prefix { $0 != "(" })) + Roff.escape(String(reference.drop { $0 != "(" }))
    }
    page.plain(references.joined(separator: ", "))
  }

  private static func add(_ command: CommandDescription, to page: inout Roff) {
    page.subsection("slipcast \(command.name)")
    let rest = command.usage.dropFirst(command.name.count)
    page.plain(Roff.bold("slipcast \(command.name)") + usage(String(rest)))
    for paragraph in command.discussion { page.paragraph(paragraph) }
    // What every command has is in a separate section.
    for (heading, options) in command.ownOptionGroups {
      page.heading(heading)
      for option in options { add(option, to: &page) }
    }
    if !command.examples.isEmpty { page.heading("Examples") }
    for example in command.examples {
      page.paragraph(example.says)
      page.example(example.command)
    }
    page.heading("Exit status")
    add(command.exitStatuses, to: &page)
  }

  private static func add(_ option: Option, to page: inout Roff) {
    let value = option.value.map { " " + Roff.italic($0) } ?? ""
    let text = OptionText(option)
    page.tagged(Roff.bold("--\(option.name)") + value, text.before)
    if !text.choices.isEmpty { page.nested(text.choices.map { ($0.name, $0.means) }, text.after) }
  }

  private static func add(_ statuses: [(status: ExitCode, means: String)], to page: inout Roff) {
    for row in statuses { page.tagged(Roff.bold("\(row.status.rawValue)"), row.means) }
  }

  /// A usage with its placeholders, the words in capitals, in italics.
  private static func usage(_ text: String) -> String {
    text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      let bare = word.filter { !"[]…|".contains($0) }
      let isPlaceholder = !bare.isEmpty && bare.allSatisfy { $0.isUppercase }
      return isPlaceholder
        ? Roff.italic(String(word)) : word.hasPrefix("--") ? Roff.bold(String(word)) : Roff.escape(String(word))
    }.joined(separator: " ")
  }
}
