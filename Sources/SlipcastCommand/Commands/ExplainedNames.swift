import SlipcastMapping
import SlipcastSignatures
import SlipcastWire

/// The names that `slipcast explain` knows: those of the rules and of the findings of `convert`, the classes of
/// `diff` and the reasons of `verify`.
struct ExplainedNames {
  let explainer: Explainer
  private let rules: RuleSet

  init(_ rules: RuleSet) { (self.rules, explainer) = (rules, Explainer(rules: rules)) }

  /// What is known of a V1 type or a V2 type, on one screen; `nil` for any other name.
  func summary(of name: String) -> String? {
    if let tree = DecisionTree(of: name, in: rules) { return DecisionText(tree: tree, rules: rules).text }
    return EventTable(of: name, in: rules).map { EventText(table: $0).text }
  }

  var all: [String] {
    let words = DifferenceClass.allCases.map(\.rawValue) + Refusal.Reason.allCases.map(\.rawValue)
    return Set(explainer.names + words).sorted()
  }

  /// The known names that begin with a word of at least three letters, in any case.
  func beginning(with word: String) -> [String] {
    let word = word.lowercased()
    return word.count < 3 ? [] : all.filter { $0.lowercased().hasPrefix(word) }
  }

  /// All pages that speak of a name; empty when none does.
  func pages(for name: String) -> [Explainer.Page] {
    let pages = explainer.pages(for: range(around: name) ?? name)
    guard pages.isEmpty else { return pages }
    return Refusal.Reason.allCases.filter { $0.rawValue.lowercased() == name.lowercased() }.map(page)
  }

  /// The range of statuses that a number is in: 21199 is explained under 21100-21199.
  private func range(around name: String) -> String? {
    guard let number = Int(name) else { return nil }
    return explainer.values(of: "verifyReceipt.status").first { known in
      let ends = known.split(separator: "-").map { Int($0) }
      guard ends.count == 2, let first = ends[0], let last = ends[1] else { return false }
      return first <= number && number <= last
    }
  }

  private func page(_ reason: Refusal.Reason) -> Explainer.Page {
    let advice = reason.advice.map { [Explainer.Page.Line(label: "do", text: $0)] } ?? []
    return Explainer.Page(
      title: reason.rawValue, summary: "a reason of verify",
      lines: [Explainer.Page.Line(label: "means", text: reason.message)] + advice)
  }

  func hint(for name: String) -> String {
    let all = all
    if let values = values(for: name) { return values }
    // In a path the last name is what counts: data.renewalInfo.priceIncreaseStatsu.
    let last = name.split(separator: ".").last.map { String($0.prefix { $0 != "[" }) } ?? name
    if let near = Suggestion.closest(to: name, among: all) ?? Suggestion.closest(to: last, among: all) {
      return "; did you mean \(near)?"
    }
    let hint = UsageError.hint(last, all)
    return hint.isEmpty ? "; --names shows every name" : hint
  }

  /// For `field=value` with a field that is known: the values that are.
  private func values(for name: String) -> String? {
    let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    let known = explainer.values(of: parts[0])
    guard !known.isEmpty else { return nil }
    let shown = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? " and others" : "")
    return "; the values of \(parts[0]) are \(shown)"
  }
}
