/// A section of `help.txt`, the texts of a command or of the program.
///
/// It has a heading with the name and the summary, how the command is called, paragraphs about it, examples (a sentence,
/// and a command behind `$`), a line for each exit status, or names with their meanings. A family of commands may have a
/// section for what its members share.
struct CommandText: Sendable {
  var summary = ""
  /// How it is called, without the program's name.
  var usage = ""
  var discussion: [String] = []
  var examples: [(command: String, says: String)] = []
  var exitStatuses: [(status: ExitCode, means: String)] = []
  var rows: [(name: String, means: String)] = []

  private static let sections: [String: CommandText] = {
    var sections: [String: CommandText] = [:]
    var name = ""
    let text = String(decoding: PackageResources.help_txt, as: UTF8.self)
    let all = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Substring($0) }
    for lines in all.split(whereSeparator: \.isEmpty).map(Array.init) {
      if let heading = lines.first, heading.hasPrefix("# ") {
        name = String(heading.dropFirst(2).prefix { $0 != ":" })
        let usage = lines.dropFirst().joined(separator: " ").dropFirst(7)
        sections[name] = CommandText(summary: String(heading.dropFirst(name.count + 4)), usage: String(usage))
      } else {
        sections[name]?.add(lines)
      }
    }
    return sections
  }()

  private mutating func add(_ lines: [Substring]) {
    let statuses = lines.compactMap { line in
      Int32(line.prefix { $0 != " " }).flatMap(ExitCode.init(rawValue:)).map { ($0, String(line.dropFirst(2))) }
    }
    if statuses.count == lines.count {
      exitStatuses += statuses
    } else if lines.count > 1, lines[1].hasPrefix(": ") {
      rows.append((String(lines[0]), String(lines.dropFirst().joined(separator: " ").dropFirst(2))))
    } else if let command = lines.last, command.hasPrefix("$ ") {
      examples.append((String(command.dropFirst(2)), lines.dropLast().joined(separator: " ")))
    } else {
      discussion.append(lines.joined(separator: " "))
    }
  }
}

extension CommandText {
  init(of name: String) {
    self = Self.sections[name] ?? CommandText()
    guard let space = name.firstIndex(of: " "), let family = Self.sections[String(name[..<space])] else { return }
    discussion += family.discussion
    exitStatuses += family.exitStatuses
  }
}
