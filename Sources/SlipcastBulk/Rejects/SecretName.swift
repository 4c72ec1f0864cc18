/// Names of members whose value is the shared secret: Apple's `password`, and what archives call it.
///
/// Names are compared without regard to case, to the width of letters, and to characters that are not visible.
enum SecretName {
  /// What replaces a removed value.
  static let replacement = "[removed]"

  private static let endings = ["password", "secret"]

  /// True for a name that ends with `password` or `secret`: `shared_secret`, `sharedSecret`, ….
  static func matches(_ name: String) -> Bool {
    // Nearly all names are of ASCII, where only case differs.
    if name.utf8.allSatisfy({ $0 < 0x80 && $0 >= 0x20 }) {
      return endings.contains { ending in
        name.utf8.suffix(ending.utf8.count).elementsEqual(ending.utf8) { $0 | 0x20 == $1 }
      }
    }
    let folded = folded(name)
    return endings.contains { folded.hasSuffix($0) }
  }

  private static func folded(_ name: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where !scalar.properties.isDefaultIgnorableCodePoint {
      // The wide forms of ASCII have one distance from it.
      let isWide = (0xFF01...0xFF5E).contains(scalar.value)
      folded.append(isWide ? Unicode.Scalar(UInt8(scalar.value - 0xFEE0)) : scalar)
    }
    return String(folded).lowercased()
  }
}
