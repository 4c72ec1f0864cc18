internal import SlipcastWire

/// What the first bytes of a source reveal about the whole source.
enum SourceHead {
  /// The number of bytes that are needed.
  static let size = 40

  /// The object identifier of signed data (PKCS #7), near the start of every app receipt.
  private static let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]

  /// Binary data: control characters that no text starts with, or the start of ASN.1.
  static func isBinary(_ text: Span<UInt8>) -> Bool {
    if text.count > 1, text[0] == 0x30, text[1] >= 0x80 { return true }
    return text.extracting(..<min(size, text.count)).contains { $0 < 0x09 || (0x0E..<0x20).contains($0) }
  }

  /// How to convert text in UTF-32; `nil` for anything else.
  ///
  /// - Parameter starts: what a text without a mark begins with.
  static func foreignEncoding(
    _ text: some Collection<UInt8>, starts: [UInt8] = Array("{[\"".utf8)
  ) -> String? {
    let head = Array(text.prefix(4))
    guard head.count == 4 else { return nil }
    // Byte order marks; without one, the zeros around the first letter.
    let code: String? =
      switch (head[0], head[1], head[2], head[3]) {
      case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF): "UTF-32"
      case (let byte, 0, 0, 0) where starts.contains(byte): "UTF-32LE"
      case (0, 0, 0, let byte) where starts.contains(byte): "UTF-32BE"
      default: nil
      }
    return code.map { "the text is UTF-32, not UTF-8; convert it first: iconv -f \($0) -t UTF-8 FILE" }
  }

  /// The first line starts with a bracket, as logs write `[2022-03-05 10:00:00] message`, and is not a JSON array: a letter
  /// or digit is where JSON requires a comma or the end.
  static func isLogLine(_ text: Span<UInt8>) -> Bool {
    var grammar = ArrayGrammar()
    for place in text.indices {
      let byte = text[place]
      switch byte {
      case 0x0A, ArrayGrammar.object, UInt8(ascii: "\""): return false
      case UInt8(ascii: "]"):
        guard grammar.depth == 1 else { return false }
        return text.first(from: place + 1) { $0 != 0x20 && $0 != 0x09 }.map(\.isAlphanumeric) ?? false
      default: guard grammar.accept(byte) else { return byte.isAlphanumeric }
      }
    }
    return false
  }

  /// A binary app receipt: an ASN.1 sequence with signed data.
  static func isReceipt(_ text: Span<UInt8>) -> Bool {
    guard text.count > 2 + signedData.count, text[0] == 0x30, text[1] >= 0x80 else { return false }
    return (2...min(25, text.count - signedData.count)).contains { place in
      text.starts(with: signedData, at: place)
    }
  }
}
