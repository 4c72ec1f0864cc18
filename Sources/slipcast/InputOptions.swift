/// What several commands say of their inputs.
enum InputOptions {
  /// Directories were given, and nothing in them is to be read: nothing was done, which must not look like success.
  static func nothingFound(_ names: [String], _ patterns: [String], _ command: CommandDescription) -> UsageError {
    let shown = patterns.isEmpty ? "" : " of the names of --include (\(patterns.joined(separator: ", ")))"
    return UsageError("there is no file\(shown) in \(names.joined(separator: ", "))", command)
  }
}
