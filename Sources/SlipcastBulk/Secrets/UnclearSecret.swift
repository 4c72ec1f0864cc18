internal import SlipcastWire

/// Finds a possible secret in text that is too broken to separate a value from its key.
///
/// The colon or a quote is missing, or the text was never JSON. The first word after the key that looks like a secret
/// is treated as one: too much removed text can be restored from the source, but a leaked secret cannot be taken back.
/// Words that are keys themselves end the search.
enum UnclearSecret {
  /// The maximum distance of a secret from its key.
  private static let reach = 64
  /// A secret from Apple has 32 digits and letters.
  private static let shortest = 6
  /// Words of only letters are never that long by chance.
  private static let longestWord = 20

  /// Appends the text from a position to the secret, and the replacement for the secret.
  ///
  /// - Parameter isKey: the position follows the key, and not a supposed value.
  /// - Returns: the position after the secret, or the same position when nothing there looks like a secret.
  static func remove(
    _ text: Span<UInt8>, behind start: Int, isKey: Bool, into result: inout [UInt8]
  ) -> Int {
    // `secrets`, `password_hint`: other words.
    guard start < text.count, !isKey || !isPart(text[start]) else { return start }
    var at = start
    while at < min(start + reach, text.count) {
      // It was removed already.
      if text.starts(with: Redaction.replacement.utf8, at: at) { return start }
      guard isPart(text[at]) else {
        at += 1
        continue
      }
      let end = text.firstIndex(from: at) { !isPart($0) } ?? text.count
      if looksSecret(text.extracting(at..<end)) {
        result.append(contentsOf: text.extracting(start..<at))
        result.append(contentsOf: Redaction.replacement.utf8)
        return end
      }
      // The keys of one letter name the type of a value in DynamoDB.
      if end - at > 1, Self.isKey(text, end) { return start }
      at = end
    }
    return start
  }

  static func isPart(_ byte: UInt8) -> Bool {
    byte.isAlphanumeric || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  static func isSecret(_ text: Span<UInt8>, at start: Int) -> Bool {
    looksSecret(text.extracting(start..<(text.firstIndex(from: start) { !isPart($0) } ?? text.count)))
  }

  private static func looksSecret(_ word: Span<UInt8>) -> Bool {
    word.count >= longestWord || word.count >= shortest && word.contains { (0x30...0x39).contains($0) }
  }

  /// A quote and a colon follow, however many backslashes precede the quote.
  private static func isKey(_ text: Span<UInt8>, _ end: Int) -> Bool {
    guard let quote = text.firstIndex(from: end, where: { $0 != UInt8(ascii: "\\") }), Redaction.isQuote(text[quote])
    else { return false }
    return text.first(from: quote + 1) { !$0.isBlank } == UInt8(ascii: ":")
  }
}
