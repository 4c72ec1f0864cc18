// Unsafe on purpose: the writer's buffer is filled in place after its memory is reserved.

extension Base64 {
  private static let alphabetOfURL = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// Encodes bytes in base64url without padding, like JWS (RFC 7515 section 2).
  package static func encodeURL(_ bytes: some Collection<UInt8>) -> String {
    let writer = JSONWriter(capacity: bytes.count / 3 * 4 + 4)
    Array(bytes).withUnsafeBufferPointer { writeURL($0, to: writer) }
    return writer.string
  }

  /// Appends bytes in base64url without padding (RFC 7515 section 2): JWS writes megabytes of it.
  package static func writeURL(_ bytes: UnsafeBufferPointer<UInt8>, to writer: JSONWriter) {
    writer.reserve(bytes.count / 3 * 4 + 4)
    alphabetOfURL.withUnsafeBufferPointer { alphabet in
      var at = writer.written
      var place = 0
      func put(_ bits: UInt32, _ digits: UInt32) {
        for digit in 0..<digits {
          writer.base[at] = alphabet[Int(bits >> (18 - 6 * digit) & 63)]
          at += 1
        }
      }
      while bytes.count - place >= 3 {
        put(UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]), 4)
        place += 3
      }
      switch bytes.count - place {
      case 1: put(UInt32(bytes[place]) << 16, 2)
      case 2: put(UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8, 3)
      default: break
      }
      writer.written = at
    }
  }
}
