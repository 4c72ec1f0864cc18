// Kinds of characters in ASCII; asked of every byte of an archive.
extension UInt8 {
  /// A space, a tab, a line feed or a carriage return: what JSON allows between values.
  @inlinable @inline(__always)
  package var isBlank: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// A letter or a digit.
  @inlinable @inline(__always)
  package var isAlphanumeric: Bool { isDigit || (self | 0x20) &- 0x61 < 26 }

  /// The value of a hexadecimal digit in either case; `nil` for other characters.
  package var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
