internal import SlipcastV2
internal import SlipcastWire

extension RuleCheck {
  /// What a field rule says for comparing fits the field.
  func checkComparing(_ rule: FieldRule, _ kind: FieldKind, _ errors: inout [MappingError]) {
    let notes = rule.comparing
    if let sibling = notes.follows, Self.targets["\(rule.family).\(sibling)"] == nil {
      let hint = Self.suggestion(sibling, Self.names(of: rule.family))
      report(rule.id, "\"follows\": \"\(sibling)\" is no V2 field here\(hint)", &errors)
    }
    if let type = notes.undecidable, type != "*", NotificationType(rawValue: type) == nil {
      report(rule.id, "\"undecidable\": \"\(type)\" is no V2 notificationType", &errors)
    }
    for key in notes.relations.keys.sorted() where !rule.from.contains(key) {
      report(rule.id, "\"relations\": \"\(key)\" is none of the rule's V1 keys", &errors)
    }
    if let era = rule.since, !rules.eras.contains(where: { $0.id == era }) {
      report(rule.id, "\"since\": \"\(era)\" is no era\(Self.suggestion(era, rules.eras.map(\.id)))", &errors)
    }
    if let way = notes.compare, !way.fits(kind) {
      report(rule.id, "\"compare\": \"\(way.rawValue)\" does not fit a \(kind.description)", &errors)
    }
    if notes.tolerance != nil, kind != .milliseconds {
      report(rule.id, "\"tolerance\" is for dates, and \"\(rule.to ?? "")\" is a \(kind.description)", &errors)
    }
    if notes.tolerance != nil, notes.compare?.isNeverCompared == true {
      report(rule.id, "\"tolerance\" has no effect: the field is never compared", &errors)
    }
    let words = (notes.silentAs.map { [$0] } ?? []) + notes.untold.keys.sorted()
    let states = notes.untold.values.joined().filter { $0 != "absent" }
    for word in words + states.sorted() where !kind.holds(word) {
      report(rule.id, "\"\(word)\" is no value of a \(kind.description)", &errors)
    }
  }
}

extension ComparingRule.Way {
  /// The reading makes sense of values of that kind.
  fileprivate func fits(_ kind: FieldKind) -> Bool {
    switch (self, kind) {
    case (.skew, .milliseconds), (.grace, .milliseconds), (.signing, .milliseconds), (.boundary, .code), (.uuid, .uuid),
      (.event, .word), (.renumbered, .text), (.version, .text), (.synthetic, .uuid), (.synthetic, .text),
      (.paging, .boolean):
      true
    default: false
    }
  }
}

extension FieldKind {
  /// The word, as JSON without quotes, can stand in such a field.
  fileprivate func holds(_ word: String) -> Bool {
    switch self {
    case .integer32, .integer64, .code, .milliseconds, .milliunits: Int64(word) != nil
    case .boolean: word == "true" || word == "false"
    case .text, .uuid, .word: true
    case .texts, .object, .objects: false
    }
  }
}
