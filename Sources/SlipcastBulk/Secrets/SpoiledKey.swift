internal import SlipcastWire

/// Keys of the secret with one or two wrong letters, before a value that looks like a secret.
enum SpoiledKey {
  private static let words: [(letters: [UInt8], faults: Int)] = [
    (Array("password\"".utf8), 2), (Array("secret\"".utf8), 1),
  ]

  /// The position of the colon after such a key, when it is here.
  static func end(_ text: Span<UInt8>, _ colon: Int) -> Int? {
    guard text[colon] == UInt8(ascii: ":"), let value = startOfString(text, colon + 1),
      UnclearSecret.isSecret(text, at: value)
    else { return nil }
    var key: [UInt8] = []
    var at = colon
    while at > 0, key.count < 12, colon - at < 40 {
      at -= 1
      guard text[at] != UInt8(ascii: "\\"), !text[at].isBlank else { continue }
      key.append(text[at])
    }
    key = SecretFilter.lowercased(key.reversed())
    return words.contains { Misspelling.ends(key, with: $0.letters, faults: $0.faults) } ? colon : nil
  }

  /// The position after the quote of the string that follows, by itself or under its type (`{"S":"`, `{"SS":["`).
  private static func startOfString(_ text: Span<UInt8>, _ start: Int) -> Int? {
    var at = start
    while at < min(start + 48, text.count) {
      if Redaction.isQuote(text[at]) {
        let head = text.extracting(..<min(at + 17, text.count))
        let end = head.firstIndex(from: at + 1) { Redaction.isQuote($0) || $0 == UInt8(ascii: "\\") } ?? head.count
        guard isType(text.extracting(at + 1..<end)) else { return at + 1 < text.count ? at + 1 : nil }
        at = end
        while at < text.count, text[at] == UInt8(ascii: "\\") { at += 1 }
      } else if !text[at].isBlank, !"\\{[:".utf8.contains(text[at]) {
        return nil
      }
      at += 1
    }
    return nil
  }

  /// A type of DynamoDB or of MongoDB.
  private static func isType(_ word: Span<UInt8>) -> Bool {
    word.first == UInt8(ascii: "$")
      || (1...4).contains(word.count) && word.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
  }
}
