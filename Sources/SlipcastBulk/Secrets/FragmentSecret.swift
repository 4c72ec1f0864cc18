/// Finds the secret where its key is missing: at the start of text that starts inside a record, and in a column of text
/// that is not JSON.
enum FragmentSecret {
  private static let reach = 256
  private static let shortest = 20
  /// The number of digits in a secret from Apple.
  private static let digits = 32

  static func remove(from text: [UInt8]) -> [UInt8] {
    guard let first = text.first(where: { !BlockReader.isSpace($0) }), first != UInt8(ascii: "{"),
      first != UInt8(ascii: "["), first != UInt8(ascii: "<")
    else { return text }
    return removeColumns(from: removeBeginning(from: text))
  }

  /// Words of 32 hexadecimal digits.
  private static func removeColumns(from text: [UInt8]) -> [UInt8] {
    Redaction.replaceRuns(in: text, of: UnclearSecret.isPart) { word in
      word.count == digits && word.allSatisfy { EncodedRuns.digit($0) != nil }
        && word.contains { $0 > 0x39 } && word.contains { $0 <= 0x39 }
    }
  }

  private static func removeBeginning(from text: [UInt8]) -> [UInt8] {
    guard let comma = text.prefix(reach).firstIndex(where: { ",}{".utf8.contains($0) }),
      text[comma] != UInt8(ascii: "{"),
      let quote = text[..<comma].last(where: { !BlockReader.isSpace($0) && $0 != UInt8(ascii: "\\") }),
      Redaction.isQuote(quote)
    else { return text }
    let beginning = Redaction.replaceRuns(in: Array(text[..<comma]), of: UnclearSecret.isPart) { $0.count >= shortest }
    return beginning + text[comma...]
  }
}
