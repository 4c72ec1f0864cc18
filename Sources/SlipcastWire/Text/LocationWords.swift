/// What makes a word look like the location of a database or a service, however it is misspelled, and which names in it
/// are those of secrets.
///
/// Whoever masks, refuses or reads a location asks here: a word that one of them takes for a location and another one for
/// the name of a file would show its password.
package enum LocationWords {
  /// Databases, and what else is written with a password before its host.
  private static let schemes = [
    "postgres", "postgresql", "sqlite", "sqlite3", "mysql", "mariadb", "mongodb", "redis", "jdbc", "http", "https",
  ]

  /// A misspelled location is not the name of a file: reports, metrics and states would show the password in it.
  package static func isLike(_ name: String) -> Bool {
    let path = name.hasPrefix("sqlite:") ? String(name.dropFirst("sqlite:".count)) : name
    if path.contains("://") || namesSecret(path) { return true }
    // An address before @ is a user's, with a password behind a colon.
    if let sign = path.lastIndex(of: "@"), path[..<sign].contains(":") { return true }
    guard !["/", "./", "../"].contains(where: { path.hasPrefix($0) }) else { return false }
    return beginsWithScheme(path)
  }

  /// `word://…`, without a slash before it.
  package static func hasScheme(_ text: String) -> Bool {
    guard let mark = text.utf8.firstRange(of: "://".utf8) else { return false }
    return !text.utf8[..<mark.lowerBound].contains(UInt8(ascii: "/"))
  }

  /// A part of a location, such as a host or the name of a table, that is a location itself, or the rest of one.
  package static func isPart(_ text: String) -> Bool { text.contains("//") }

  /// The place behind `scheme://`, or behind what is left of it.
  package static func endOfScheme(_ word: Substring) -> String.Index? {
    let name = nameOfScheme(word)
    var end = name.endIndex
    let signs = word[end...].prefix { ":;/\\".contains($0) }
    end = signs.endIndex
    if signs.contains(":") || signs.contains(";") {
      if signs.count > 1 { return end }
      return isScheme(name) ? end : nil
    }
    return signs.count > 1 || !signs.isEmpty && isScheme(name) ? end : nil
  }

  /// The word begins with the scheme of a database or a service, right or nearly so, and a colon.
  private static func beginsWithScheme(_ word: String) -> Bool {
    let name = nameOfScheme(word[...])
    return word[name.endIndex...].hasPrefix(":") && isScheme(name)
  }

  private static func nameOfScheme(_ word: Substring) -> Substring {
    word.prefix { $0.isLetter || $0.isNumber || $0 == "+" || $0 == "." || $0 == "-" }
  }

  private static func isScheme(_ name: Substring) -> Bool {
    let name = name.lowercased()
    return schemes.contains(name) || Suggestion.closest(to: name, among: schemes) != nil
  }

  // MARK: names of secrets

  /// `password=…` or the like is in the word.
  private static func namesSecret(_ word: String) -> Bool {
    word.split(whereSeparator: { "&?; \t,".contains($0) }).contains { part in
      part.firstIndex(of: "=").map { isSecretKey(String(part[..<$0])) } ?? false
    }
  }

  /// True for the name of a secret parameter: libpq's names, and those of other programs; also for a name that is
  /// percent-encoded and may be one of these.
  package static func isSecret(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["password", "passwd", "pwd", "secret", "scram_client_key", "scram_server_key"].contains {
      name.hasSuffix($0)
    }
      || name.contains("%")
  }

  /// The same of the name before an equals sign, in a word that may be misspelled: nearly anything about a password.
  package static func isSecretKey(_ name: String) -> Bool {
    let lower = name.lowercased()
    return isSecret(name) || ["pass", "pwd", "pw", "secret", "token"].contains { lower.contains($0) }
  }

  private static let names = ["password", "passwd", "sslpassword", "passphrase", "passfile", "secret"]

  /// The text ends with nearly such a name, whatever sign has come into it.
  package static func isNearlySecret(_ text: Substring) -> Bool {
    let text = Array(text.suffix(16).lowercased().utf8)
    return names.contains { Misspelling.ends(text, with: Array($0.utf8), faults: 2) }
  }
}
