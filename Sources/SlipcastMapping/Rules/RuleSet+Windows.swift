internal import SlipcastWire

/// Texts of rules name windows and eras as `{decision.window.action}` and `{era.v2-live}`: lengths and dates are written
/// once, in the decisions and the eras.
enum WindowText {
  static func names(in text: String) -> [String] {
    var names: [String] = []
    _ = filled(text) { name in
      names.append(name)
      return nil
    }
    return names
  }

  /// The text with words in place of the names for which there are any.
  static func filled(_ text: String, _ words: (String) -> String?) -> String {
    guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
    var parts = text.utf8.split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false)[...]
    var result = String(Substring(parts.removeFirst()))
    for part in parts {
      if let end = part.firstIndex(of: UInt8(ascii: "}")), let known = words(String(Substring(part[..<end]))) {
        result += known + String(Substring(part[end...].dropFirst()))
      } else {
        result += "{" + String(Substring(part))
      }
    }
    return result
  }

  /// `6 hours (Sandbox: 10 minutes)`.
  static func words(_ window: (milliseconds: Int64, sandbox: Int64)) -> String {
    let usual = words(window.milliseconds)
    return window.sandbox == window.milliseconds ? usual : "\(usual) (Sandbox: \(words(window.sandbox)))"
  }

  /// A length in the largest unit that divides it.
  static func words(_ milliseconds: Int64) -> String {
    let units: [(size: Int64, name: String)] = [
      (86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1000, "second"),
    ]
    // 24 hours are a day; 80 hours are not 3⅓ days.
    guard let unit = units.first(where: { milliseconds >= $0.size && milliseconds % $0.size == 0 }) else {
      return "\(milliseconds) ms"
    }
    let count = milliseconds / unit.size
    return "\(count) \(unit.name)\(count == 1 ? "" : "s")"
  }
}

extension RuleSet {
  /// The texts of a row of the decision table that may name windows and eras.
  fileprivate static var textsOfRows: [WritableKeyPath<TypeRule, String?>] {
    [\.meaning.v1, \.meaning.v2, \.brief, \.note]
  }

  /// Puts lengths of windows and dates of eras into the texts that name them, and notes who names which.
  mutating func fillInWindows() {
    var users: [String: [String]] = [:]
    let named = decisions.map { ($0.id, WindowText.words(window(id: $0.id))) } + eras.map { ("era.\($0.id)", $0.date) }
    let texts = Dictionary(named) { first, _ in first }
    func filled(_ text: String, of user: String) -> String {
      WindowText.filled(text) { name in
        guard let words = texts[name] else { return nil }
        if users[name]?.contains(user) != true { users[name, default: []].append(user) }
        return words
      }
    }
    for place in facts.indices { facts[place].meaning = filled(facts[place].meaning, of: facts[place].name) }
    for place in archiveFacts.indices {
      archiveFacts[place].meaning = filled(archiveFacts[place].meaning, of: archiveFacts[place].name)
    }
    for place in types.indices {
      let id = types[place].id
      for text in Self.textsOfRows {
        types[place][keyPath: text] = types[place][keyPath: text].map { filled($0, of: id) }
      }
    }
    for pair in grouping.pairs { users[pair.window, default: []].append(pair.id) }
    windowUsers = users
  }
}

extension RuleCheck {
  /// Texts name windows and eras that exist.
  mutating func checkWindowTexts() {
    let names = rules.decisions.map(\.id) + rules.eras.map { "era.\($0.id)" }
    func unknown(_ text: String?) -> String? {
      WindowText.names(in: text ?? "").first { name in
        !names.contains(name) && !rules.unread.mentions(name, in: ["decisions"])
          && !(name.hasPrefix("era.") && rules.unread.mentions(String(name.dropFirst(4)), in: ["eras"]))
      }
    }
    for fact in rules.facts + rules.archiveFacts {
      if let name = unknown(fact.meaning) {
        report(fact.name, "\"{\(name)}\" is not a window or an era", at: "meaning")
      }
    }
    for row in rules.types {
      let texts = RuleSet.textsOfRows.map { row[keyPath: $0] }
      if let text = texts.first(where: { unknown($0) != nil }), let name = unknown(text) {
        report(row.id, "\"{\(name)}\" is not a window or an era\(Self.suggestion(name, names))", at: "meaning")
      }
    }
  }
}
