/// Replaces characters that could mislead a terminal or a reader, or that XML does not allow.
package enum SafeText {
  /// Words or a path: line ends become blanks, every dangerous character becomes U+FFFD.
  package static func words(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isDangerous) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map(replacement)))
  }

  /// Lines of words: line feeds stay, everything else is as in `words`.
  ///
  /// - Parameter keepsColors: also keeps escape codes that only set colors and weight (`ESC [ … m`).
  package static func lines(_ text: String, keepsColors: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: { isDangerous($0) && $0 != "\n" }) else { return text }
    var safe = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if keepsColors, let code = color(rest) {
        safe.append(contentsOf: code)
        rest = rest[code.endIndex...]
        continue
      }
      safe.append(scalar == "\n" ? scalar : replacement(scalar))
      rest.removeFirst()
    }
    return String(safe)
  }

  /// JSON text: everything dangerous becomes an escape that means the same.
  ///
  /// - Parameter keepsLines: line feeds between texts stay.
  package static func json(_ text: String, keepsLines: Bool = false) -> String {
    func stays(_ scalar: Unicode.Scalar) -> Bool { !isDangerous(scalar) || keepsLines && scalar == "\n" }
    guard !text.unicodeScalars.allSatisfy(stays) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      guard !stays(scalar) else {
        safe.unicodeScalars.append(scalar)
        continue
      }
      for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
        let digits = String(unit, radix: 16)
        safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return safe
  }

  /// The color escape code at the start of a text.
  private static func color(_ text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
    guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
    let end = text.dropFirst(2).drop { ("0"..."9").contains($0) || $0 == ";" }
    return end.first == "m" ? text[..<text.index(after: end.startIndex)] : nil
  }

  private static func replacement(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard isDangerous(scalar) else { return scalar }
    return isLineEnd(scalar) ? " " : "\u{FFFD}"
  }

  private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
    (0x09...0x0D).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// C0, DEL, C1; characters that change the writing direction; invisible ones (zero width, tags, the byte order mark);
  /// line separators; code points that are not characters.
  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: false
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xFFFE...0xFFFF, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
