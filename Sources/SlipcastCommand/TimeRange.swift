import SlipcastBulk

/// Times on the command line that begin and end: FROM..UNTIL.
enum TimeRange {
  /// Reads the value of an option, in milliseconds since 1970.
  static func read(_ text: String, of option: String) throws -> ClosedRange<Int64> {
    let ends = text.split(separator: "..", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2, let from = ReceivedTime.milliseconds(ends[0]),
      let until = ReceivedTime.milliseconds(ends[1])
    else {
      throw UsageError("--\(option) needs two times, such as 2021-01-01..2021-06-30T23:59:59Z, not \"\(text)\"")
    }
    guard from <= until else { throw UsageError("--\(option) needs the earlier time first, not \"\(text)\"") }
    return from...until
  }
}
