import SlipcastSystem
@_spi(Slipcast) internal import SlipcastWire

/// What people send base64 and digits in: data URLs, PEM, the description of NSData, bodies of forms.
enum TextWrappings {
  /// The data of `data:application/json;base64,…` or of one that is percent-encoded.
  static func ofURL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.starts(with: "data:".utf8), let comma = text.firstIndex(of: UInt8(ascii: ",")) else { return nil }
    let content = text[(comma + 1)...]
    guard text[..<comma].reversed().starts(with: ";base64".utf8.reversed()) else { return percentDecoded(content) }
    return percentDecoded(content).flatMap { Base64.decode($0, .either) }
  }

  static let pemStart = Array("-----BEGIN ".utf8)
  static let pemEnd = Array("-----END ".utf8)

  /// The data between the first and the last line of PEM (RFC 7468).
  static func ofPEM(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let lines = text.split { $0 == 0x0A || $0 == 0x0D }
    guard lines.count > 2, lines[0].starts(with: pemStart), let last = lines.last, last.starts(with: pemEnd) else {
      return nil
    }
    return Base64.decode(lines[1..<lines.count - 1].joined().map { $0 })
  }

  /// The bytes of `<3082 01…>`, which the description of NSData shows.
  static func ofData(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.first == UInt8(ascii: "<"), text.last == UInt8(ascii: ">") else { return nil }
    let digits = text.dropFirst().dropLast().filter { !$0.isBlank }
    return Hexadecimal.decode(digits.span)
  }

  private static let field = "receipt-data="

  /// The receipt in a form-encoded request to verifyReceipt; its password is left behind.
  static func ofForm(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.first?.isAlphanumeric == true else { return nil }
    let (ampersand, span) = (UInt8(ascii: "&"), text.span)
    var start: Int? = 0
    while let at = start {
      let end = Platform.find(ampersand, in: span, from: at)
      if span.starts(with: field.utf8, at: at) {
        let first = text.startIndex + at
        return percentDecoded(text[(first + field.utf8.count)..<(end.map { text.startIndex + $0 } ?? text.endIndex)])
      }
      start = end.map { $0 + 1 }
    }
    return nil
  }

  private static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "%")) else { return Array(text) }
    var (bytes, place): ([UInt8], Int) = ([], text.startIndex)
    bytes.reserveCapacity(text.count)
    while place < text.endIndex {
      if text[place] != UInt8(ascii: "%") {
        bytes.append(text[place])
        place += 1
        continue
      }
      guard place + 2 < text.endIndex, let high = text[place + 1].hexadecimalValue,
        let low = text[place + 2].hexadecimalValue
      else { return nil }
      bytes.append(high << 4 | low)
      place += 3
    }
    return bytes
  }

  // MARK: base64

  /// Base64, also one in which a form has made blanks of the plus signs.
  static func ofBase64(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    if Platform.find(0x20, in: text.span) != nil {
      let restored = text.map { $0 == 0x20 ? UInt8(ascii: "+") : $0 }
      if let bytes = Base64.decode(restored, .either), isWhole(bytes) { return bytes }
    }
    return Base64.decode(text.span, .either)
  }

  /// Nothing is lost at its end, as far as the data says it.
  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case 0x30?: ASN1Head(bytes.span).map { $0.whole == bytes.count } ?? true
    case 0x1F?: true
    default: String(validating: bytes, as: UTF8.self) != nil
    }
  }

  /// Digits without a sign of a database, where they begin like a brace, a token, gzip or an ASN.1 sequence.
  static func ofDigits(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let head = Array(text.prefix(4))
    guard text.count.isMultiple(of: 2), let bytes = Hexadecimal.decode(head.span), bytes.count == 2,
      bytes[0] == UInt8(ascii: "{") || bytes == Array("ey".utf8) || bytes == [0x1F, 0x8B]
        || bytes[0] == 0x30 && bytes[1] >= 0x80
    else { return nil }
    return Hexadecimal.decode(text.span)
  }
}
