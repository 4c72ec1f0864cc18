// Unsafe on purpose: the writer's buffer is filled in place after its memory is reserved.

extension Base64 {
  private static let alphabetOfURL = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Encodes bytes in base64url without padding, like JWS (RFC 7515 section 2).
  package static func encodeURL(_ bytes: some Collection<UInt8>) -> String {
    let writer = JSONWriter(capacity: bytes.count / 3 * 4 + 4)
    writeURL(Array(bytes).span, to: writer)
    return writer.string
  }

  /// The two letters of each twelve bits, the first one in the low byte.
  private static let pairsOfURL = (0..<4096).map { bits in
    UInt16(alphabetOfURL[bits >> 6]) | UInt16(alphabetOfURL[bits & 63]) << 8
  }

  /// Appends bytes in base64url without padding (RFC 7515 section 2): JWS writes megabytes of it.
  package static func writeURL(_ bytes: Span<UInt8>, to writer: JSONWriter) {
    writer.reserve(bytes.count / 3 * 4 + 4)
    pairsOfURL.withUnsafeBufferPointer { pairs in
      let from = bytes.bytes
      let to = UnsafeMutableRawPointer(writer.base + writer.written)
      var (place, at) = (0, 0)
      // Eight letters of six bytes at once, as long as eight bytes can be read.
      while from.byteCount - place >= 8 {
        let bits = UInt64(bigEndian: from.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self))
        let low = UInt64(pairs[Int(bits >> 52)]) | UInt64(pairs[Int(bits >> 40 & 4095)]) << 16
        let high = UInt64(pairs[Int(bits >> 28 & 4095)]) | UInt64(pairs[Int(bits >> 16 & 4095)]) << 16
        to.storeBytes(of: (low | high << 32).littleEndian, toByteOffset: at, as: UInt64.self)
        place += 6
        at += 8
      }
      while from.byteCount - place >= 3 {
        let bits = Int(bytes[place]) << 16 | Int(bytes[place + 1]) << 8 | Int(bytes[place + 2])
        let letters = UInt32(pairs[bits >> 12]) | UInt32(pairs[bits & 4095]) << 16
        to.storeBytes(of: letters.littleEndian, toByteOffset: at, as: UInt32.self)
        place += 3
        at += 4
      }
      writer.written += at
    }
    writeLast(bytes.extracting((bytes.count - bytes.count % 3)...), to: writer)
  }

  /// The one or two bytes after the last three.
  private static func writeLast(_ rest: Span<UInt8>, to writer: JSONWriter) {
    guard let first = rest.first else { return }
    let bits = Int(first) << 16 | (rest.count > 1 ? Int(rest[1]) << 8 : 0)
    for digit in 0...rest.count { writer.byte(alphabetOfURL[bits >> (18 - 6 * digit) & 63]) }
  }
}
