@_spi(Slipcast) internal import SlipcastWire

/// Lines of JSON that may be shown on a terminal.
enum SafeLine {
  /// Ends a line; characters that could mislead a terminal become equivalent escapes.
  static func end(_ writer: JSONWriter, from start: Int) {
    let line = UnsafeBufferPointer(rebasing: writer.buffer[start...])
    // C0 is escaped in any JSON; all other dangerous characters are not ASCII, except DEL.
    if line.contains(where: { $0 >= 0x7F }) {
      let safe = SafeText.json(String(decoding: line, as: UTF8.self))
      writer.truncate(to: start)
      writer.raw(safe)
    }
    writer.byte(0x0A)
  }
}
