/// V2's events in plain sentences, which the family `event` of `words.json` holds.
package struct EventSentences: Sendable {
  static let family = "event"
  static let product = "{product}"
  static let next = "{next}"

  private let sentences: [String: String]

  package init(_ rules: RuleSet) {
    let words = rules.words.filter { $0.of == Self.family }.flatMap(\.words)
    sentences = Dictionary(words.map { ($0.name, $0.meaning) }) { first, _ in first }
  }

  /// A sentence without a full stop; of a subtype that has none, that of its type.
  ///
  /// - Parameters:
  ///   - event: `DID_RENEW/BILLING_RECOVERY`.
  ///   - product: the product of the transaction.
  ///   - next: the product of the next period.
  package func sentence(of event: String, product: String?, next: String?) -> String {
    let type = String(event.prefix { $0 != "/" })
    return Self.filled(sentences[event] ?? sentences[type] ?? "Event \(event)", product: product, next: next)
  }

  /// The products put into a sentence.
  static func filled(_ sentence: String, product: String? = nil, next: String? = nil) -> String {
    sentence.replacing(Self.product, with: product ?? "the product").replacing(
      Self.next, with: next ?? "another product")
  }
}
