/// The description of the whole program in its help, its manual and its reference.
enum ProgramDescription {
  static let name = "slipcast"
  static let text = CommandText(of: name)

  static let optionsNote = "Every command accepts --help and --color; --version is used alone."
  static let options = [Option.help, Option.version] + [Option.color]

  static let essentials = text.examples

  /// Families of commands, which have one line in the list of commands, with the names of their members.
  static let families = [
    "fetch": "downloads Apple's V2 data",
    "baseline": "manages the known differences between two archives",
  ]

  static let next = CommandText(of: "next").examples

  /// The exit statuses in one line, for the first page.
  static let briefStatuses = "0 done; 1 done, with differences, rejects or invalid signatures; 2 not done"

  static let environment = CommandText(of: "environment").rows

  /// Files that commands create in addition to those that the command line names.
  static let files = CommandText(of: "files").rows

  static let seeAlso = ["jq(1)", "psql(1)", "sqlite3(1)", "zstd(1)"]
}

extension Option {
  static let version = Option(name: "version", help: "Shows the version of slipcast.")
}
