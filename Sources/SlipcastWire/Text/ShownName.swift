/// The name of a column or member as messages and paths show it and rejects keep it.
///
/// A table without a header row, and an export with its columns mixed up, have values in the place of names. So a name
/// is shown only if it looks like one: `name(214)` stands for any other text, with its length in bytes.
package struct ShownName: Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// It is shown as it is.
  package let isWhole: Bool

  package init(_ name: String) {
    isWhole = Self.isName(name)
    description = isWhole ? name : "name(\(name.utf8.count))"
  }

  /// The text looks like a name, and not like a value: no JSON, no address, no number, date or id, no encoded text.
  package static func isName(_ text: String) -> Bool {
    isPlain(text.utf8) || 1...longest ~= text.utf8.count && hasSignsOfNames(text) && !hasValue(text)
  }

  /// A word of letters, as nearly all names are: nothing else of it has to be looked at.
  static func isPlain(_ name: some Collection<UInt8>) -> Bool {
    1..<word ~= name.count && name.allSatisfy { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 == UInt8(ascii: "_") }
  }

  /// The most bytes of a name: databases allow 63 to 128, but for paths of warehouses.
  private static let longest = 128
  /// What JSON and forms have, and names do not.
  private static let signsOfValues = Set("\"{}\\=".unicodeScalars)
  /// What changes a terminal or the order of a line, and what nothing shows.
  private static let unseen: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned,
  ]

  /// Names do not begin with a bracket, as a list does (`lines[0]`), and are not addresses of people (`a@b`).
  private static func hasSignsOfNames(_ text: String) -> Bool {
    var last: Unicode.Scalar = " "
    for (place, scalar) in text.unicodeScalars.enumerated() {
      if signsOfValues.contains(scalar) || unseen.contains(scalar.properties.generalCategory) { return false }
      if scalar == "[", place == 0 { return false }
      if scalar == "@", isLetterOrDigit(last) { return false }
      last = scalar
    }
    return true
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || "a"..."z" ~= scalar || "A"..."Z" ~= scalar
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

  private static func isHexadecimal(_ scalar: Unicode.Scalar) -> Bool {
    isDigit(scalar) || "a"..."f" ~= scalar || "A"..."F" ~= scalar
  }

  // MARK: values

  /// A year, a number or an id, a digest, and a word of base64 have so many characters.
  private static let (digits, row, hexadecimal, word) = (4, 10, 16, 64)

  private static func hasValue(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    let numbers = scalars.count(where: isDigit)
    if numbers >= digits, scalars.allSatisfy({ isDigit($0) || "-:/.+ TZ".unicodeScalars.contains($0) }) { return true }
    // A UUID.
    if numbers > 0, scalars.count >= hexadecimal, scalars.allSatisfy({ isHexadecimal($0) || $0 == "-" }) { return true }
    return numbers > 0
      && (longestRun(scalars, isDigit) >= row || longestRun(scalars, isHexadecimal) >= hexadecimal
        || longestRun(scalars, isLetterOrDigit) >= word)
  }

  private static func longestRun(_ text: String.UnicodeScalarView, _ isPart: (Unicode.Scalar) -> Bool) -> Int {
    var (most, run) = (0, 0)
    for scalar in text {
      run = isPart(scalar) ? run + 1 : 0
      most = max(most, run)
    }
    return most
  }
}
