/// What was given on the command line, sorted out by a command's options.
struct Arguments: Sendable {
  private(set) var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  func has(_ name: String) -> Bool { values[name] != nil }
  func last(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of an option that the command needs.
  ///
  /// - Parameter meaning: what the value is, for the error message.
  func required(_ name: String, _ meaning: String, _ command: CommandDescription) throws(UsageError) -> String {
    guard let value = last(name) else { throw UsageError("--\(name) is missing: \(meaning)", command) }
    return value
  }

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
        try refuseLongDash(word, command)
        operands.append(word)
        continue
      }
      let (name, given) = Self.parts(word.drop { $0 == "-" })
      guard word.hasPrefix("--"), let option = command.option(name) else {
        throw UsageError.unknownOption(Self.parts(word[...]).name, command)
      }
      var value = given
      if option.value != nil, value == nil {
        // Another option after it means that the value is missing; --name=--value passes a value that looks like an
        // option.
        guard index < words.count, !words[index].hasPrefix("--") else { throw missingValue(option, command) }
        value = words[index]
        index += 1
      }
      try check(option, value, command)
      values[name, default: []].append(value ?? "")
    }
  }

  /// Takes `name=value` apart.
  private static func parts(_ word: Substring) -> (name: String, value: String?) {
    guard let sign = word.firstIndex(of: "=") else { return (String(word), nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
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

  private func missingValue(_ option: Option, _ command: CommandDescription) -> UsageError {
    let names = option.choices.map(\.name) + (option.takesOthers ? [option.value ?? ""] : [])
    let value = option.choices.isEmpty ? option.value ?? "" : "one of " + names.joined(separator: ", ")
    return UsageError("--\(option.name) needs a value: \(value)", command)
  }

  /// Text programs make one long dash of two short ones, and what is copied from them looks like a file's name.
  private func refuseLongDash(_ word: String, _ command: CommandDescription) throws(UsageError) {
    guard let first = word.first, "–—−".contains(first) else { return }
    let name = Self.parts(word.dropFirst()).name
    guard command.option(name) != nil else { return }
    throw UsageError("\(word) begins with a long dash; did you mean --\(name)?", command)
  }

  private func check(_ option: Option, _ value: String?, _ command: CommandDescription) throws(UsageError) {
    if option.value == nil, value != nil { throw UsageError("--\(option.name) takes no value", command) }
    if !option.isRepeatable, has(option.name), option.value != nil {
      throw UsageError("--\(option.name) is given twice", command)
    }
    guard let value, !option.choices.isEmpty, !option.takesOthers else { return }
    try Choice.check(value, of: "--\(option.name)", among: option.choices, command)
  }
}

extension Choice {
  /// Rejects a word that is not one of those.
  ///
  /// - Parameter subject: what the word was given for.
  static func check(
    _ word: String, of subject: String, among choices: [Choice], _ command: CommandDescription
  ) throws(UsageError) {
    let names = choices.map(\.name)
    guard !names.contains(word) else { return }
    throw UsageError(
      "\(subject) is one of \(names.joined(separator: ", ")), not \"\(word)\"\(UsageError.hint(word, names))", command)
  }
}
