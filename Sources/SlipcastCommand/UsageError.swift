import SlipcastWire

/// A command line that cannot be followed, with what would be right.
struct UsageError: Error, CustomStringConvertible {
  var message: String
  /// The command whose help to point to; `nil` for the program itself.
  var command: String?

  init(_ message: String, _ command: CommandDescription? = nil) {
    // Words of the command line stand in it, and each error is one line.
    self.message = Console.harmless(message)
    self.command = command?.name
  }

  static func unknownOption(_ word: String, _ command: CommandDescription) -> UsageError {
    let names = (command.options + [.help, .color]).map { "--\($0.name)" }
    return UsageError("unknown option \(word)" + hint(word, names), command)
  }

  static func hint(_ word: String, _ names: [String]) -> String {
    Suggestion.closest(to: word, among: names).map { "; did you mean \($0)?" } ?? ""
  }

  var description: String {
    "slipcast: \(message)\nTry: slipcast \(command.map { $0 + " " } ?? "")--help\n"
  }
}
