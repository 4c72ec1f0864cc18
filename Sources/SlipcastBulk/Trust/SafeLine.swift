@_spi(Slipcast) internal import SlipcastWire

/// Lines of JSON that may be shown on a terminal.
enum SafeLine {
  /// Ends a line; characters that could mislead a terminal become equivalent escapes.
  static func end(_ writer: JSONWriter, from start: Int) {
    let line = writer.content.part(start..<writer.count)
    // C0 is escaped in any JSON; all other dangerous characters are not ASCII, except DEL.
    if line.buffer.span.contains(where: { $0 >= 0x7F }) {
      let safe = SafeText.json(line.string)
      writer.truncate(to: start)
      writer.raw(safe)
    }
    writer.byte(0x0A)
  }
}
