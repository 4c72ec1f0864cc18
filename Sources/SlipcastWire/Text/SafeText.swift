/// Takes the power out of characters that could play tricks on a terminal, or are not allowed in XML.
package enum SafeText {
  /// Words or a path: line ends become blanks, everything dangerous U+FFFD.
  package static func words(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    return String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          guard isDangerous(scalar) else { return scalar }
          return isLineEnd(scalar) ? " " : "\u{FFFD}"
        }))
  }

  /// JSON text: everything dangerous becomes an escape that means the same.
  package static func json(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        let digits = String(scalar.value, radix: 16)
        safe += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      } else {
        safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    (0x09...0x0D).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// C0, DEL, C1; whatever turns the direction of writing; line separators; code points that are no characters.
  ///
  /// None lies beyond U+FFFF, so four digits always do as an escape.
  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFFFE...0xFFFF: true
    default: false
    }
  }
}
