import SlipcastComparison
import SlipcastMapping
internal import SlipcastWire

extension ParityResult {
  /// Gates that do not hold.
  var failingGates: [Gate] { gates.filter { !$0.holds } }

  /// True when there is more to decide than whether events conflict.
  var hasOwnGates: Bool { gates.contains { $0.word != "conflicts" } }

  /// True when a field counts against the verdict: a gate that does not hold is about it.
  func fails(_ field: Field) -> Bool { failingGates.contains { $0.isAbout(field) } }

  /// Classes besides `conflict` that count against the verdict.
  var failingClasses: Set<DifferenceClass> { Set(failingGates.compactMap(\.strictClass)) }

  /// True when the difference of access counts: never without a verdict that says so.
  var accessFails: Bool { verdict == .conflict && entitlement.conflicts > entitlement.accepted }
}

extension ParityResult.Gate {
  /// The gate's first word.
  var word: String { String(name.prefix { $0 != " " }) }

  /// What it is about: a path or a class; empty for the run as a whole.
  private var subject: String { String(name.drop { $0 != " " }.dropFirst()) }

  /// The class that this gate does not let pass; `nil` for a gate of another kind.
  var strictClass: DifferenceClass? { word == "strict" ? DifferenceClass(rawValue: subject) : nil }

  /// The name, safe to print.
  var shownName: String { SafeText.words(name) }

  /// The message, safe to print.
  var shownMessage: String { SafeText.words(message) }

  /// `holds` or `fails`.
  var outcome: String { holds ? "holds" : "fails" }

  /// True when the gate judges something that the field has.
  func isAbout(_ field: ParityResult.Field) -> Bool {
    let open = field.count(.conflict) - field.accepted
    switch word {
    case "conflicts", "baseline": return open > 0
    case "minAgreement": return subject.isEmpty ? open > 0 : subject == field.path
    default: return strictClass.map { field.count($0) > 0 } ?? false
    }
  }
}
