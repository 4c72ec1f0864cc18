import SlipcastWire

/// A command line that cannot be followed, with what would be right.
struct UsageError: Error, CustomStringConvertible {
  var message: String
  /// The command whose help to point to; `Slipcast` sets it for what a command throws.
  var command: String?

  init(_ message: String) {
    // It contains words of the command line, and each error is one line.
    self.message = Console.harmless(message)
  }

  var description: String {
    "slipcast: \(message)\nTry: slipcast \(command.map { $0 + " " } ?? "")--help\n"
  }

  /// `; did you mean …?` with the name that was probably meant, or nothing.
  ///
  /// That is a name of nearly the same letters, else the few names that begin as the word does, or the word as they do.
  static func hint(_ word: String, _ names: [String]) -> String {
    if let name = Suggestion.closest(to: word, among: names) { return "; did you mean \(name)?" }
    let bare = word.lowercased().drop { $0 == "-" }
    let alike = names.filter { name in
      let name = name.lowercased().drop { $0 == "-" }
      return !bare.isEmpty && name.hasPrefix(bare) || name.count > 1 && bare.hasPrefix(name)
    }
    return (1...3).contains(alike.count) ? "; did you mean \(list(alike))?" : ""
  }

  /// `a`, `a or b`, `a, b or c`.
  static func list(_ names: [String], _ last: String = "or") -> String {
    guard names.count > 1 else { return names.joined() }
    return names.dropLast().joined(separator: ", ") + " \(last) " + names[names.count - 1]
  }
}

// MARK: words that are no options

extension UsageError {
  static func unknownOption(_ word: String, _ command: CommandDescription) -> UsageError {
    let message = "unknown option \(word)"
    let own = command.allOptions.map { "--\($0.name)" }
    let isOwn = own.contains("-" + word)
    let owners = Slipcast.descriptions.filter { $0.option(String(word.drop { $0 == "-" })) != nil }.map(\.name)
    if !isOwn, word.hasPrefix("--"), !owners.isEmpty {
      let others = owners.count > 4 ? Array(owners.prefix(3)) + ["others"] : owners
      let own = substitutes[command.name]?[word].map { "; \($0)" } ?? ""
      return UsageError("\(message) of \(command.name); it is one of \(list(others, "and"))\(own)")
    }
    if word == "--\(Option.version.name)" {
      return UsageError("\(message); use it alone: slipcast --version")
    }
    let output = outputNames.contains(word) ? ["--to", "--report"].first(where: own.contains) : nil
    return UsageError(message + (output.map { "; did you mean \($0)?" } ?? hint(word, own)))
  }

  /// What a command has instead of another command's option.
  private static let substitutes = [
    "parity": ["--ignore": "for archives, --baseline FILE accepts known differences (slipcast baseline record)"],
    "diff": ["--baseline": "for two records, --ignore FILE accepts known differences"],
  ]

  /// What other programs call the option that names the output.
  private static let outputNames: Set = ["-o", "--out", "--output"]

  static func optionFirst(_ word: String) -> UsageError {
    let word = String(word.prefix { $0 != "=" })
    let name = word.drop { $0 == "-" }
    if let owner = Slipcast.descriptions.first(where: { $0.option(String(name)) != nil }) {
      return UsageError("\(word) follows a command: slipcast \(owner.name) --\(name)")
    }
    let commands = Slipcast.descriptions.map(\.name)
    let hint = commands.contains(String(name)) ? "; did you mean \(name)?" : hint(word, ["--help", "--version"])
    return UsageError("unknown option \(word)\(hint)")
  }
}

// MARK: words that are no commands

extension UsageError {
  /// - Parameter words: all words of the command line, the first of which begins no command.
  static func unknownCommand(_ words: [String]) -> UsageError {
    let names = Slipcast.descriptions.map(\.name)
    let first = words[0]
    let members = names.filter { $0.hasPrefix(first + " ") }
    guard members.isEmpty else { return unknownMember(words, members) }
    if let kind = FileHint.inputKind(first) {
      return UsageError("unknown command \"\(first)\", which is a \(kind); to convert it: slipcast convert \(first)")
    }
    // Both words of a family may be mistyped, and its second word may stand alone.
    let pair = words.prefix(2).joined(separator: " ")
    let alone = names.filter { $0.hasSuffix(" " + first) }
    guard alone.isEmpty else { return UsageError("unknown command \"\(first)\"; did you mean \(list(alone))?") }
    let near = [first, pair].map { hint($0, names + ["--help", "--version"]) }.first { !$0.isEmpty }
    return UsageError("unknown command \"\(first)\"\(near ?? familyHint(first))")
  }

  /// The members of a family whose name was mistyped.
  private static func familyHint(_ word: String) -> String {
    let pairs = Slipcast.descriptions.filter { $0.words.count > 1 }
    guard let family = Suggestion.closest(to: word, among: pairs.map { $0.words[0] }) else { return "" }
    return "; did you mean \(list(pairs.filter { $0.words[0] == family }.map(\.name)))?"
  }

  private static func unknownMember(_ words: [String], _ members: [String]) -> UsageError {
    let pair = words.prefix(2).joined(separator: " ")
    let all = members.count == 1 ? "; did you mean \(members[0])?" : "; it is one of \(list(members))"
    guard words.count > 1 else { return UsageError("the command \(words[0]) has a second word\(all)") }
    // The first word is right; only the second one is compared.
    let near = Suggestion.closest(to: words[1], among: members.map { String($0.dropFirst(words[0].count + 1)) })
    let hint = near.map { "; did you mean \(words[0]) \($0)?" } ?? all
    return UsageError("unknown command \"\(pair)\"\(hint)")
  }
}
