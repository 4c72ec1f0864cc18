import Foundation
import Testing

@testable import SlipcastCommand

/// Everything that the commands' tables hold, and all that is made from them.
enum Table {
  static let commands = Slipcast.descriptions
  static let names = commands.map(\.name)

  static func command(_ name: String) throws -> CommandDescription {
    try #require(commands.first { $0.name == name })
  }

  /// The words of a text on one line, however it is broken and indented.
  static func flat(_ text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// The sentences about an option that every page must hold.
  static func sentences(_ option: Option) -> [String] {
    let words = option.choices.flatMap { [$0.name, $0.means] }.filter { !$0.isEmpty }
    let byDefault = option.byDefault.map { ["Default: \($0)."] } ?? []
    return [option.help] + words + byDefault + (option.isRequired ? ["Required."] : [])
      + (option.isRepeatable ? ["May be given more than once."] : [])
  }

  /// The lines of a page from a heading to the next one of its kind.
  static func section(_ page: String, _ heading: String, _ mark: String) throws -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == heading }, "\(heading) is missing")
    let rest = lines[(start + 1)...]
    return rest[..<(rest.firstIndex { $0.hasPrefix(mark) } ?? rest.endIndex)].joined(separator: "\n")
  }
}

/// Nothing of the tables is missing in what is made from them.
@Suite struct TableTests {
  private static let manualPage = ManualPage.text(Table.commands)
  private static let referencePage = ReferencePage.text(Table.commands)

  @Test(arguments: Table.names)
  func anOptionReadAloneIsThatOfTheTable(_ name: String) throws {
    let command = try Table.command(name)
    func text(_ options: [Option]) -> String { options.map { "\($0)" }.joined(separator: "\n") }
    for option in command.allOptions {
      #expect(text([command.option(option.name)].compactMap(\.self)) == text([option]))
    }
    #expect(command.option("nothing-of-the-kind") == nil)
    #expect(text(OptionTable.options(of: name) { _ in true }) == text(command.options))
    #expect(OptionTable.options(of: name) { $0 == "nothing-of-the-kind" }.isEmpty)
  }

