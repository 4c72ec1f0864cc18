import SlipcastBulk

/// Times on the command line that begin and end: FROM..UNTIL.
enum TimeRange {
  /// Reads the value of an option, in milliseconds since 1970.
  static func read(_ text: String, of option: String) throws -> ClosedRange<Int64> {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2, let from = StatedTime.milliseconds(ends[0]),
      let until = StatedTime.milliseconds(ends[1])
    else {
      throw UsageError("--\(option) needs two times, such as 2021-01-01..2021-06-30T23:59:59Z, not \"\(text)\"")
    }
    guard from <= until else { throw UsageError("--\(option) needs the earlier time first, not \"\(text)\"") }
    return from...until
  }
}

/// Times on the command line.
enum StatedTime {
  /// In milliseconds since 1970 UTC; `nil` for other texts, such as a year alone.
  static func milliseconds(_ text: String) -> Int64? {
    // Seconds before 1973 are a year, or a date without its hyphens.
    if text.utf8.count < 9, text.utf8.allSatisfy({ (48...57).contains($0) }) { return nil }
    return ReceivedTime.milliseconds(text)
  }
}
