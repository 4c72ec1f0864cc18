@_spi(Slipcast) internal import SlipcastWire

/// Lines of JSON that may end up on a terminal.
enum SafeLine {
  /// Ends a line; characters that could play tricks on a terminal become escapes that mean the same.
  static func end(_ writer: JSONWriter, from start: Int) {
    let line = UnsafeBufferPointer(rebasing: writer.buffer[start...])
    // C0 is escaped in any JSON; what else is dangerous is no ASCII, but for DEL.
    if line.contains(where: { $0 >= 0x7F }) {
      let safe = SafeText.json(String(decoding: line, as: UTF8.self))
      writer.truncate(to: start)
      writer.raw(safe)
    }
    writer.byte(0x0A)
  }
}
