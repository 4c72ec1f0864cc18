/// What may be the secret in text so broken that nobody can tell the value of its key: the colon or a quote is lost, or
/// it was never JSON.
///
/// The first word behind the key that looks like a secret is one: too much removed can be had again from the source, and
/// what was told cannot be taken back. Words that are keys themselves end the search.
enum UnclearSecret {
  /// How far behind the key a secret begins at most.
  private static let reach = 64
  /// A secret of Apple's has 32 digits and letters.
  private static let shortest = 6
  /// Words of letters alone are that long only by intention.
  private static let longestWord = 20

  /// Appends the text from a place to the secret, and what stands in the place of the secret.
  ///
  /// - Parameter isKey: the place is that behind the key, and not that behind what seems to be its value.
  /// - Returns: the place behind it, or the same place when nothing there looks like a secret.
  static func remove(
    _ text: UnsafeBufferPointer<UInt8>, behind start: Int, isKey: Bool, into result: inout [UInt8]
  ) -> Int {
    // `secrets`, `password_hint`: other words.
    guard start < text.count, !isKey || !isPart(text[start]) else { return start }
    var at = start
    while at < min(start + reach, text.count) {
      // It has been removed already.
      if text[at...].starts(with: Redaction.replacement.utf8) { return start }
      guard isPart(text[at]) else {
        at += 1
        continue
      }
      let end = text[at...].firstIndex { !isPart($0) } ?? text.count
      if looksSecret(text[at..<end]) {
        result.append(contentsOf: text[start..<at])
        result.append(contentsOf: Redaction.replacement.utf8)
        return end
      }
      // The keys of one letter name the type of a value in DynamoDB.
      if end - at > 1, Self.isKey(text, end) { return start }
      at = end
    }
    return start
  }

  /// A byte of a word that may be a secret.
  static func isPart(_ byte: UInt8) -> Bool {
    Redaction.isWordByte(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  /// The word that begins here looks like a secret.
  static func isSecret(_ text: UnsafeBufferPointer<UInt8>, at start: Int) -> Bool {
    looksSecret(text[start..<(text[start...].firstIndex { !isPart($0) } ?? text.count)])
  }

  private static func looksSecret(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    word.count >= longestWord || word.count >= shortest && word.contains { (0x30...0x39).contains($0) }
  }

  /// A quote and a colon follow, however many backslashes stand before the quote.
  private static func isKey(_ text: UnsafeBufferPointer<UInt8>, _ end: Int) -> Bool {
    var rest = text[end...].drop { $0 == UInt8(ascii: "\\") }
    guard let quote = rest.popFirst(), Redaction.isQuote(quote) else { return false }
    return rest.first { !BlockReader.isSpace($0) } == UInt8(ascii: ":")
  }
}
