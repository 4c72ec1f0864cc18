extension JSONWriter {
  /// Copies a value from its source byte for byte, without the whitespace between tokens.
  ///
  /// So a record stays on one line.
  package func copy(_ element: JSONElement) {
    let tape = element.tape
    switch element.kind {
    case .object:
      object {
        for child in element.children {
          keyOf(child)
          copy(child)
        }
      }
    case .array: array(element.children) { copy($0) }
    default:
      raw(tape.json(element.index).buffer.span)
    }
  }

  /// The name of a member, with the comma before it and the colon after it.
  package func keyOf(_ member: JSONElement) {
    comma()
    text(member.tape.key(member.index))
    byte(UInt8(ascii: ":"))
  }
}
