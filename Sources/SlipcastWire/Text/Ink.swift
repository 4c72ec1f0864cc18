/// Terminal colors, or none.
package struct Ink: Sendable {
  package let isColored: Bool

  package init(isColored: Bool) { self.isColored = isColored }

  package func bold(_ text: String) -> String { dye(text, "1") }
  package func dim(_ text: String) -> String { dye(text, "2") }
  package func red(_ text: String) -> String { dye(text, "31") }
  package func yellow(_ text: String) -> String { dye(text, "33") }
  package func cyan(_ text: String) -> String { dye(text, "36") }
  package func green(_ text: String) -> String { dye(text, "1;32") }
  package func alarm(_ text: String) -> String { dye(text, "1;31") }

  /// Text in the style of an escape code (ECMA-48, "select graphic rendition").
  package func dye(_ text: String, _ code: String) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
