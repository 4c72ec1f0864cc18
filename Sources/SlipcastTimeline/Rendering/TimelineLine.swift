internal import SlipcastWire

/// One line in columns: time, mark, event, message.
struct TimelineLine {
  /// The column of the event: after a margin, a time with milliseconds and the mark.
  static let eventColumn = 2 + timeWidth + 3
  static let width = 100
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
      "  " + Self.padded(when, Self.timeWidth), mark,
      Self.padded(SafeText.words(event), Self.eventWidth), SafeText.words(message),
    ]
    let line = columns.joined(separator: " ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// The words in lines of up to 100 characters; a longer word gets its own line.
  static func wrapped(_ text: String, margin: Int) -> [String] {
    let blanks = String(repeating: " ", count: margin)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, margin + line.count + 1 + word.count > width {
        lines.append(blanks + line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [blanks + line]
  }
}
