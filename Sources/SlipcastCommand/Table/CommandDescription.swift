/// What a command is for; the list of commands is ordered by it.
enum Topic: String, Sendable, CaseIterable {
  case convert = "Convert"
  case compare = "Compare V1 with V2"
  case look = "Inspect, verify and sign"
  case rules = "Rules and help"
}

/// The operands that a command takes.
enum Operands: Sendable {
  case none
  /// Files, folders, whatever a command reads.
  case files
  case folders
  /// Names that `explain` knows.
  case names
  /// The words of a command.
  case commands
  case words([Choice])
}

/// One command: its words, options and help.
struct CommandDescription: Sendable {
  /// The word on the command line; two words for a command of a family: `mappings check`.
  var name: String
  var topic: Topic
  /// One line for the list of commands.
  var summary: String
  /// How it is called, without the program's name.
  var usage: String
  var operands = Operands.none
  /// Paragraphs between usage and options.
  var discussion: [String]
  var options: [Option]
  /// The meaning of each exit status.
  var exitStatuses: [(status: ExitCode, means: String)]
  /// Commands with a sentence each.
  var examples: [(command: String, says: String)]

  /// Its own options and those that every command has.
  var allOptions: [Option] { options + Option.common }

  func option(_ name: String) -> Option? { allOptions.first { $0.name == name } }

  /// The words of its name.
  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The options under their headings, those that every command has at the end.
  var optionGroups: [(heading: String, options: [Option])] {
    var groups: [(heading: String, options: [Option])] = []
    let isDivided = options.contains { $0.group != nil }
    for option in options + (isDivided ? Option.common.under(.common) : Option.common) {
      let heading = option.group?.rawValue ?? "Options"
      if let place = groups.firstIndex(where: { $0.heading == heading }) {
        groups[place].options.append(option)
      } else {
        groups.append((heading, [option]))
      }
    }
    return groups
  }
}
