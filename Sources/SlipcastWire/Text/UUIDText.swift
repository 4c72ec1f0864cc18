/// UUIDs as text: compared by value, kept in the spelling they came in (RFC 9562 section 4).
package enum UUIDText {
  /// True for 8-4-4-4-12 hexadecimal digits in either case.
  package static func isValid(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    for (index, character) in text.enumerated() {
      switch index {
      case 8, 13, 18, 23: if character != UInt8(ascii: "-") { return false }
      default: if hexDigit(character) == nil { return false }
      }
    }
    return true
  }

  /// The value of one hexadecimal digit.
  package static func hexDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// True when two texts spell the same UUID.
  public static func isSame(_ left: String, _ right: String) -> Bool {
    left == right || (left.utf8.count == 36 && left.lowercased() == right.lowercased())
  }
}
