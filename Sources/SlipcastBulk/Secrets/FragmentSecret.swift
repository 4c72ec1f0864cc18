/// The secret at the beginning of text that begins inside a record: its key is not there.
enum FragmentSecret {
  private static let reach = 256
  private static let shortest = 20

  static func remove(from text: [UInt8]) -> [UInt8] {
    guard let first = text.first(where: { !BlockReader.isSpace($0) }), first != UInt8(ascii: "{"),
      first != UInt8(ascii: "["), first != UInt8(ascii: "<"),
      let comma = text.prefix(reach).firstIndex(where: { ",}{".utf8.contains($0) }), text[comma] != UInt8(ascii: "{"),
      let quote = text[..<comma].last(where: { !BlockReader.isSpace($0) && $0 != UInt8(ascii: "\\") }),
      Redaction.isQuote(quote)
    else { return text }
    var result: [UInt8] = []
    var at = 0
    while at < comma {
      let end = text[at..<comma].firstIndex { !isPart($0) } ?? comma
      if end - at >= shortest {
        result += Redaction.replacement.utf8
      } else {
        result += text[at..<end]
      }
      if end < comma { result.append(text[end]) }
      at = end + 1
    }
    return result + text[comma...]
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    Redaction.isWordByte(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}
