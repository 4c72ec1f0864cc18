import SlipcastWire

/// Names that `--to` gives to files, and that look like locations of databases or services.
///
/// A misspelled location would become the name of a file: reports, metrics and checkpoints would show the password in it.
/// So a name that may be a location is not taken for a file.
enum TargetName {
  /// - Throws: `UsageError` for a name that looks like a location but is not a well-spelled one of PostgreSQL.
  static func check(_ name: String) throws(UsageError) {
    guard !isPostgreSQL(name), LocationWords.isLike(name) else { return }
    throw UsageError(
      "--to looks like the location of a database or a service, and cannot be read as one; write sqlite:FILE, "
        + "postgresql://user:password@host/database (%40 for @ in a password), or ./NAME for a file")
  }

  private static func isPostgreSQL(_ name: String) -> Bool {
    ["postgres://", "postgresql://"].contains { name.hasPrefix($0) }
  }
}
