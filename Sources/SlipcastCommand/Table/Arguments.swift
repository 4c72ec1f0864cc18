/// What was given on the command line, sorted out by a command's options.
struct Arguments: Sendable {
  let command: CommandDescription
  private(set) var values: [String: [String]] = [:]
  private(set) var operands: [String] = []

  /// The options of the command that are given, in the order of its table.
  var given: [Option] { OptionTable.options(of: command.name) { values.keys.contains($0) } }

  func has(_ name: String) -> Bool { values[name] != nil }
  func last(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The same with other inputs, and without some options.
  func with(operands: [String], without names: [String] = []) -> Arguments {
    var arguments = self
    arguments.operands = operands
    for name in names { arguments.values[name] = nil }
    return arguments
  }

  /// The value of an option whose choices are the cases of an enumeration.
  func value<Value: RawRepresentable<String>>(_ name: String) -> Value? { last(name).flatMap(Value.init(rawValue:)) }

  /// The value of an option that the command needs.
  ///
  /// - Parameter meaning: what the value is, for the error message.
  func required(_ name: String, _ meaning: String) throws(UsageError) -> String {
    guard let value = last(name) else { throw UsageError("--\(name) is missing: \(meaning)") }
    return value
  }

  /// Reads the words behind the command's name: `--name value`, `--name=value`, `--` ends the options.
  init(_ words: [String], for command: CommandDescription) throws(UsageError) {
    self.command = command
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
        try refuseLongDash(word)
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
        guard index < words.count, !words[index].hasPrefix("--") else { throw missingValue(option) }
        value = words[index]
        index += 1
      }
      try check(option, value)
      values[name, default: []].append(value ?? "")
    }
  }

  private static func parts(_ word: Substring) -> (name: String, value: String?) {
    guard let sign = word.firstIndex(of: "=") else { return (String(word), nil) }
    return (String(word[..<sign]), String(word[word.index(after: sign)...]))
  }

  func number<Number: FixedWidthInteger>(
    _ name: String, _ range: ClosedRange<Number>
  ) throws(UsageError) -> Number? {
    guard let text = last(name) else { return nil }
    guard let value = Number(text), range.contains(value) else {
      let bound =
        range.upperBound == .max ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
      throw UsageError("--\(name) is a number \(bound), not \"\(text)\"")
    }
    return value
  }

  private func missingValue(_ option: Option) -> UsageError {
    let names = option.choices.map(\.name) + (option.takesOthers ? [option.value ?? ""] : [])
    let value = option.choices.isEmpty ? option.value ?? "" : "one of " + names.joined(separator: ", ")
    return UsageError("--\(option.name) needs a value: \(value)")
  }

  /// Text programs make one long dash of two short ones, and what is copied from them looks like a file's name.
  private func refuseLongDash(_ word: String) throws(UsageError) {
    guard let first = word.first, "–—−".contains(first) else { return }
    let name = Self.parts(word.dropFirst()).name
    guard command.option(name) != nil else { return }
    throw UsageError("\(word) begins with a long dash; did you mean --\(name)?")
  }

  private func check(_ option: Option, _ value: String?) throws(UsageError) {
    if option.value == nil, value != nil { throw UsageError("--\(option.name) takes no value") }
    if !option.isRepeatable, has(option.name), option.value != nil {
      throw UsageError("--\(option.name) is given twice")
    }
    guard let value, !option.choices.isEmpty, !option.takesOthers else { return }
    try Choice.check(value, of: "--\(option.name)", among: option.choices)
  }
}

extension Choice {
  /// Rejects a word that is not one of those.
  ///
  /// - Parameter subject: what the word was given for.
  static func check(_ word: String, of subject: String, among choices: [Choice]) throws(UsageError) {
    let names = choices.map(\.name)
    guard !names.contains(word) else { return }
    throw UsageError(
      "\(subject) is one of \(names.joined(separator: ", ")), not \"\(word)\"\(UsageError.hint(word, names))")
  }
}
