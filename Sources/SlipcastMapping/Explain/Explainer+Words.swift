// Pages about the words that Slipcast itself prints.

extension Explainer {
  /// The pages of a word and of a family; people write spaces and hyphens between the parts of a word: `locked out`.
  func wordPages(for name: String) -> [Page] {
    let wanted = Self.joined(name)
    let families = rules.words.filter { Self.joined($0.of) == wanted }.map(page)
    // Members have pages of their own, with their kinds and sources.
    let words = rules.words.filter { $0.of != "member" }.flatMap { family in
      family.words.filter { word in
        wanted == Self.joined(word.name) || wanted == Self.joined("\(family.of)=\(word.name)")
      }.map { page($0, of: family) }
    }
    return families + words
  }

  private func page(_ family: WordFamily) -> Page {
    page(family.of, summary: "each word is \(family.title)") { lines in
      lines.add("about", family.about)
      for word in family.words { lines.add(word.name, Self.meaning(word, of: family)) }
    }
  }

  private func page(_ word: WordFamily.Word, of family: WordFamily) -> Page {
    page(word.name, summary: family.title) { lines in
      lines.add("means", Self.meaning(word, of: family))
      lines.add("see", "explain \(family.of)")
    }
  }

  /// Sentences have places for products.
  private static func meaning(_ word: WordFamily.Word, of family: WordFamily) -> String {
    family.of == EventSentences.family ? EventSentences.filled(word.meaning) : word.meaning
  }

  private static func joined(_ text: String) -> String { String(text.lowercased().filter { $0 != " " && $0 != "-" }) }
}
