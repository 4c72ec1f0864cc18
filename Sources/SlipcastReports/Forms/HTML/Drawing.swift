import SlipcastWire

extension Markup {
  /// An image drawn in lines: its text alternative, and the range of its coordinates.
  ///
  /// It fills the room that the style sheet gives it, whatever the proportions.
  package func drawing(_ name: String, text: String, width: Int, height: Int) -> Markup {
    add(
      "svg",
      [
        "class": "chart \(name)", "role": "img", "aria-label": text, "viewBox": "0 0 \(width) \(height)",
        "preserveAspectRatio": "none", "focusable": "false",
      ])
  }

  /// A rectangle of such an image, with what it says to a pointer.
  package func box(
    _ name: String, x: Double, y: Double, width: Double, height: Double, title: String? = nil
  ) {
    let box = add(
      "rect",
      [
        "class": name, "x": Self.coordinate(x), "y": Self.coordinate(y), "width": Self.coordinate(width),
        "height": Self.coordinate(height),
      ])
    if let title { box.add("title", text: title) }
  }

  /// The colors of an image by their words.
  package func colorKeys(_ image: String, _ entries: [(name: String, words: String)], areCode: Bool = false) {
    let list = add("ul", ["class": "keys-of-chart"])
    for entry in entries {
      let item = list.add("li")
      let swatch = item.add(
        "svg",
        ["class": "chart \(image) swatch-of", "viewBox": "0 0 12 12", "aria-hidden": "true", "focusable": "false"])
      swatch.add("rect", ["class": entry.name, "width": "12", "height": "12"])
      item.add(text: " ")
      let words = item.add("span")
      if areCode { words.add(code: entry.words) } else { words.add(text: entry.words) }
    }
  }

  /// A place in an image, to a tenth.
  package static func coordinate(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(abs(tenths % 10))"
  }
}
