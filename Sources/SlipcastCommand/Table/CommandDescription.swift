/// What a command is for; the list of commands is ordered by it.
enum Topic: String, Sendable, CaseIterable {
  case convert = "Convert"
  case compare = "Compare V1 with V2"
  case look = "Inspect, verify and sign"
  case rules = "Rules and help"
}

/// What an option or a command accepts.
enum Accepted: Sendable {
  case none
  /// Files, folders, whatever a command reads.
  case files
  case folders
  /// Names that `explain` knows.
  case names
  /// Names that `schema` knows.
  case schemas
  /// The words of a command.
  case commands
  case words([Choice])
  /// A number, a time, a text: there is nothing to offer.
  case other
}

/// One command: its name, options and operands, with its texts in `help.txt` and its options in `options.txt`.
struct CommandDescription: Sendable {
  /// The word on the command line; two words for a command of a family: `mappings check`.
  let name: String
  let topic: Topic
  let operands: Accepted
  var options: [Option] { OptionTable.options(of: name) }
  // Looked up when it is shown: most runs show none.
  private var text: CommandText { CommandText(of: name) }

  init(_ name: String, _ topic: Topic, operands: Accepted = .none) {
    (self.name, self.topic, self.operands) = (name, topic, operands)
  }

  var summary: String { text.summary }
  var usage: String { text.usage }
  var discussion: [String] { text.discussion }
  var examples: [(command: String, says: String)] { text.examples }
  var exitStatuses: [(status: ExitCode, means: String)] { text.exitStatuses }

  var allOptions: [Option] { options + Option.common }

  func option(_ option: String) -> Option? {
    OptionTable.option(option, of: name) ?? Option.common.first { $0.name == option }
  }

  var words: [String] { name.split(separator: " ").map(String.init) }

  /// The options under their headings, those that every command has at the end.
  var optionGroups: [(heading: String, options: [Option])] {
    var common = Option.common
    if options.contains(where: { $0.heading != nil }) {
      for place in common.indices { common[place].heading = "Every command" }
    }
    return Self.groups(options + common)
  }

  var ownOptionGroups: [(heading: String, options: [Option])] { Self.groups(options) }

  private static func groups(_ options: [Option]) -> [(heading: String, options: [Option])] {
    var groups: [(heading: String, options: [Option])] = []
    for option in options {
      let heading = option.heading ?? "Options"
      if let place = groups.firstIndex(where: { $0.heading == heading }) {
        groups[place].options.append(option)
      } else {
        groups.append((heading, [option]))
      }
    }
    return groups
  }
}
