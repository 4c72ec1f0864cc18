import SlipcastComparison
internal import SlipcastMapping

/// Colours for a terminal, or none.
struct Ink {
  let isColored: Bool

  func bold(_ text: String) -> String { dye(text, "1") }
  func dim(_ text: String) -> String { dye(text, "2") }
  func green(_ text: String) -> String { dye(text, "1;32") }
  func alarm(_ text: String) -> String { dye(text, "1;31") }
  func yellow(_ text: String) -> String { dye(text, "33") }

  /// Text in bold and in the colour of a class; classes that are nobody's worry keep the terminal's.
  func heading(_ text: String, as differenceClass: DifferenceClass) -> String {
    code(of: differenceClass).map { dye(text, $0.hasPrefix("1;") ? $0 : "1;\($0)") } ?? bold(text)
  }

  private func code(of differenceClass: DifferenceClass) -> String? {
    switch differenceClass {
    case .conflict: "1;31"
    case .timeDependent, .semantic: "33"
    case .derived: "36"
    case .legacyOnly, .serverOnly, .representation, .identical: nil
    }
  }

  private func dye(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
