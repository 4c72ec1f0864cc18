internal import SlipcastV2
internal import SlipcastWire

extension RuleCheck {
  /// Each event of V2 has a sentence, and each sentence an event; it names nothing but products.
  mutating func checkEventSentences() {
    let words = rules.words.filter { $0.of == EventSentences.family }.flatMap(\.words)
    let names = NotificationType.allCases.flatMap { type in
      type.subtypes.map { EventName(notificationType: type.rawValue, subtype: $0?.rawValue).description }
    }
    require(names, in: "words", among: words.map(\.name), "has no sentence in the family \(EventSentences.family)")
    for word in words {
      let parts = word.name.parts(at: "/", maxSplits: 1)
      let event = EventName(notificationType: parts.first ?? "", subtype: parts.count > 1 ? parts[1] : nil)
      checkEvent(event, "words", at: "words")
      if EventSentences.filled(word.meaning).contains(where: { "{}".contains($0) }) {
        report("words", "the sentence of \(word.name) has a place for something else than a product", at: "words")
      }
    }
  }
}
