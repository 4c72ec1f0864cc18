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

  private static let texts = SectionedText(PackageResources.help_txt)

  init(of name: String) {
    let own = Self.texts.paragraphs(of: name)
    if let heading = own.first {
      summary = String(heading[0].dropFirst(name.count + 4))
      usage = String(heading.dropFirst().joined(separator: " ").dropFirst(7))
    }
    let family = name.firstIndex(of: " ").map { Self.texts.paragraphs(of: String(name[..<$0])) } ?? []
    for lines in own.dropFirst() + family.dropFirst() { add(lines) }
  }

  private mutating func add(_ lines: [String]) {
    let statuses = lines.compactMap { line in
      Int32(line.prefix { $0 != " " }).flatMap(ExitCode.init(rawValue:)).map { ($0, String(line.dropFirst(2))) }
    }
    if statuses.count == lines.count {
      exitStatuses += statuses
    } else if lines.count > 1, lines[1].hasPrefix(": ") {
      rows.append((lines[0], String(lines.dropFirst().joined(separator: " ").dropFirst(2))))
    } else if let command = lines.last, command.hasPrefix("$ ") {
      examples.append((String(command.dropFirst(2)), lines.dropLast().joined(separator: " ")))
    } else {
      discussion.append(lines.joined(separator: " "))
    }
  }
}
