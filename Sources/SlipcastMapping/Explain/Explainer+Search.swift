extension Explainer {
  /// Everything that the rules say, for searching.
  package var searchEntries: [SearchIndex.Entry] {
    rules.types.map(entry) + rules.fields.map(entry) + rules.serverEvents.map(entry) + rules.grouping.pairs.map(entry)
      + rules.decisions.map(entry) + rules.values.map(entry) + rules.storekit.map(entry) + otherEntries
  }

  private func entry(_ rule: TypeRule) -> SearchIndex.Entry {
    let shown = rule.readings.map(\.description).joined(separator: " or ")
    let conditions = rule.all.map { rules.meaning(ofFact: $0) ?? $0 }
    let meaning = [rule.meaning.v1, rule.meaning.v2].compactMap(\.self).joined(separator: " ")
    let notes = [rule.note, rule.finding?.message].compactMap(\.self) + rule.candidates.map(\.needs)
    return SearchIndex.Entry(
      name: rule.id, summary: Self.headline(rule.meaning.v1 ?? shown, rule.isAbsorbed ? "part of \(shown)" : shown),
      texts: [(3, meaning), (2, "\(rule.id) \(shown)"), (2, conditions.joined(separator: ". "))]
        + notes.map { (1.5, $0) })
  }

  private func entry(_ rule: FieldRule) -> SearchIndex.Entry {
    let meaning = [rule.meaning.v1, rule.meaning.v2].compactMap(\.self)
    let keys = rule.from + [rule.to].compactMap(\.self)
    let values = rule.to.map { to in rules.values.filter { $0.of == Self.last(to) }.map(\.meaning) } ?? []
    return SearchIndex.Entry(
      name: rule.id, summary: Self.headline(meaning.first ?? "", rule.to.map(Self.last) ?? "no V2 field"),
      texts: [(3, rule.id), (3, meaning.joined(separator: " ")), (2, keys.joined(separator: " "))]
        + [(1.5, rule.note ?? "")] + values.map { (1, $0) })
  }

  private func entry(_ event: ServerEvent) -> SearchIndex.Entry {
    SearchIndex.Entry(
      name: event.id, summary: "V2 sends \(event.event), V1 does not. \(event.trace)",
      texts: [(2, "\(event.id) \(event.event)"), (2, event.trace), (1, "V1 never sends it")])
  }

  private func entry(_ value: ValueEntry) -> SearchIndex.Entry {
    let name = "\(value.of)=\(value.value)"
    return SearchIndex.Entry(
      name: name, summary: "\(value.meaning) (\(value.vocabulary))", texts: [(3, value.meaning), (2, name)])
  }

  private func entry(_ rule: StoreKitRule) -> SearchIndex.Entry {
    let meaning = [rule.meaning.storekit, rule.meaning.v2].compactMap(\.self).joined(separator: " ")
    let values = rule.values.map(\.storekit).joined(separator: " ")
    return SearchIndex.Entry(
      name: rule.id, summary: Self.headline(rule.meaning.storekit ?? "", rule.v2),
      texts: [(2, "\(rule.storekit) \(rule.v2)"), (2, meaning), (1, values)])
  }

  private func entry(_ pair: GroupingPair) -> SearchIndex.Entry {
    let types = pair.types(separator: " or ")
    let events = pair.to.map(\.description).joined(separator: " ")
    let conditions = pair.conditions.map(\.meaning).joined(separator: ". ")
    return SearchIndex.Entry(
      name: pair.id, summary: Self.headline(pair.meaning, types),
      texts: [
        (3, pair.meaning), (2, "\(pair.id) \(types) \(events)"), (1.5, conditions), (2, pair.note ?? ""),
        (1, "messages of one action"),
      ])
  }

  private func entry(_ rule: DecisionRule) -> SearchIndex.Entry {
    SearchIndex.Entry(
      name: rule.id, summary: "\(rule.shownValue): \(rule.meaning)",
      texts: [(2, rule.meaning), (2, rule.id), (1, rule.shownValue)])
  }

  private var otherEntries: [SearchIndex.Entry] {
    let eras = rules.eras.map { era in
      SearchIndex.Entry(
        name: era.id, summary: "\(era.date): \(era.change)",
        texts: [(2, era.change), (2, era.id), (1, era.effect ?? "")])
    }
    let findings = rules.findings.map { SearchIndex.Entry($0.code, $0.message, [(1, "finding")]) }
    let attributes = rules.receiptAttributes.map { rule in
      SearchIndex.Entry(
        name: rule.id, summary: rule.name,
        texts: [(2, rule.name), (1, rule.paths.joined(separator: " ")), (1, rule.note ?? "")])
    }
    let facts = (rules.facts + rules.archiveFacts).map { fact in
      SearchIndex.Entry(name: fact.name, summary: fact.meaning, texts: [(2, fact.meaning), (1, fact.name)])
    }
    let ways = rules.comparing.map { SearchIndex.Entry($0.id, $0.meaning) }
    let classes = DifferenceClass.allCases.map { SearchIndex.Entry($0.rawValue, $0.meaning) }
    return eras + findings + attributes + facts + ways + classes + wordEntries
  }

  /// `Off after expiry → EXPIRED/VOLUNTARY`.
  private static func headline(_ meaning: String, _ target: String) -> String {
    let text = meaning.hasSuffix(".") ? String(meaning.dropLast()) : meaning
    return text.isEmpty ? target : "\(text) → \(target)"
  }
}

extension SearchIndex.Entry {
  /// A name and what it means.
  init(_ name: String, _ meaning: String, _ others: [(weight: Double, text: String)] = []) {
    self.init(name: name, summary: meaning, texts: [(2, meaning), (2, name)] + others)
  }
}
