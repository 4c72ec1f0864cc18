internal import SlipcastSignatures
@_spi(Slipcast) internal import SlipcastWire

/// The value at a pointer in a wrapped row: a record as an object, or as text in a string.
struct WrappedBody {
  /// The source of an object, the content of a string.
  let text: [UInt8]
  private let place: String
  private let isString: Bool

  init(at pointer: JSONPointer, in row: JSONTape, limit: Int) throws(Refusal) {
    let reader = NestedReader(JSONLimits(), names: [])
    defer { withExtendedLifetime(reader) {} }
    let plain = TypedRow.plain(row, 0).flatMap { try? reader.read($0.span) }
    let pointers = PointerReader(JSONLimits())
    defer { withExtendedLifetime(pointers) {} }
    guard let (tape, index) = pointers.value(pointer, in: plain, or: row) else { throw Self.missing(pointer) }
    place = JSONPath(tape: tape, index: index).description
    isString = tape[index].kind == .string
    let found = (isString ? tape.text(index) : tape.json(index)).buffer
    text = isString ? Self.unwrapped(found.span, limit) : Array(found)
  }

  /// A text without what companies wrap around it; the text itself where nothing is known to be in it.
  static func unwrapped(_ text: Span<UInt8>, _ limit: Int) -> [UInt8] {
    LayeredBody.opened(Array(text), limit: limit)
  }

  /// A path inside the body as a path of the row; the content of a string has separate paths.
  func path(_ inner: String) -> String {
    if place.isEmpty || inner.isEmpty { return place + inner }
    return isString ? "\(place): \(inner)" : inner.hasPrefix("[") ? place + inner : "\(place).\(inner)"
  }

  /// Why a bare token or receipt does not match a pointer; `nil` when it does.
  static func refusal(_ pointer: JSONPointer) -> Refusal? { pointer.tokens.isEmpty ? nil : missing(pointer) }

  private static func missing(_ pointer: JSONPointer) -> Refusal {
    Refusal(.nothingSigned, "no value at \(pointer), which --body names")
  }
}
