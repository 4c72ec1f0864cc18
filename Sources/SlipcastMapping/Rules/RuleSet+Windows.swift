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

/// The lengths of windows and dates of eras, for the texts that name them.
struct WindowWords: Sendable {
  private let decisions: [DecisionRule]
  private let eras: [Era]

  init(_ read: ReadRules) { (decisions, eras) = (read.decisions, read.eras) }

  /// What stands in place of a name; `nil` for one that is neither a parameter of the decisions nor an era.
  func words(_ name: String) -> String? {
    if let rule = decisions.first(where: { $0.id == name }) { return WindowText.words(rule.window) }
    return eras.first { "era." + $0.id == name }?.date
  }
}

extension ReadRules {
  /// Puts lengths of windows and dates of eras into the texts that name them, and notes who names which.
  mutating func fillIn(_ windows: WindowWords) {
    func filled(_ text: String, of user: String) -> String {
      WindowText.filled(text) { name in
        guard let words = windows.words(name) else { return nil }
        add(user: user, of: name)
        return words
      }
    }
    for place in facts.indices { facts[place].meaning = filled(facts[place].meaning, of: facts[place].name) }
    for place in archiveFacts.indices {
      archiveFacts[place].meaning = filled(archiveFacts[place].meaning, of: archiveFacts[place].name)
    }
    for place in types.indices {
      let rule = types[place]
      types[place].meaning.v1 = rule.meaning.v1.map { filled($0, of: rule.id) }
      types[place].meaning.v2 = rule.meaning.v2.map { filled($0, of: rule.id) }
      types[place].brief = rule.brief.map { filled($0, of: rule.id) }
      types[place].note = rule.note.map { filled($0, of: rule.id) }
    }
  }

  private mutating func add(user: String, of name: String) {
    if windowUsers[name]?.contains(user) != true { windowUsers[name, default: []].append(user) }
  }

  /// Adds the users that were found in other texts.
  mutating func add(users: [String: [String]]) {
    for (name, users) in users {
      for user in users { add(user: user, of: name) }
    }
  }
}

extension TypeRule {
  /// The texts that may name windows and eras.
  fileprivate var textsWithNames: [String?] { [meaning.v1, meaning.v2, brief, note] }
}

extension RuleCheck {
  /// Texts name windows and eras that exist.
  mutating func checkWindowTexts() {
    let names = rules.decisions.map(\.id) + rules.eras.map { "era.\($0.id)" }
    func unknown(_ text: String?) -> String? {
      WindowText.names(in: text ?? "").first { name in
        !names.contains(name) && !read.unread.mentions(name, in: ["decisions"])
          && !(name.hasPrefix("era.") && read.unread.mentions(String(name.dropFirst(4)), in: ["eras"]))
      }
    }
    for fact in rules.facts + rules.archiveFacts {
      if let name = unknown(fact.meaning) {
        report(fact.name, "\"{\(name)}\" is not a window or an era", at: "meaning")
      }
    }
    for row in rules.types {
      if let text = row.textsWithNames.first(where: { unknown($0) != nil }), let name = unknown(text) {
        report(row.id, "\"{\(name)}\" is not a window or an era\(Self.suggestion(name, names))", at: "meaning")
      }
    }
  }
}
