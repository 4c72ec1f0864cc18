internal import SlipcastWire

/// Text with its escapes undone: those of JSON and C, of HTML, and of addresses, each as often as it was applied.
enum EscapedText {
  private static let rounds = 16
  private static let entities: [(name: String, byte: UInt8)] = [
    ("quot", 0x22), ("amp", 0x26), ("apos", 0x27), ("lt", 0x3C), ("gt", 0x3E), ("colon", 0x3A),
  ]

  /// The unescaped text.
  ///
  /// It is the text itself when it contains no escape except a backslash before a quote, and `nil` when escapes were
  /// applied more often than this function undoes.
  static func plain(_ text: [UInt8]) -> [UInt8]? {
    guard hasEscapes(text) else { return text }
    var text = text
    for _ in 0..<rounds {
      let next = once(text)
      if next.count == text.count { return text }
      text = next
    }
    return nil
  }

  private static func hasEscapes(_ text: [UInt8]) -> Bool {
    for (place, byte) in text.enumerated() where place + 1 < text.count {
      switch byte {
      case UInt8(ascii: "%"): if number(text, at: place + 1, digits: 2, radix: 16) != nil { return true }
      case UInt8(ascii: "&"): if entity(text, place) != nil { return true }
      case UInt8(ascii: "\\"): if "uUxX01234567".utf8.contains(text[place + 1]) { return true }
      default: break
      }
    }
    return false
  }

  private static func once(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var at = 0
    while at < text.count {
      if let (byte, end) = escape(text, at) {
        result.append(byte)
        at = end
      } else {
        result.append(text[at])
        at += 1
      }
    }
    return result
  }

  private static func escape(_ text: [UInt8], _ at: Int) -> (UInt8, Int)? {
    switch text[at] {
    case UInt8(ascii: "%"): return number(text, at: at + 1, digits: 2, radix: 16).map { ($0, at + 3) }
    case UInt8(ascii: "&"): return entity(text, at)
    case UInt8(ascii: "\\"):
      guard at + 1 < text.count else { return nil }
      switch text[at + 1] {
      case UInt8(ascii: "u"), UInt8(ascii: "U"):
        return number(text, at: at + 2, digits: 4, radix: 16).map { ($0, at + 6) }
      case UInt8(ascii: "x"), UInt8(ascii: "X"):
        // The digits of a whole text, as PostgreSQL prints bytes, are not an escape.
        guard text[(at + 2)...].prefix(16).count(where: { $0.hexadecimalValue != nil }) < 16 else { return nil }
        return number(text, at: at + 2, digits: 2, radix: 16).map { ($0, at + 4) }
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        return number(text, at: at + 1, digits: 3, radix: 8).map { ($0, at + 4) }
      case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "/"), UInt8(ascii: "'"): return (text[at + 1], at + 2)
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"): return (0x20, at + 2)
      default: return nil
      }
    default: return nil
    }
  }

  /// `&quot;`, `&#34;`, `&#x22;`.
  private static func entity(_ text: [UInt8], _ at: Int) -> (UInt8, Int)? {
    guard let end = text[at...].prefix(10).firstIndex(of: UInt8(ascii: ";")) else { return nil }
    let name = text[(at + 1)..<end]
    if name.first == UInt8(ascii: "#") {
      let isHex = name.dropFirst().first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
      let digits = String(decoding: name.dropFirst(isHex ? 2 : 1), as: UTF8.self)
      return UInt8(digits, radix: isHex ? 16 : 10).flatMap { $0 < 0x80 ? ($0, end + 1) : nil }
    }
    return entities.first { $0.name.utf8.elementsEqual(name) }.map { ($0.byte, end + 1) }
  }

  /// An ASCII byte that some digits encode.
  private static func number(_ text: [UInt8], at: Int, digits count: Int, radix: Int) -> UInt8? {
    guard at + count <= text.count else { return nil }
    var value = 0
    for byte in text[at..<at + count] {
      guard let digit = byte.hexadecimalValue, digit < radix else { return nil }
      value = value * radix + Int(digit)
    }
    return value < 0x80 ? UInt8(value) : nil
  }
}
