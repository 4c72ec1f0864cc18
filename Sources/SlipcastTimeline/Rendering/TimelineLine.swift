internal import SlipcastWire

/// One line in columns: time, mark, event, message.
struct TimelineLine {
  /// Where the event begins: behind a margin, a time with milliseconds and the mark.
  static let eventColumn = 2 + timeWidth + 3
  private static let timeWidth = 24
  /// As wide as the longest event of V2.
  private static let eventWidth = 45

  let time: Int64?
  let mark: String
  let event: String
  let message: String

  /// The line without blanks at its end; nothing in it plays tricks on a terminal.
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
