internal import SlipcastWire

/// Finds entries by words: over names, meanings, facts, notes and values.
package struct SearchIndex: Sendable {
  /// Something that can be found and explained.
  package struct Entry: Sendable {
    /// What to ask `explain` for.
    package var name: String
    /// One line that says what it is.
    package var summary: String
    /// The texts that are searched; a heavier one describes more of the entry.
    package var texts: [(weight: Double, text: String)]

    package init(name: String, summary: String, texts: [(weight: Double, text: String)]) {
      (self.name, self.summary, self.texts) = (name, summary, texts)
    }
  }

  package struct Hit: Sendable {
    package var entry: Entry
    /// It has all words of the query that count.
    package var hasAllWords: Bool
    /// Higher is better; comparable within one result.
    package var score: Double
  }

  private let entries: [Entry]
  private let stems: [[[String]]]
  private let frequency: [String: Int]

  package init(_ entries: [Entry]) {
    self.entries = entries
    stems = entries.map { $0.texts.map { SearchWords.stems($0.text) } }
    var frequency: [String: Int] = [:]
    for texts in stems { for stem in Set(texts.joined()) { frequency[stem, default: 0] += 1 } }
    self.frequency = frequency
  }

  /// The entries that have words of a query, the best first.
  ///
  /// Where entries have all words, only those are returned; otherwise those that have most of them, at least half.
  ///
  /// - Parameter corrects: a word that no entry has is taken for a similar one that entries have.
  package func hits(for query: String, corrects: Bool = true) -> [Hit] {
    let terms = SearchWords.terms(query)
    guard corrects else { return hits(of: terms) }
    let found = hits(of: terms.map(corrected))
    // A word that is only similar must not lead to entries that lack the others.
    return found.first?.hasAllWords ?? false ? found : hits(of: terms)
  }

  private func hits(of terms: [SearchWords.Term]) -> [Hit] {
    let required = terms.count { $0.isRequired }
    guard required > 0 else { return [] }
    let found = entries.indices.compactMap { index -> (hit: Hit, count: Int)? in
      let scores = terms.map { score($0, stems[index], entries[index]) }
      let count = zip(terms, scores).count { $0.isRequired && $1 > 0 }
      guard count > 0 else { return nil }
      let total = scores.reduce(0, +) + neighbors(terms, stems[index])
      return (Hit(entry: entries[index], hasAllWords: count == required, score: total), count)
    }
    let most = found.map(\.count).max() ?? 0
    guard most * 2 >= required else { return [] }
    let best = found.filter { $0.count == most }.map(\.hit)
    return best.enumerated().sorted { ($1.element.score, $0.offset) < ($0.element.score, $1.offset) }.map(\.element)
  }

  /// A word that no entry has is probably misspelled.
  private func corrected(_ term: SearchWords.Term) -> SearchWords.Term {
    let synonyms = SearchWords.synonyms[term.stem] ?? []
    guard frequency[term.stem] == nil, synonyms.allSatisfy({ frequency[$0] == nil }), term.word.count >= 4 else {
      return term
    }
    if frequency.keys.contains(where: { $0.hasPrefix(term.stem) }) { return term }
    var term = term
    let known = frequency.keys.filter { $0.count > 3 }.sorted()
    if let near = Suggestion.closest(to: term.stem, among: known) { term.stem = near }
    return term
  }

  /// How much a word says about an entry: rare words more than common ones, names and meanings more than notes.
  private func score(_ term: SearchWords.Term, _ texts: [[String]], _ entry: Entry) -> Double {
    let synonyms = SearchWords.synonyms[term.stem] ?? []
    var best = 0.0
    for (place, stems) in texts.enumerated() {
      var quality = 0.0
      for stem in stems {
        if stem == term.stem {
          quality = 1
          break
        }
        if synonyms.contains(stem) { quality = max(quality, 0.6) }
        if term.stem.count >= 4, stem.hasPrefix(term.stem) { quality = max(quality, 0.5) }
      }
      // A word of a short text says more than one of a long text.
      best = max(best, quality * entry.texts[place].weight / (1 + 0.02 * Double(stems.count)))
    }
    return best * rarity(of: term.stem) * (term.isRequired ? 1 : 0.3)
  }

  private func rarity(of stem: String) -> Double {
    1 + 4 * (1 - min(1, Double(frequency[stem] ?? 1) / Double(max(1, entries.count))))
  }

  /// Words that follow each other in the query and in a text make a phrase.
  private func neighbors(_ terms: [SearchWords.Term], _ texts: [[String]]) -> Double {
    let pairs = zip(terms, terms.dropFirst()).count { left, right in
      texts.contains { stems in
        zip(stems, stems.dropFirst()).contains { $0 == left.stem && $1 == right.stem }
      }
    }
    return Double(pairs) * 2
  }
}
