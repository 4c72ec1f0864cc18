/// Whether a source has a text to read: an archive may have no file of the names that are asked for.
package enum MemberSearch {
  /// How much of a stream is looked at; what is behind it is left to the run.
  private static let mostBytes = 32 << 20

  /// A damaged source counts as one with a text: its run reports the damage.
  package static func hasText(_ source: RecordSource) -> Bool {
    guard case .file(let file, let patterns) = source, !patterns.isEmpty else { return true }
    guard file.isStream else { return hasText(file, patterns) }
    var count = 1
    while true {
      guard let head = try? StreamHeads.look(at: file, for: count) else { return true }
      var start = file
      start.sample = SourceSample(held: head.bytes)
      if head.isAtEnd || head.bytes.count >= mostBytes { return !head.isAtEnd || hasText(start, patterns) }
      // A text was found, and not only the end of what was read.
      if (try? SourceMembers(start, patterns: patterns).next()) != nil { return true }
      count = 2 * head.bytes.count
    }
  }

  private static func hasText(_ file: InputFile, _ patterns: [String]) -> Bool {
    do { return try SourceMembers(file, patterns: patterns).next() != nil } catch { return true }
  }
}
