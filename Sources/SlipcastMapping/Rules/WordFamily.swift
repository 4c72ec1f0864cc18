/// Words that Slipcast itself prints: the codes of rejects, the reasons of absent fields, the gates.
package struct WordFamily: Sendable {
  /// What the words are values of: `rejectCode`, `gate`.
  package let of: String
  /// What one of the words is: `a code of rejects`.
  package let title: String
  /// What the words are for.
  package let about: String
  package let words: [Word]

  package struct Word: Sendable {
    /// The word, as outputs spell it.
    package let name: String
    /// What it means, and what to do.
    package let meaning: String
  }
}

extension RuleSet {
  /// The words of a family; empty for an unknown one.
  package func words(of family: String) -> [String] {
    words.filter { $0.of == family }.flatMap { $0.words.map(\.name) }
  }

  /// What a word of a family means; `nil` for an unknown one.
  package func meaning(ofWord name: String, in family: String) -> String? {
    words.lazy.filter { $0.of == family }.flatMap(\.words).first { $0.name == name }?.meaning
  }
}
