import SlipcastWire
import Synchronization

/// Masks passwords in the words of the command line, however the location of a database is misspelled.
///
/// A well-spelled location is masked by `PasswordMask`. A misspelled one can have its password anywhere, so a word is
/// masked by position (between a colon and the last `@`) and by key (behind a name that is nearly `password`). The program
/// remembers what it masked in its own words and takes it out of all that it says, whoever says it.
enum WordMask {
  /// A word of the command line, and the word without its password.
  private struct Masked {
    var word: String
    var shown: String
    /// Parts of the password that are long enough to differ from other words.
    var pieces: [String]
  }

  private static let remembered = Mutex<[Masked]>([])
  private static let shortestPiece = 4

  static func remember(_ words: [String]) {
    var found: [Masked] = []
    for word in words {
      if let whole = masked(word) { found.append(whole) }
      if let part = value(of: word).flatMap({ masked($0) }) { found.append(part) }
    }
    remembered.withLock { $0 += found }
  }

  static func mask(_ text: String) -> String {
    var text = text
    for masked in remembered.withLock({ $0 }) {
      for word in [masked.word, SafeText.words(masked.word)] where text.contains(word) {
        text = text.replacing(word, with: masked.shown)
      }
      for piece in masked.pieces where text.contains(piece) {
        text = text.replacing(piece, with: PasswordMask.replacement)
      }
    }
    return text
  }

  static func shown(_ word: String) -> String {
    let hidden = hidden(in: word)
    guard let first = hidden.first else { return word }
    var (text, at) = (String(word[..<first.lowerBound]), first.lowerBound)
    for range in hidden where range.upperBound > at {
      text += word[at..<max(at, range.lowerBound)] + PasswordMask.replacement
      at = range.upperBound
    }
    return text + word[at...]
  }

  private static func masked(_ word: String) -> Masked? {
    let hidden = hidden(in: word)
    guard !hidden.isEmpty else { return nil }
    let pieces = hidden.flatMap { range in
      word[range].split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }.map(String.init)
    }
    return Masked(
      word: word, shown: SafeText.words(shown(word)),
      pieces: pieces.filter { $0.count >= shortestPiece }
        .sorted { $0.count > $1.count })
  }

  /// The value after `--name=`.
  private static func value(of word: String) -> String? {
    guard word.hasPrefix("-"), let sign = word.firstIndex(of: "=") else { return nil }
    return String(word[word.index(after: sign)...])
  }

  // MARK: where passwords stand

  /// The secret parts of a word, in their order.
  static func hidden(in word: String) -> [Range<String.Index>] {
    guard word.contains(where: { ":@=".contains($0) }) || word.contains("%") else { return [] }
    let word = word[...]
    return ([byPosition(word)].compactMap { $0 } + byKey(word)).filter { !$0.isEmpty }
      .sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  private static func byPosition(_ word: Substring) -> Range<String.Index>? {
    // The value of an option begins behind its name.
    let option = word.prefix { $0.isLetter || $0 == "-" }
    let isOption = word.hasPrefix("-") && word[option.endIndex...].hasPrefix("=")
    let start = isOption ? word.index(after: option.endIndex) : word.startIndex
    // The colons of an address, or of a range of them, are no signs.
    if PasswordMask.isAddress(word[start...]) { return nil }
    let scheme = LocationWords.endOfScheme(word[start...])
    let rest = word[(scheme ?? start)...]
    guard let sign = rest.lastIndex(of: "@") else {
      // The sign before the host is missing: what follows the colon is a port or may be the password.
      let host = rest[(PasswordMask.endOfAddress(rest) ?? rest.startIndex)...]
      guard scheme != nil, let colon = host.firstIndex(of: ":") else { return nil }
      let value = rest[rest.index(after: colon)...]
      let port = value.prefix { $0 != "/" && $0 != "?" }
      return port.allSatisfy(\.isNumber) ? nil : value.startIndex..<word.endIndex
    }
    let user = rest[..<sign]
    if let colon = user.firstIndex(of: ":") { return user.index(after: colon)..<sign }
    guard let other = user.firstIndex(where: { !($0.isLetter || $0.isNumber || "._-".contains($0)) }) else {
      // postgres:password@host
      let isBare = scheme.map { word[..<$0].last == ":" } ?? false
      return isBare ? user.startIndex..<sign : nil
    }
    return other..<sign
  }

  /// Values behind names that are nearly those of a password; they reach to the end of the word.
  private static func byKey(_ word: Substring) -> [Range<String.Index>] {
    var at = word.startIndex
    while let sign = word[at...].firstIndex(where: { $0 == "=" || $0 == ":" }) {
      let value = word.index(after: sign)
      // What precedes the last `@` is masked by position; a port follows the host and is not the value of a key.
      let name = word[..<sign].reversed().drop(while: \.isWhitespace).prefix { !"&?;=@ \t\"',".contains($0) }
      let text = String(name.reversed())
      let isKey = word[sign] == "=" ? LocationWords.isSecretKey(text) : LocationWords.isSecret(text)
      if isKey || LocationWords.isNearlySecret(word[..<sign]) { return [value..<word.endIndex] }
      at = value
    }
    // The sign itself may be missing.
    guard let name = word.lowercased().firstRange(of: "password") else { return [] }
    let start = word.lowercased().distance(from: word.lowercased().startIndex, to: name.upperBound)
    guard start < word.count else { return [] }
    return [word.index(word.startIndex, offsetBy: start)..<word.endIndex]
  }
}
