@_spi(Slipcast) internal import SlipcastWire

/// What is wrong with a text in which a record was expected, and that neither JSON nor an encoding of it explains.
enum TextFault {
  /// The fault of a text that is read as JSON because it is nothing else; `nil` where it begins like JSON.
  static func ofText(_ text: Span<UInt8>) -> String? {
    guard let start = text.firstIndex(where: { !$0.isBlank }), !"{[\"".utf8.contains(text[start]) else { return nil }
    // Digits have their own beginnings.
    if TextRecord.begins(text), TextRecord.signOfDigits(text) == nil,
      let place = text.indices.first(where: { !isOfBase64(text[$0]) })
    {
      return "expected a record in base64, found a character that base64 does not have (\(place) bytes into it)"
    }
    return "expected a record: JSON, or base64, hexadecimal digits or gzip of it; found other text"
  }

  /// The fault of base64 that was cut off; `nil` for any other text, and for receipts, which state their length.
  static func ofBase64(_ text: Span<UInt8>) -> String? {
    guard text.indices.allSatisfy({ isOfBase64(text[$0]) }), !text.starts(with: "MI".utf8) else { return nil }
    let letters = text.indices.count { Base64.isLetter(text[$0]) }
    if letters % 4 == 1 {
      return "expected a record in base64, found base64 that ends too early: \(letters) letters are no whole bytes"
    }
    guard let bytes = Base64.decode(text, .either), bytes.starts(with: [0x1F, 0x8B]) else { return nil }
    // It was opened, and it holds something other than a record.
    if MemoryBytes.unzipped(bytes, limit: JSONLimits().recordBytes) != nil {
      return "expected a record in base64, found gzip in base64 of other text"
    }
    return "expected a record in base64, found gzip in base64 that ends too early or is damaged"
  }

  private static func isOfBase64(_ byte: UInt8) -> Bool {
    Base64.isLetter(byte) || byte == UInt8(ascii: "=") || byte.isBlank
  }
}
