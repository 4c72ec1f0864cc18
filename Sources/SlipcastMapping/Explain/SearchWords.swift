/// Splits texts into words and reduces them to stems, so that "expired", "expiry" and "expires" are found by each other.
package enum SearchWords {
  /// The stems of a text, in order: `priceIncreaseStatus` and `price_increase_status` have the same.
  package static func stems(_ text: String) -> [String] { words(text).map(stem) }

  /// Words in small letters; names are split at capitals, underscores and other signs.
  static func words(_ text: String) -> [String] {
    var (words, word) = ([String](), "")
    var wasSmall = false
    for character in text {
      let isWord = character.isLetter || character.isNumber
      if !isWord || character.isUppercase && wasSmall {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isWord { word += character.lowercased() }
      wasSmall = character.isLowercase
    }
    return word.isEmpty ? words : words + [word]
  }

  /// Endings that make no other meaning here, the longest first, with the letters that must remain in front.
  private static let endings: [(text: String, least: Int)] = [
    ("ations", 4), ("ation", 4), ("ment", 5), ("ings", 4), ("ing", 4), ("ies", 3), ("ied", 3), ("ers", 5), ("ed", 4),
    ("er", 5), ("es", 4), ("al", 4), ("s", 3),
  ]

  static func stem(_ word: String) -> String {
    var word = word
    for (text, least) in endings where word.hasSuffix(text) && word.count >= text.count + least {
      if text == "s", word.hasSuffix("ss") || word.hasSuffix("us") { break }
      word.removeLast(text.count)
      break
    }
    if word.count > 3, let last = word.last, last == "e" || last == "y" || last == "i" { word.removeLast() }
    if word.count > 4, let last = word.last, last == word.dropLast().last, last != "s" { word.removeLast() }
    return word
  }

  /// Stop words, which do not affect the result.
  private static let empty: Set<String> = [
    "a", "an", "the", "of", "to", "in", "is", "are", "was", "be", "been", "and", "or", "for", "with", "by", "it", "its",
    "at", "as", "this", "that", "my", "our", "we", "i", "what", "when", "why", "how", "does", "do", "mean", "has",
    "have", "had", "from",
  ]

  /// Words that help to rank and need not be found.
  private static let optional: Set<String> = [
    "after", "before", "during", "while", "near", "without", "within", "not", "if", "then",
  ]

  struct Term: Hashable {
    var word: String
    var stem: String
    var isRequired: Bool
  }

  /// The words of a query that are searched for, each once.
  static func terms(_ query: String) -> [Term] {
    var seen: Set<String> = []
    let words = words(query).flatMap { compounds[$0] ?? [$0] }
    let known = words.filter { !empty.contains($0) }
    let isAnyRequired = known.contains { !optional.contains($0) }
    return known.compactMap { word in
      guard seen.insert(stem(word)).inserted else { return nil }
      return Term(word: word, stem: stem(word), isRequired: !optional.contains(word) || !isAnyRequired)
    }
  }

  private static let compounds = [
    "autorenew": ["auto", "renew"], "autorenewal": ["auto", "renewal"], "autorenewing": ["auto", "renew"],
    "winback": ["win", "back"], "turnoff": ["off"], "pricerise": ["price", "increase"],
  ]

  /// Words that people use for each other.
  private static let groups = [
    "off disabled stopped", "on enabled", "refund cancel cancellation revoked revocation", "expiry lapse ended ends",
    "subscribe subscription", "buy bought purchase", "resubscribe return", "consent agree accept approve",
    "trial introductory intro", "product sku plan", "duplicate repeat", "storefront country", "sandbox test",
    "increase rise", "id identifier", "customer user", "failed failure failing error", "recover recovery recovered",
    "retry retries", "family sharing shared", "decline declined refuse reject", "date time when",
  ]

  /// The stems that mean nearly the same as a stem.
  static let synonyms: [String: Set<String>] = {
    var result: [String: Set<String>] = [:]
    for group in groups {
      let stems = Set(stems(group))
      for stem in stems { result[stem, default: []].formUnion(stems.subtracting([stem])) }
    }
    return result
  }()
}
