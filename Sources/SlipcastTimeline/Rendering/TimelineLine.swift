internal import SlipcastWire

/// One line in columns: time, mark, event, message.
struct TimelineLine {
  /// The column of the event: after a margin, a time with milliseconds and the mark.
  static let eventColumn = 2 + timeWidth + 3
  private static let timeWidth = 24
  /// As wide as the longest event of V2.
  private static let eventWidth = 45

  let time: Int64?
  let mark: String
  let event: String
  let message: String

  /// The line without trailing blanks; it contains no characters that could mislead a terminal.
  var text: String {
    let when = time.map { Timestamp(milliseconds: $0).description } ?? ""
    let columns = [
      "  " + TextLayout.padded(when, to: Self.timeWidth), mark,
      TextLayout.padded(SafeText.words(event), to: Self.eventWidth), SafeText.words(message),
    ]
    let line = columns.joined(separator: " ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}
