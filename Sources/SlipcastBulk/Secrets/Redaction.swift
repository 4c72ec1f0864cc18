internal import SlipcastWire

/// Removes the shared secret from text that could not be read, or is kept in its original form.
///
/// It works on bytes, so it handles broken JSON, JSON inside a JSON string (`\"password\":\"…\"`) and keys with `\u`
/// escapes. It replaces the value of every key that ends with `password` or `secret`, in upper or lower case: Apple's
/// key is `password`, and archives use `shared_secret`, `sharedSecret`, …. Where such a word occurs and its value is
/// unclear, `UnclearSecret` decides.
enum Redaction {
  static let replacement = "[removed]"
  private static let words = ["password", "secret"].map { Array($0.utf8) }

  /// True for a key, its escapes read, whose value is the secret.
  static func isSecret(key: String) -> Bool {
    let key = key.lowercased()
    return ["password", "secret"].contains { key.hasSuffix($0) }
  }

  static func redact(_ text: [UInt8]) -> [UInt8] { redact(text.span) }

  /// The text without the secret.
  ///
  /// The zero bytes of UTF-16 are dropped, because they separate letters; those of data that is not text are kept.
  static func redact(_ text: Span<UInt8>, keepsZeros: Bool = false) -> [UInt8] {
    if !keepsZeros, text.contains(0) { return redact(Array(text).filter { $0 != 0 }) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      guard let key = endOfWord(text, at) ?? SpoiledKey.end(text, at) else {
        // A run of backslashes belongs to the word from the first one or not at all.
        repeat {
          result.append(text[at])
          at += 1
        } while at < text.count && text[at] == UInt8(ascii: "\\") && text[at - 1] == UInt8(ascii: "\\")
        continue
      }
      guard let value = startOfValue(text, key) else {
        result.append(contentsOf: text.extracting(at..<key))
        at = UnclearSecret.remove(text, behind: key, isKey: true, into: &result)
        continue
      }
      let end = endOfValue(text, value)
      result.append(contentsOf: text.extracting(at..<value.start))
      // An unquoted value gets the quotes of its key, so that the record can be read again.
      let quote = text.extracting(value.quote == nil ? quoteOfKey(text, value, key) : value.start..<value.content)
      result.append(contentsOf: quote)
      result.append(contentsOf: replacement.utf8)
      result.append(contentsOf: quote)
      at = isFollowed(text, value, end) ? UnclearSecret.remove(text, behind: end, isKey: false, into: &result) : end
    }
    return result
  }

