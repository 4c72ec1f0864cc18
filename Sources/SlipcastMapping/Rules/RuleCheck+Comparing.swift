internal import SlipcastV2
internal import SlipcastWire

extension RuleCheck {
  /// What a field rule says for comparing fits the field.
  mutating func checkComparing(_ rule: FieldRule, _ kind: FieldKind) {
    let notes = rule.comparing
    if let sibling = notes.follows, Self.targets["\(rule.family).\(sibling)"] == nil {
      let hint = Self.suggestion(sibling, Self.names(of: rule.family))
      report(rule.id, "\"follows\": \"\(sibling)\" is not a V2 field here\(hint)", at: "follows")
    }
    if let type = notes.undecidable, type != "*", NotificationType(rawValue: type) == nil {
      report(rule.id, "\"undecidable\": \"\(type)\" is not a V2 notificationType", at: "undecidable")
    }
    for key in notes.relations.keys.sorted() where !rule.from.contains(key) {
      report(rule.id, "\"relations\": \"\(key)\" is not one of the rule's V1 keys", at: "relations")
    }
    if let era = rule.since, !knowsEra(era) {
      report(rule.id, "\"since\": \"\(era)\" is not an era\(Self.suggestion(era, rules.eras.map(\.id)))", at: "since")
    }
    if let way = notes.compare, !way.fits(kind) {
      report(rule.id, "\"compare\": \"\(way.rawValue)\" does not fit a \(kind.description)", at: "compare")
    }
    if notes.tolerance != nil, kind != .milliseconds {
      report(
        rule.id, "\"tolerance\" is for dates, and \"\(rule.to ?? "")\" is a \(kind.description)", at: "tolerance")
    }
    if notes.tolerance != nil, notes.compare?.isNeverCompared == true {
      report(rule.id, "\"tolerance\" has no effect: the field is never compared", at: "tolerance")
    }
    let states = notes.untold.values.joined().filter { $0 != "absent" }
    let words =
      [notes.silentAs].compactMap(\.self).map { ("silentAs", $0) }
      + (notes.untold.keys.sorted() + states.sorted()).map { ("untold", $0) }
      + (notes.mayBe.keys.sorted() + notes.mayBe.values.joined().sorted()).map { ("mayBe", $0) }
    for (member, word) in words where !kind.holds(word) {
      report(rule.id, "\"\(word)\" is not a value of a \(kind.description)", at: member)
    }
  }
}

extension ComparingRule.Way {
  /// The reading makes sense of values of that kind.
  fileprivate func fits(_ kind: FieldKind) -> Bool {
    switch (self, kind) {
    case (.skew, .milliseconds), (.grace, .milliseconds), (.signing, .milliseconds), (.boundary, .code), (.uuid, .uuid),
      (.event, .word), (.renumbered, .text), (.version, .text), (.version, .integer64), (.synthetic, .uuid),
      (.synthetic, .text),
      (.paging, .boolean), (.later, .milliseconds), (.later, .code), (.revised, .integer32), (.revised, .word),
      (.upgrade, .boolean), (.quiet, .boolean):
      true
    default: false
    }
  }
}

extension FieldKind {
  /// True when the word, as JSON without quotes, is a valid value of such a field.
  fileprivate func holds(_ word: String) -> Bool {
    switch self {
    case .integer32, .integer64, .code, .milliseconds, .milliunits: Int64(word) != nil
    case .boolean: word == "true" || word == "false"
    case .text, .uuid, .word: true
    case .texts, .object, .objects: false
    }
  }
}
