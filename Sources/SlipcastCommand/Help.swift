import SlipcastWire

/// Builds help texts from the command descriptions.
enum Help {
  static let version = Release.version

  static func program(_ commands: [CommandDescription]) -> String {
    let width = commands.map(\.name.count).max() ?? 0
    let list = commands.map { "  \(pad($0.name, width))  \($0.summary)\n" }.joined()
    return """
      slipcast: legacy App Store data, cast into V2

      Usage: slipcast COMMAND [OPTION…] [INPUT…]

      \(list)
      The three things people come for:
        slipcast convert notifications.ndjson > v2.ndjson     convert a stored archive
        slipcast diff v1.json v2.json                         a pair, field by field, with the meaning of each difference
        slipcast explain price_consent_status                 what a field means, and became

      slipcast COMMAND --help shows a command's options and examples; slipcast --version its version.
      Exit status: 0 fine, 1 differences or records that could not be converted, 2 the job could not be done.

      """
  }

  static func page(_ command: CommandDescription) -> String {
    var text = "Usage: slipcast \(command.usage)\n\n"
    for paragraph in command.discussion { text += wrap(paragraph, indent: 0) + "\n" }
    text += "Options:\n"
    for option in command.options + [.color, .help] {
      let choices = option.choices.isEmpty ? "" : " One of \(option.choices.joined(separator: ", "))."
      let repeatable = option.isRepeatable ? " May be given more than once." : ""
      text += "  --\(option.name)\(option.value.map { " " + $0 } ?? "")\n"
      text += wrap(option.help + choices + repeatable, indent: 6)
    }
    if !command.examples.isEmpty {
      text += "\nExamples:\n"
      for example in command.examples { text += wrap(example.says, indent: 2) + "    \(example.command)\n" }
    }
    return text
  }

  static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  static func wrap(_ text: String, indent: Int, width: Int = 100) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if line.count + word.count + 1 + indent > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    if !line.isEmpty { lines.append(line) }
    return lines.map { margin + $0 + "\n" }.joined()
  }
}
