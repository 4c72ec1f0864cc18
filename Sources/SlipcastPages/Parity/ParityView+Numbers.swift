internal import SlipcastComparison
internal import SlipcastMapping
internal import SlipcastReports
internal import SlipcastWire

extension ParityView {
  /// What became of the records, and of the access of customers: each number with what it counts.
  func addNumbers(_ main: Markup) {
    let list = main.add("dl", ["class": "answers"])
    for (name, count) in file.pairs where count > 0 {
      add(Self.words(name), count, meaning: meaning(of: name, in: ["pairCount", "unpaired", "glossary"]), to: list)
    }
    for (name, count) in file.access where count > 0 {
      let title = AccessChange.Outcome(rawValue: name)?.title
      let words = meaning(of: name, in: ["glossary", "accessChange", "pairCount"])
      add(title ?? Self.words(name), count, meaning: words, to: list)
    }
  }

  private func add(_ name: String, _ count: Int64, meaning: String?, to list: Markup) {
    let item = list.add("div")
    item.add("dt", text: name)
    item.add("dd").add("strong", text: Int(count).grouped)
    if let meaning { item.add("dd", ["class": "why"], text: meaning) }
  }

  /// What `explain` says of the word, in the first family that has it.
  private func meaning(of name: String, in families: [String]) -> String? {
    families.lazy.compactMap { rules.meaning(ofWord: name, in: $0) }.first
  }

  /// `notComparable` as `not comparable`, and the sides as people name them.
  static func words(_ name: String) -> String {
    let known = [
      "legacyWithoutServer": "V1 events without a V2 event", "serverWithoutLegacy": "V2 events without a V1 event",
      "serverOnlyEvents": "V2 events that V1 never sends", "absentInV1": "absent in V1", "absentInV2": "absent in V2",
      "notComparable": "V1 events from before V2", "subscriptions": "customers",
      "accepted": "accepted changes of access", "endsAccepted": "accepted ends of access",
    ]
    return known[name]
      ?? name.reduce(into: "") { words, letter in
        if letter.isUppercase { words += " " + letter.lowercased() } else { words.append(letter) }
      }
  }
}
