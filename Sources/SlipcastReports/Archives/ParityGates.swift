import SlipcastComparison
import SlipcastMapping

extension ParityResult {
  var failingGates: [Gate] { gates.filter { !$0.holds } }

  /// True when a field counts against the verdict: a failing gate is about it.
  func fails(_ field: Field) -> Bool { failingGates.contains { $0.isAbout(field) } }

  /// Classes besides `conflict` that count against the verdict.
  var failingClasses: Set<DifferenceClass> { Set(failingGates.compactMap(\.strictClass)) }

  /// True when the change of access counts: a failing gate is about it.
  var accessFails: Bool {
    let isGrown = differences.contains { $0.path == KnownDifference.entitlement && $0.fails }
    return failingGates.contains { $0.isAboutAccess || $0.word == "baseline" && isGrown }
  }
}

extension ParityResult.Gate {
  var word: String { String(name.prefix { $0 != " " }) }

  /// What it is about: a path or a class; empty for the run as a whole.
  private var subject: String {
    // The share at the end of the name is not a path.
    name.split(separator: " ").dropFirst().filter { !$0.hasSuffix("%") }.joined(separator: " ")
  }

  /// The class that this gate does not let pass; `nil` for a gate of another kind.
  fileprivate var strictClass: DifferenceClass? { word == "strict" ? DifferenceClass(rawValue: subject) : nil }

  fileprivate var isAboutAccess: Bool {
    word == "access" || word == "endChanges" || word == "minAgreement" && subject == KnownDifference.entitlement
  }

  /// True when the gate is about something that the field has.
  fileprivate func isAbout(_ field: ParityResult.Field) -> Bool {
    let open = field.count(.conflict) - field.accepted
    switch word {
    case "conflicts", "baseline": return open > 0
    case "minAgreement": return subject.isEmpty ? open > 0 : subject == field.path
    default: return strictClass.map { field.count($0) > 0 } ?? false
    }
  }
}
