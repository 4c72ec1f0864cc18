import SlipcastMapping
import SlipcastSignatures
import SlipcastWire

/// The names that `slipcast explain` knows: those of the rules, the classes of `diff` and the reasons of `verify`.
struct ExplainedNames {
  let explainer: Explainer
  private let findings: [(code: String, message: String, isWarning: Bool)]

  init(_ rules: RuleSet) {
    explainer = Explainer(rules: rules)
    findings = rules.findings
  }

  /// All of them, sorted, each once.
  var all: [String] {
    let words =
      DifferenceClass.allCases.map(\.rawValue) + Refusal.Reason.allCases.map(\.rawValue) + findings.map(\.code)
    return Set(explainer.names + words).sorted()
  }

  /// The sentence of the finding of that code, and what more there is to see, in lines.
  func finding(_ name: String) -> String? {
    guard let found = findings.first(where: { $0.code.lowercased() == name.lowercased() }) else { return nil }
    return "\(found.code)\n  a finding of convert\(found.isWarning ? ", a warning" : "")\n\n"
      + "  means  \(found.message)\n  where  convert --provenance FILE names record and path\n"
  }

  /// The reason of `verify` of that name, whatever its capitals.
  static func reason(_ name: String) -> Refusal.Reason? {
    Refusal.Reason.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
  }

  /// What to try instead of a name that nothing is known of.
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
