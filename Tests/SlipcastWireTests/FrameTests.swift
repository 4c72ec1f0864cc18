@_spi(Slipcast) import SlipcastWire
import Testing

/// Searches over sixteen bytes at a time find what a loop over single bytes finds, at every place of a text.
@Suite struct FrameTests {
  /// Texts with a piece at every place of the first three times sixteen bytes, and behind them.
  private static func texts(with piece: String, filler: Character = "M") -> [[UInt8]] {
    (0..<50).flatMap { place in
      [0, 1, 15, 16, 40].map { after in
        Array((String(repeating: filler, count: place) + piece + String(repeating: filler, count: after)).utf8)
      }
    }
  }

  /// The content of a cell by RFC 4180, byte by byte.
  private static func content(_ text: [UInt8]) -> (bytes: [UInt8], quote: Int, isEscaped: Bool)? {
    var (bytes, at, isEscaped): ([UInt8], Int, Bool) = ([], 0, false)
    while at < text.count {
      if text[at] == UInt8(ascii: "\"") {
        guard at + 1 < text.count, text[at + 1] == UInt8(ascii: "\"") else { return (bytes, at, isEscaped) }
        isEscaped = true
        at += 1
      }
      bytes.append(text[at])
      at += 1
    }
    return nil
  }

  @Test(arguments: [
    "\"", "\"\"", "\"\"\"", "\"\"\"\"\"", "\"\",\"", "{\"\"a\"\":\"\"b\"\"}\"", "\"\"\"\"MMMM\"\"MMMMMMMMMMMMMMMM\"",
    "",
  ])
  func aCellEndsAtItsQuoteAndHasOneQuoteForEachTwo(_ piece: String) {
    for text in Self.texts(with: piece) {
      let writer = JSONWriter(capacity: 64)
      writer.raw("before")
      let found = QuotedCell.copy(from: text.span, at: 0, to: writer)
      let wanted = Self.content(text)
      #expect(found?.quote == wanted?.quote && found?.isEscaped == wanted?.isEscaped)
      #expect(writer.bytes == Array("before".utf8) + (wanted?.bytes ?? []))
    }
  }

  @Test(arguments: [",", "\n", "\"", "\n,", "", "\u{2C}\u{22}"])
  func theFirstOfThreeBytesIsFound(_ piece: String) {
    for text in Self.texts(with: piece) {
      for start in [0, 1, 17] {
        let wanted = text.indices.first { $0 >= start && [0x2C, 0x0A, 0x22].contains(text[$0]) } ?? text.count
        #expect(text.span.firstIndex(ofAny: (0x2C, 0x0A, 0x22), from: start) == wanted)
      }
    }
  }

  @Test(arguments: ["\"", "\\", "\n", "\u{1F}", "\u{0}", "ü", "\u{7F}", "\\\"", ""])
  func aStringIsEscapedAtEveryPlace(_ piece: String) {
    let escapes: [UInt8: String] = [
      0x22: "\\\"", 0x5C: "\\\\", 0x0A: "\\n", 0x1F: "\\u001f", 0x00: "\\u0000",
    ]
    for text in Self.texts(with: piece) {
      let wanted = text.flatMap { byte in escapes[byte].map { Array($0.utf8) } ?? [byte] }
      let writer = JSONWriter(capacity: 64)
      writer.escaped(text.span)
      #expect(writer.bytes == [0x22] + wanted + [0x22])
    }
  }

  @Test(arguments: ["=", "==", "\n", "\r\n", "*", "-", ""])
  func baseSixtyFourIsReadAtEveryPlace(_ piece: String) {
    let values = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    for text in Self.texts(with: piece, filler: "k") {
      let letters = text.prefix { values.contains($0) || $0 == 0x0A || $0 == 0x0D }.filter { values.contains($0) }
      let isWhole = text.drop { values.contains($0) || $0 == 0x0A || $0 == 0x0D }.allSatisfy { $0 == 0x3D }
      let padding = text.count { $0 == 0x3D }
      let bits = letters.count * 6 % 8
      let isSound =
        isWhole && padding < 3 && (letters.count + padding) % 4 == 0 && bits != 6 && 36 & (1 << bits - 1) == 0
      var wanted: [UInt8] = []
      var (number, width) = (0, 0)
      for letter in letters {
        number = (number << 6 | (values.firstIndex(of: letter) ?? 0)) & 0xFFFF
        width += 6
        if width >= 8 {
          width -= 8
          wanted.append(UInt8(truncatingIfNeeded: number >> width))
        }
      }
      #expect(Base64.decode(text.span) == (isSound ? wanted : nil))
    }
  }
}
