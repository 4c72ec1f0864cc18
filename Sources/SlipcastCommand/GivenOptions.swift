import SlipcastComparison

/// Options of the command line that the result of a comparison depends on, for its reports.
enum GivenOptions {
  /// Inputs are named by themselves; the others decide where and how the result is shown, or how fast it is made.
  private static let others: Set<String> = [
    "legacy", "server", "report", "format", "quiet", "verbose", "rejects", "jobs", "color", "exit-zero", "help",
    "progress",
    "force", "reason", "until", "any-number", "path", "summary", "to", "resume", "checkpoint", "execute", "states",
    "access", "missing", "provenance", "rejects-raw", "keep-bodies",
  ]

  /// The options that were given, in alphabetical order, without passwords.
  static func list(_ arguments: Arguments) -> [ComparisonOrigin.Option] {
    arguments.values.keys.filter { !others.contains($0) }.sorted().map { name in
      let values =
        arguments.command.option(name)?.value == nil
        ? [] : arguments.all(name).map { PasswordMask.mask(Databases.withoutPassword($0)) }
      return ComparisonOrigin.Option(name: name, values: values)
    }
  }
}
