internal import SlipcastWire

/// Finds the secret where its key is missing: at the start of text that starts inside a record, and in a column of text
/// that is not JSON.
enum FragmentSecret {
  private static let reach = 256
  private static let shortest = 20
  /// The number of digits in a secret from Apple.
  private static let digits = 32

  static func remove(from text: [UInt8]) -> [UInt8] {
    guard let first = text.first(where: { !$0.isBlank }), first != UInt8(ascii: "{"),
      first != UInt8(ascii: "["), first != UInt8(ascii: "<")
    else { return text }
    return removeColumns(from: removeBeginning(from: text))
  }

  /// Removes words with so many hexadecimal digits that a secret may be among them: damage may have changed its key, and
  /// joined it with other text.
  static func removeDigits(from text: [UInt8]) -> [UInt8] {
    Redaction.replaceRuns(in: text, of: UnclearSecret.isPart) { word in
      word.count >= fewestDigits
        && word.split { $0.hexadecimalValue == nil }.contains { digits in
          (fewestDigits..<mostDigits).contains(digits.count) && holdsBoth(digits)
        }
    }
  }

  private static let fewestDigits = 24
  /// Longer ones are data, which was decoded and searched.
  private static let mostDigits = 128

  /// Letters and numerals are among hexadecimal digits.
  static func holdsBoth(_ digits: ArraySlice<UInt8>) -> Bool {
    digits.contains { !$0.isDigit } && digits.contains { $0.isDigit }
  }

  /// Words of 32 hexadecimal digits.
  private static func removeColumns(from text: [UInt8]) -> [UInt8] {
    Redaction.replaceRuns(in: text, of: UnclearSecret.isPart) { word in
      word.count == digits && word.allSatisfy { $0.hexadecimalValue != nil } && holdsBoth(word)
    }
  }

  private static func removeBeginning(from text: [UInt8]) -> [UInt8] {
    guard let comma = text.prefix(reach).firstIndex(where: { ",}{".utf8.contains($0) }),
      text[comma] != UInt8(ascii: "{"),
      let quote = text[..<comma].last(where: { !$0.isBlank && $0 != UInt8(ascii: "\\") }),
      Redaction.isQuote(quote)
    else { return text }
    let beginning = Redaction.replaceRuns(in: Array(text[..<comma]), of: UnclearSecret.isPart) { $0.count >= shortest }
    return beginning + text[comma...]
  }
}
