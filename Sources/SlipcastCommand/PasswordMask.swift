import SlipcastHTTP
import SlipcastWire

/// Takes passwords out of words before anybody sees them.
///
/// A database location that is spelled wrong is a file name, an unknown command or a bad value to the program, and whatever
/// is said of it would repeat the password in it. So it is not left to those who say something: all words go through here.
enum PasswordMask {
  static let replacement = "[removed]"

  /// The words without the passwords of `scheme://user:password@host` and `password=…`.
  static func mask(_ words: String) -> String {
    guard words.contains("=") || words.contains("://") else { return words }
    return words.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String(maskParameters(maskUsers(String($0)))) }.joined(separator: "\n")
  }

  /// `scheme://user:…@host`, or `scheme://user:…` where the password's own signs have hidden the host.
  private static func maskUsers(_ line: String) -> String {
    guard let mark = line.firstRange(of: "://") else { return line }
    let rest = line[mark.upperBound...]
    let head = String(line[..<mark.upperBound])
    guard let secret = userSecret(rest) else { return head + maskUsers(String(rest)) }
    return head + rest[..<secret.lowerBound] + replacement + maskUsers(String(rest[secret.upperBound...]))
  }

  private static func userSecret(_ rest: Substring) -> Range<Substring.Index>? {
    let word = rest.prefix { !$0.isWhitespace }
    guard let colon = word[(endOfAddress(word) ?? word.startIndex)...].firstIndex(of: ":") else { return nil }
    let start = rest.index(after: colon)
    // The last sign counts: a password may hold others.
    if let sign = word.lastIndex(of: "@") { return colon < sign ? start..<sign : nil }
    let next = rest[start...]
    // A port, followed by a path or nothing.
    if next.prefix(while: { $0 != "/" && $0 != "?" && !$0.isWhitespace && $0 != "\"" }).allSatisfy(\.isNumber) {
      return nil
    }
    // A password with a blank in it: it reaches to the sign of this location, not into another one.
    let other = next.firstRange(of: "://")?.lowerBound ?? next.endIndex
    let end = next[..<other].firstIndex(of: "@") ?? word.endIndex
    return start..<end
  }

  /// The end of an IPv6 address in brackets, whose colons are no signs: `[::1]:443`.
  static func endOfAddress(_ text: Substring) -> Substring.Index? {
    guard text.first == "[", let end = text.firstIndex(of: "]") else { return nil }
    return isAddress(text[..<end].dropFirst()) ? text.index(after: end) : nil
  }

  /// An address, or a range of them, right or not.
  static func isAddress(_ text: Substring) -> Bool { AddressRange(String(text.prefix { $0 != "/" })) != nil }

  /// `password=…` and its like, bare or in quotes; also behind a name that is percent-encoded and may be one of these.
  private static func maskParameters(_ line: String) -> String {
    var masked = ""
    var rest = line[...]
    while let sign = rest.firstIndex(of: "=") {
      let before = rest[..<sign]
      masked += before + "="
      rest = rest[rest.index(after: sign)...]
      let name = before.reversed().drop(while: \.isWhitespace).prefix { !"&?; \t\"'".contains($0) }
      guard LocationWords.isSecret(String(name.reversed())) else { continue }
      let blanks = rest.prefix(while: \.isWhitespace)
      rest = rest[blanks.endIndex...]
      let quote = rest.first.flatMap { "'\"".contains($0) ? $0 : nil }
      let value = quote.map { quote in rest.dropFirst().prefix { $0 != quote } } ?? rest.prefix { !"& \t".contains($0) }
      masked += blanks + replacement
      rest = rest[value.endIndex...]
      if quote != nil { rest = rest.dropFirst() }
    }
    return masked + rest
  }
}