  @Test(arguments: Table.names)
  func theHelpHoldsTheWholeTable(_ name: String) throws {
    let command = try Table.command(name)
    let text = Table.flat(Help.page(command))
    for paragraph in [command.usage] + command.discussion { #expect(text.contains(Table.flat(paragraph))) }
    for option in command.allOptions {
      #expect(text.contains(option.usage + " "))
      for sentence in Table.sentences(option) { #expect(text.contains(Table.flat(sentence)), "--\(option.name)") }
    }
    for example in command.examples {
      #expect(text.contains(Table.flat(example.says)) && text.contains(Table.flat(example.command)))
    }
    for row in command.exitStatuses { #expect(text.contains("\(row.status.rawValue) \(Table.flat(row.means))")) }
  }

  @Test(arguments: Table.names)
  func theManualPageHoldsTheWholeTable(_ name: String) throws {
    let command = try Table.command(name)
    let page = Self.manualPage
    let heading = ".SS \"slipcast \(name.replacing("-", with: "\\-"))\""
    let section = Table.flat(plain(try Table.section(page, heading, ".S")))
    try expect(command, in: section, common: Table.flat(plain(try Table.section(page, ".SH \"OPTIONS\"", ".SH"))))
  }

  @Test(arguments: Table.names)
  func theReferenceHoldsTheWholeTable(_ name: String) throws {
    let command = try Table.command(name)
    let section = Table.flat(words(try Table.section(Self.referencePage, "## slipcast \(name)", "## ")))
    let common = try Table.section(Self.referencePage, "## Commands", "## ")
    try expect(command, in: section, common: Table.flat(words(common)))
  }

  @Test func theTextManualHoldsTheHelpOfEveryCommand() async throws {
    let manual = try Program.run(["manual"], in: "/").output
    for command in Table.commands { #expect(manual.contains(Help.page(command)), "\(command.name)") }
    let flat = Table.flat(manual)
    for row in ProgramDescription.environment + ProgramDescription.files {
      #expect(flat.contains(Table.flat(row.name + " " + row.means)))
    }
  }

  /// A page writes words in its own way; once that is undone, they are those of the table.
  private func expect(_ command: CommandDescription, in section: String, common: String) throws {
    func undone(_ text: String) -> String { words(Table.flat(text)).replacing("…", with: "...") }
    let section = section.replacing("…", with: "...")
    for paragraph in [command.usage] + command.discussion { #expect(section.contains(undone(paragraph))) }
    for option in command.allOptions {
      let place = command.options.contains { $0.name == option.name } ? section : common.replacing("…", with: "...")
      #expect(place.contains(undone(option.usage)))
      for sentence in Table.sentences(option) { #expect(place.contains(undone(sentence)), "--\(option.name)") }
    }
    for example in command.examples {
      #expect(section.contains(undone(example.says)) && section.contains(undone(example.command)))
    }
    for row in command.exitStatuses { #expect(section.contains(undone(row.means))) }
  }

  /// Markdown, or words, without what marks code: backslashes, graves and colons behind them.
  private func words(_ text: String) -> String {
    text.filter { !"\\`".contains($0) }
  }

  /// The source of a manual page without the language that it is written in.
  private func plain(_ source: String) -> String {
    var text = source.split(separator: "\n").filter { !$0.hasPrefix(".") }.joined(separator: "\n")
    for font in ["\\fB", "\\fI", "\\fR", "\\&"] { text = text.replacing(font, with: "") }
    let signs = [("\\-", "-"), ("\\(aq", "'"), ("\\(dq", "\""), ("\\(ha", "^"), ("\\(ti", "~"), ("\\[u2192]", "→")]
    for (escape, sign) in signs { text = text.replacing(escape, with: sign) }
    return words(text.replacing("\\(ga", with: ""))
  }

  // MARK: the tables themselves

  @Test(arguments: Table.names)
  func everyCommandSaysWhatItTellsAndShowsHowItIsUsed(_ name: String) throws {
    let command = try Table.command(name)
    #expect(!command.examples.isEmpty && !command.discussion.isEmpty)
    #expect(
      command.exitStatuses.contains { $0.status == .fine } && command.exitStatuses.contains { $0.status == .failed })
    #expect(!command.discussion.contains { $0.contains("Exit status") })
    #expect(Set(command.allOptions.map(\.name)).count == command.allOptions.count)
    #expect(command.usage.hasPrefix(name))
    for option in command.allOptions {
      #expect(option.help.hasSuffix("."), "--\(option.name)")
      #expect(!option.isFolder || option.file != nil, "--\(option.name)")
      #expect(option.choices.isEmpty || option.value != nil, "--\(option.name)")
      // The completions and the parser hold the words; a default that is one of them is spelled as they are.
      if let value = option.byDefault, !option.choices.isEmpty, !value.contains(" ") {
        #expect(option.choices.contains { $0.name == value }, "--\(option.name)")
      }
    }
  }

  @Test func everyVariableThatTheProgramReadsIsInTheManual() throws {
    let named = Set(ProgramDescription.environment.flatMap { $0.name.split(separator: ", ").map(String.init) })
    let folder = Sources.root
    for file in try Sources.files(in: folder)
    where !file.contains("/SlipcastBench/") && !file.contains("/SlipcastTesting/") {
      let text = try String(contentsOfFile: file, encoding: .utf8)
      for match in text.matches(of: #/getenv\("([A-Z_]+)"\)/#) { #expect(named.contains(String(match.1)), "\(file)") }
      #expect(!text.contains("ProcessInfo.processInfo.environment"), "\(file)")
    }
  }

  /// An option that a command cannot do without is missed where it is left out, whatever else is given.
  @Test(
    arguments: Table.commands.flatMap { command in command.options.filter(\.isRequired).map { (command.name, $0.name) }
    })
  func aRequiredOptionIsMissed(_ name: String, _ option: String) throws {
    try Workplace.with { place in
      try CommandSweep.prepare(place)
      var words = try #require(CommandSweep.operands[name])
      let index = try #require(words.firstIndex(of: "--\(option)"))
      words.removeSubrange(index...(index + 1))
      let run = try place.run(name.split(separator: " ").map(String.init) + words)
      #expect(run.status == 2 && run.errors.contains("--\(option) is missing"), "\(run.errors)")
    }
  }
}
