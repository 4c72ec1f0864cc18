import SlipcastComparison
internal import SlipcastMapping
import SlipcastWire

extension Ink {
  /// Text in bold and in the colour of a class; classes that are nobody's worry keep the terminal's.
  func heading(_ text: String, as differenceClass: DifferenceClass) -> String {
    code(of: differenceClass).map { dye(text, $0.hasPrefix("1;") ? $0 : "1;\($0)") } ?? bold(text)
  }

  /// The verdict in capital letters.
  func title(of verdict: Comparison.Verdict) -> String {
    let title = verdict.title.uppercased()
    return verdict == .conflict ? alarm(title) : green(title)
  }

  private func code(of differenceClass: DifferenceClass) -> String? {
    switch differenceClass {
    case .conflict: "1;31"
    case .timeDependent, .unknown, .semantic: "33"
    case .derived: "36"
    case .legacyOnly, .serverOnly, .elsewhere, .repeated, .representation, .identical: nil
    }
  }
}
