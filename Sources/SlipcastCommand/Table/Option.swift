/// What a command does with a file.
enum FileUse: Sendable { case read, written }

/// One word that an option or a command accepts.
struct Choice: Sendable, ExpressibleByStringLiteral {
  var name: String
  /// What it stands for; empty where the word says it.
  var means = ""

  init(_ name: String, _ means: String = "") { (self.name, self.means) = (name, means) }
  init(stringLiteral name: String) { self.init(name) }
}

/// One option of a command, from which parsing, help, manual, reference and completions are made.
struct Option: Sendable {
  var name: String
  /// What stands for its value in the help; `nil` for a switch.
  var value: String?
  /// The words it accepts, where they are few.
  var choices: [Choice] = []
  /// It accepts other values in addition to `choices`.
  var takesOthers = false
  /// What counts where it is not given, as the help says it; `nil` where nothing does.
  var byDefault: String?
  /// The command does nothing without it.
  var isRequired = false
  var isRepeatable = false
  /// What becomes of the file or folder that its value names; `nil` when it names none.
  var file: FileUse?
  /// Its value names a folder and never a file.
  var isFolder = false
  /// Legacy records are written to its file.
  var isRaw = false
  /// What it does, in a sentence or two; the first one stands alone where there is little room.
  var help = ""
  /// The heading under which help lists it; `nil` in commands with few options.
  var heading: String?

  static let help = Option(name: "help", help: "Shows this help.")
  static let color = Option(
    name: "color", value: "WHEN", choices: ["auto", "always", "never"], byDefault: "auto",
    help: "Colors messages; auto does on a terminal, unless NO_COLOR is set.")

  var accepted: Accepted {
    if value == nil { return .none }
    if !choices.isEmpty { return .words(choices) }
    return file == nil ? .other : isFolder ? .folders : .files
  }

  /// What every command understands.
  static let common = [color, help]

  /// The name as it is typed, with what stands for its value: `--emit WHAT`.
  var usage: String { "--\(name)\(value.map { " " + $0 } ?? "")" }
}
