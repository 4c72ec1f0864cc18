/// The head of an ASN.1 value with a definite length (X.690 section 8.1.3), as far as its bytes are there.
package struct ASN1Head {
  /// Bytes of tag and length.
  package let count: Int
  /// The length is written in separate bytes, not in the one that says how many they are.
  package let isLong: Bool
  /// Bytes of the content; `nil` where the length is cut off.
  package let length: Int?

  /// - Returns: `nil` for less than two bytes, for an indefinite length, and for one of more than four bytes.
  package init?(_ bytes: Span<UInt8>) {
    guard bytes.count > 1, bytes[1] != 0x80, bytes[1] <= 0x84 else { return nil }
    isLong = bytes[1] > 0x80
    let digits = isLong ? Int(bytes[1]) - 0x80 : 0
    count = 2 + digits
    guard isLong else {
      length = Int(bytes[1])
      return
    }
    guard bytes.count >= count else {
      length = nil
      return
    }
    length = (2..<count).reduce(0) { $0 << 8 | Int(bytes[$1]) }
  }

  /// Bytes of the whole value; `nil` where the length is cut off.
  package var whole: Int? { length.map { count + $0 } }

  /// The length has no more bytes than it needs (DER).
  package var isMinimal: Bool {
    guard let length, isLong else { return true }
    return length >= 0x80 && (count == 3 || length >> (8 * (count - 3)) > 0)
  }
}
