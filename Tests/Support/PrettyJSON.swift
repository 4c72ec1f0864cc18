@_spi(Slipcast) import SlipcastWire

/// Lays JSON out with one member a line, so that a change of an expectation shows as a small change of a file.
package enum PrettyJSON {
  /// The text with two blanks a level; numbers and strings keep their spelling.
  package static func text(_ json: some Sequence<UInt8>) throws -> String {
    let (text, reader) = (JSONBuffer(json), JSONReader(names: []))
    defer { withExtendedLifetime((text, reader)) {} }
    var lines = ""
    write(JSONElement(tape: try reader.read(text)), "", &lines)
    return lines + "\n"
  }

  private static func write(_ element: JSONElement, _ margin: String, _ text: inout String) {
    guard element.kind == .object || element.kind == .array, !element.children.isEmpty else {
      text += element.kind == .object ? "{}" : element.kind == .array ? "[]" : element.json
      return
    }
    let isObject = element.kind == .object
    text += isObject ? "{" : "["
    for (index, child) in element.children.enumerated() {
      text += (index == 0 ? "\n" : ",\n") + margin + "  "
      if isObject {
        text += FieldValue.text(child.name).json + ": "
      }
      write(child, margin + "  ", &text)
    }
    text += "\n" + margin + (isObject ? "}" : "]")
  }
}

extension PrettyJSON {
  /// The text on one line, without blanks between its parts.
  package static func compact(_ json: [UInt8]) throws -> String {
    try text(json).split(separator: "\n").map { $0.drop { $0 == " " } }.map { line in
      // Keys are laid out as `"name": value`.
      guard let colon = line.firstRange(of: "\": ") else { return String(line) }
      return line[..<colon.lowerBound] + "\":" + line[colon.upperBound...]
    }.joined()
  }
}