  /// Replaces each run of such bytes that is a secret.
  static func replaceRuns(
    in text: [UInt8], of isPart: (UInt8) -> Bool, where isSecret: (ArraySlice<UInt8>) -> Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      let end = text[at...].firstIndex { !isPart($0) } ?? text.count
      if isSecret(text[at..<end]) { result += replacement.utf8 } else { result += text[at..<end] }
      if end < text.count { result.append(text[end]) }
      at = end + 1
    }
    return result
  }

  /// The closing quote of the key, with its backslashes; of a spoiled key, it is before the position.
  private static func quoteOfKey(_ text: Span<UInt8>, _ value: Value, _ key: Int) -> Range<Int> {
    guard value.keyQuote.isEmpty, key > 0, isQuote(text[key - 1]) else { return value.keyQuote }
    var start = key - 1
    while start > 0, text[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return start..<key
  }

  /// The byte after the value does not end it, so it may be the rest of the value, or all of it.
  private static func isFollowed(_ text: Span<UInt8>, _ value: Value, _ end: Int) -> Bool {
    let isContainer = value.start < text.count && "{[".utf8.contains(text[value.start])
    if value.quote == nil, !isContainer { return end == value.start }
    guard let behind = text.firstIndex(from: end, where: { !$0.isBlank }),
      let byte = escaped(text, behind).byte
    else { return false }
    return !",}]);&<".utf8.contains(byte)
  }

  /// The end of such a word when it is here, with letters plain or as `\u0070`.
  private static func endOfWord(_ text: Span<UInt8>, _ start: Int) -> Int? {
    let first = text[start] | 0x20
    guard first == UInt8(ascii: "p") || first == UInt8(ascii: "s") || text[start] == UInt8(ascii: "\\") else {
      return nil
    }
    for word in words {
      if let end = endOf(word, text, start) { return end }
    }
    return nil
  }

  private static func endOf(_ word: [UInt8], _ text: Span<UInt8>, _ start: Int) -> Int? {
    var at = start
    for letter in word {
      guard at < text.count else { return nil }
      if text[at] | 0x20 == letter {
        at += 1
        continue
      }
      guard text[at] == UInt8(ascii: "\\"), let end = escape(text, at, letter) else { return nil }
      at = end
    }
    return at
  }

  /// The position after an escape like `\u0070` of a letter.
  private static func escape(_ text: Span<UInt8>, _ start: Int, _ letter: UInt8) -> Int? {
    let (level, byte, end) = escaped(text, start)
    return end == start + level + 5 && byte.map { $0 | 0x20 } == letter ? end : nil
  }

  private struct Value {
    var start: Int
    /// Backslashes before the quotes around it: 0 in JSON, 1 in JSON inside a string, 3 a level deeper.
    var level = 0
    /// The quote; `nil` for a bare value.
    var quote: UInt8?
    var content: Int
    /// The closing quote of the key, with its backslashes; empty where it has none.
    var keyQuote: Range<Int>
  }

  /// The value after the key: after a colon, an equals sign or an arrow, quoted or bare.
  private static func startOfValue(_ text: Span<UInt8>, _ end: Int) -> Value? {
    var at = end
    var hasSign = false
    var keyQuote = end..<end
    while at < text.count {
      let (level, byte, end) = escaped(text, at)
      guard let byte else { return nil }
      let isSign = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">")
      let isBlank = byte.isBlank || (level > 0 && Array("nrt".utf8).contains(byte))
      if isSign {
        hasSign = true
      } else if !isBlank {
        if hasSign {
          return Value(
            start: at, level: level, quote: isQuote(byte) ? byte : nil, content: isQuote(byte) ? end : at,
            keyQuote: keyQuote)
        }
        // The colon is missing: an object or array right after the key is its value.
        if !keyQuote.isEmpty, byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
          return Value(start: at, level: level, content: at, keyQuote: keyQuote)
        }
        hasSign = isRuinedSign(text, at, end)
        if isQuote(byte) { keyQuote = at..<end }
        // The key's own closing quote, or the bracket of an index.
        guard hasSign || isQuote(byte) || byte == UInt8(ascii: "]") else { return nil }
      }
      at = end
    }
    return nil
  }

  /// A byte in place of the colon: after the key's closing quote, and before the quote that opens the value.
  private static func isRuinedSign(_ text: Span<UInt8>, _ at: Int, _ end: Int) -> Bool {
    guard !isQuote(text[at]), !",]}[{\\".utf8.contains(text[at]) else { return false }
    let before = text.extracting(..<at).lastIndex { !$0.isBlank }
    let behind = text.firstIndex(from: end) { !$0.isBlank }
    return before.map { isQuote(text[$0]) } == true && behind.flatMap { escaped(text, $0).byte }.map(isQuote) == true
  }

  /// The next byte that is not a backslash, the number of backslashes before it, and the position after it; `\u0022`
  /// counts as its quote.
  private static func escaped(
    _ text: Span<UInt8>, _ at: Int
  ) -> (level: Int, byte: UInt8?, end: Int) {
    var place = at
    while place < text.count, text[place] == UInt8(ascii: "\\") { place += 1 }
    guard place < text.count else { return (place - at, nil, place) }
    if place > at, text[place] == UInt8(ascii: "u"), place + 5 <= text.count,
      let value = UInt32(String(decoding: text.extracting(place + 1..<place + 5)), radix: 16), value < 0x80
    {
      return (place - at, UInt8(value), place + 5)
    }
    return (place - at, text[place], place + 1)
  }

  static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  private static func endOfValue(_ text: Span<UInt8>, _ value: Value) -> Int {
    if let quote = value.quote {
      let end = endOfString(text, from: value.content, level: value.level, quote: quote)
      // An extra quote before the value: an empty string, and the value right after it.
      let isDoubled = end - value.content == value.level + 1 && end < text.count && text[end].isAlphanumeric
      return isDoubled ? endOfString(text, from: end, level: value.level, quote: quote) : end
    }
    let first = text[min(value.start, text.count - 1)]
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return endOfContainer(text, value.start) }
    let ends = Array(",;&}]\n".utf8)
    return text.firstIndex(from: startOfBare(text, value.start)) { ends.contains($0) } ?? text.count
  }

  /// After a colon, `&` and `;` replace a quote; after an equals sign they end an empty value.
  private static func startOfBare(_ text: Span<UInt8>, _ start: Int) -> Int {
    let (_, byte, end) = escaped(text, start)
    let isRuinedQuote = byte == UInt8(ascii: "&") || byte == UInt8(ascii: ";")
    return isRuinedQuote && text[start - 1] != UInt8(ascii: "=") ? end : start
  }

  /// The position after the closing quote: twice as many backslashes, plus one pair, belong to an escaped one.
  private static func endOfString(
    _ text: Span<UInt8>, from start: Int, level: Int, quote: UInt8
  ) -> Int {
    var at = start
    while at < text.count {
      let (run, byte, end) = escaped(text, at)
      if byte == quote, run % (2 * (level + 1)) == level { return end }
      at = end
    }
    return text.count
  }

  /// The position after the bracket that closes the one here; brackets inside strings do not count.
  private static func endOfContainer(_ text: Span<UInt8>, _ start: Int) -> Int {
    var depth = 0
    var at = start
    while at < text.count {
      let (level, byte, end) = escaped(text, at)
      guard let byte else { break }
      at = end
      switch byte {
      case UInt8(ascii: "\""): at = endOfString(text, from: at, level: level, quote: byte)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return at }
      default: break
      }
    }
    return text.count
  }
}
