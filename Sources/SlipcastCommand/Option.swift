/// What a command does with a file.
enum FileUse: Sendable { case read, written }

/// One option of a command: the single place from which parsing, help and (later) manual and completions are made.
struct Option: Sendable {
  /// The name without dashes.
  var name: String
  /// What stands for its value in the help; `nil` for a switch.
  var value: String?
  /// The words it accepts, where they are few.
  var choices: [String] = []
  /// It may be given more than once.
  var isRepeatable = false
  /// What becomes of the file or folder that its value names; `nil` when it names none.
  var file: FileUse?
  /// What it does, in a sentence or two.
  var help: String

  static let help = Option(name: "help", help: "Shows this help.")
  static let color = Option(
    name: "color", value: "WHEN", choices: ["auto", "always", "never"],
    help: "Colours words for people: auto (on a terminal, unless NO_COLOR is set), always, never.")
}

/// One command: its words, options and help.
struct CommandDescription: Sendable {
  /// The word on the command line; two words for a command of a family: `mappings check`.
  var name: String
  /// One line for the list of commands.
  var summary: String
  /// How it is called, without the program's name.
  var usage: String
  /// Paragraphs between usage and options.
  var discussion: [String]
  var options: [Option]
  /// Commands with a sentence each.
  var examples: [(command: String, says: String)]

  func option(_ name: String) -> Option? { (options + [.help, .color]).first { $0.name == name } }
}

/// What was given on the command line, sorted out by a command's options.
struct Arguments: Sendable {
  private(set) var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  func has(_ name: String) -> Bool { values[name] != nil }
  func last(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// Reads the words behind the command's name: `--name value`, `--name=value`, `--` ends the options.
  init(_ words: [String], for command: CommandDescription) throws(UsageError) {
    var index = 0
    while index < words.count {
      let word = words[index]
      index += 1
      if word == "--" {
        operands += words[index...]
        return
      }
      if word == "-h" {
        values["help", default: []].append("")
        continue
      }
      guard word.hasPrefix("-"), word != "-" else {
        operands.append(word)
        continue
      }
      let parts = word.drop { $0 == "-" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let name = parts.first ?? ""
      guard word.hasPrefix("--"), let option = command.option(name) else {
        throw UsageError.unknownOption(word.split(separator: "=").first.map(String.init) ?? word, command)
      }
      var value = parts.count > 1 ? parts[1] : nil
      if option.value != nil, value == nil {
        // Another option behind it means that the value was forgotten; --name=--value gives one that looks like that.
        guard index < words.count, !words[index].hasPrefix("--") else {
          throw UsageError("--\(name) needs a value: \(option.value ?? "")", command)
        }
        value = words[index]
        index += 1
      }
      try check(option, value, command)
      values[name, default: []].append(value ?? "")
    }
  }

  /// The number that an option gives.
  ///
  /// - Throws: `UsageError` for another text or a number out of range.
  func number(
    _ name: String, _ range: ClosedRange<Int64>, _ command: CommandDescription
  ) throws(UsageError) -> Int64? {
    guard let text = last(name) else { return nil }
    guard let value = Int64(text), range.contains(value) else {
      let bound =
        range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("--\(name) is a number \(bound), not \"\(text)\"", command)
    }
    return value
  }

  private func check(_ option: Option, _ value: String?, _ command: CommandDescription) throws(UsageError) {
    if option.value == nil, value != nil { throw UsageError("--\(option.name) takes no value", command) }
    if !option.isRepeatable, has(option.name), option.value != nil {
      throw UsageError("--\(option.name) is given twice", command)
    }
    if let value, !option.choices.isEmpty, !option.choices.contains(value) {
      throw UsageError(
        "--\(option.name) is one of \(option.choices.joined(separator: ", ")), not \"\(value)\"", command)
    }
  }
}
