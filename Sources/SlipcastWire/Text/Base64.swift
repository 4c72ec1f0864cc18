/// Base 64: the standard alphabet with padding, and the one for URLs without (RFC 4648 sections 4 and 5).
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Spells bytes as text.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let chunk = bytes[start..<min(start + 3, bytes.count)]
      let bits = chunk.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - chunk.count))
      for place in 0..<4 {
        text.append(place <= chunk.count ? alphabet[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads base64url without padding; `nil` for any other character or an impossible length.
  package static func decodeURL(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 3 / 4)
    var (bits, width): (UInt32, UInt32) = (0, 0)
    for character in text {
      guard let value = valueInURL(character) else { return nil }
      bits = bits << 6 | UInt32(value)
      width += 6
      guard width >= 8 else { continue }
      width -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> width))
      bits &= 1 << width - 1
    }
    return bytes
  }

  private static func valueInURL(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
