@_spi(Slipcast) internal import SlipcastWire

/// Takes off what companies wrap around a JSON body: base64, base64url, hexadecimal digits, gzip, JSON in a string.
enum LayeredBody {
  /// A body is unwrapped so often.
  private static let layers = 4

  /// The JSON object inside a text; `nil` for a text that is an object already, a receipt, a token or anything else.
  ///
  /// - Parameter limit: how long data may become that was compressed, in bytes.
  static func unwrap(_ text: Span<UInt8>, limit: Int) -> [UInt8]? {
    // Base64 of ASN.1, a receipt, may be many megabytes long.
    guard let start = text.firstIndex(where: { !$0.isBlank }), !"{[".utf8.contains(text[start]),
      !text.starts(with: "MI".utf8, at: start)
    else { return nil }
    var bytes = Array(text)
    for _ in 0..<layers {
      guard let inner = peel(trimmed(bytes), limit) else { return nil }
      bytes = Array(inner.dropFirst(ByteOrderMark.count(in: inner)))
      if bytes.first(where: { !$0.isBlank }) == UInt8(ascii: "{") {
        // Receipts of iOS 6 start with a brace too.
        return OldStylePropertyList.isDictionary(bytes) ? nil : bytes
      }
    }
    return nil
  }

  private static func trimmed(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    // Compressed data ends with any byte.
    if bytes.starts(with: [0x1F, 0x8B]) { return bytes[...] }
    let start = bytes.drop(while: \.isBlank)
    return start.dropLast(start.reversed().prefix(while: \.isBlank).count)
  }

  private static func peel(_ text: ArraySlice<UInt8>, _ limit: Int) -> [UInt8]? {
    guard let first = text.first else { return nil }
    if text.starts(with: [0x1F, 0x8B]) { return MemoryBytes.unzipped(Array(text), limit: limit) }
    if first == UInt8(ascii: "\"") { return string(text) }
    if let sign = TextRecord.signOfDigits(text.span) {
      return Hexadecimal.decode(text.span.extracting(sign...))
    }
    return Base64.decode(text.span, .either)
  }

  private static func string(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    let reader = NestedReader(JSONLimits())
    // The reader owns the memory of the content.
    defer { withExtendedLifetime(reader) {} }
    let content = reader.read(string: text.span)
    return content.isEmpty ? nil : Array(content.buffer)
  }
}
