/// Takes the shared secret out of text that could not be read, or is to be kept as it came.
///
/// Works on bytes, so it holds for broken JSON, for JSON inside a JSON string (`\"password\":\"…\"`) and for keys that
/// are spelled with `\u` escapes. Everything that stands as the value of a key `password` is replaced.
enum Redaction {
  static let replacement = Array("[removed]".utf8)
  private static let word = Array("password".utf8)

  /// The text without the secret; the zero bytes of UTF-16 are dropped, because letters stand apart in it.
  static func redact(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    if text.contains(0) { return text.filter { $0 != 0 }.withUnsafeBufferPointer(redact) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      guard let key = endOfWord(text, at), let value = startOfValue(text, key) else {
        result.append(text[at])
        at += 1
        continue
      }
      let end = endOfValue(text, value)
      result.append(contentsOf: text[at..<value.start])
      result.append(contentsOf: value.quote)
      result.append(contentsOf: replacement)
      result.append(contentsOf: value.quote)
      at = end
    }
    return result
  }

  /// The end of `password` when it is spelled here, letters plain or as `\u0070`.
  private static func endOfWord(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    var at = start
    for letter in word {
      guard at < text.count else { return nil }
      if text[at] == letter {
        at += 1
        continue
      }
      guard text[at] == UInt8(ascii: "\\"), let end = escape(text, at, letter) else { return nil }
      at = end
    }
    return at
  }

  private static func escape(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ letter: UInt8) -> Int? {
    var at = start
    while at < text.count, text[at] == UInt8(ascii: "\\") { at += 1 }
    guard at + 5 <= text.count, text[at] == UInt8(ascii: "u") else { return nil }
    var value = 0
    for digit in text[at + 1..<at + 5] {
      guard let number = Int(String(UnicodeScalar(digit)), radix: 16) else { return nil }
      value = value * 16 + number
    }
    return value == Int(letter) ? at + 5 : nil
  }

  private struct Value {
    var start: Int
    /// The quotes around it as they are spelled, backslashes included; empty for a bare value.
    var quote: [UInt8]
  }

  /// The value behind the key: behind a colon, an equals sign or an arrow, quoted or bare.
  private static func startOfValue(_ text: UnsafeBufferPointer<UInt8>, _ end: Int) -> Value? {
    var at = end
    var hasSign = false
    while at < text.count {
      let byte = text[at]
      let isSign = byte == UInt8(ascii: ":") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: ">")
      if hasSign, !isSign, !BlockReader.isSpace(byte) { break }
      hasSign = hasSign || isSign
      guard isSign || isFiller(byte) else { return nil }
      at += 1
    }
    guard hasSign else { return nil }
    let start = at
    while at < text.count, text[at] == UInt8(ascii: "\\") { at += 1 }
    guard at < text.count, isQuote(text[at]) else { return Value(start: start, quote: []) }
    return Value(start: start, quote: Array(text[start...at]))
  }

  private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

  /// What may stand between a key and its sign: the key's closing quote, in escapes or not, brackets and blanks.
  private static func isFiller(_ byte: UInt8) -> Bool {
    isQuote(byte) || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "]") || BlockReader.isSpace(byte)
  }

  private static func endOfValue(_ text: UnsafeBufferPointer<UInt8>, _ value: Value) -> Int {
    var at = value.start + value.quote.count
    if at < text.count, text[at] == UInt8(ascii: "{") || text[at] == UInt8(ascii: "[") {
      return endOfContainer(text, at)
    }
    if value.quote.isEmpty {
      while at < text.count, ![UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x0A].contains(text[at]) {
        at += 1
      }
      return at
    }
    while at < text.count {
      let run = text[at...].prefix { $0 == UInt8(ascii: "\\") }.count
      let quote = at + run
      if quote < text.count, text[quote] == value.quote.last, run == value.quote.count - 1 { return quote + 1 }
      at = max(quote + 1, at + 1)
    }
    return at
  }

  /// The bracket that closes the one here, or the end of the text.
  private static func endOfContainer(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var depth = 0
    var at = start
    while at < text.count {
      switch text[at] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth == 0 { return at + 1 }
      default: break
      }
      at += 1
    }
    return at
  }
}
