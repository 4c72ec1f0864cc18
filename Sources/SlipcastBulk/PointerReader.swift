@_spi(Slipcast) internal import SlipcastWire

/// Finds the value at a pointer, also inside values that are JSON in a text (`/Message/body`: SNS inside SQS).
final class PointerReader {
  /// What the pointers lead through; each tape is valid until the next search.
  private var texts: [NestedReader] = []
  private let limits: JSONLimits
  private static let deepest = 4

  init(_ limits: JSONLimits) { self.limits = limits }

  /// The value that a pointer names in a row: a plain member, or, as the row is stored, one with its types.
  func value(_ pointer: JSONPointer, in plain: JSONTape?, or stored: JSONTape) -> (tape: JSONTape, index: Int)? {
    texts.removeAll(keepingCapacity: true)
    for tape in [plain, stored].compactMap(\.self) {
      if let found = find(pointer.tokens[...], in: tape) { return found }
    }
    return nil
  }

  private func find(_ tokens: ArraySlice<String>, in tape: JSONTape) -> (tape: JSONTape, index: Int)? {
    var at = 0
    for place in tokens.indices {
      if tape[at].kind == .string, let inner = open(tape.text(at)) { return find(tokens[place...], in: inner) }
      guard let next = JSONPointer.child(tokens[place], of: at, in: tape) else { return nil }
      at = next
    }
    return (tape, TypedRow.value(tape, at))
  }

  private func open(_ text: JSONText) -> JSONTape? {
    guard texts.count < Self.deepest else { return nil }
    let reader = NestedReader(limits)
    texts.append(reader)
    let span = text.buffer.span
    if let inner = LayeredBody.unwrap(span, limit: limits.recordBytes) { return try? reader.read(inner.span) }
    return try? reader.read(span)
  }
}
