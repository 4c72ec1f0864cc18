internal import SlipcastMapping
@_spi(Slipcast) internal import SlipcastWire

struct ScalarView {
  enum Kind: UInt8 { case text, integer, boolean, json }

  var kind: Kind
  /// The number of an integer; 1 or 0 for a boolean.
  var integer: Int64 = 0
  var bytes = JSONText("")

  var string: String { bytes.string }
}

extension ScalarView {
  /// The value as reports show it.
  var shown: ComparedValue {
    switch kind {
    case .integer: return .json(String(integer))
    case .boolean: return .json(integer == 0 ? "false" : "true")
    case .json: return FieldValue.json(string).compared
    case .text:
      let writer = JSONWriter(capacity: bytes.count + 8)
      writer.text(string.count > Self.mostShown ? string.prefix(Self.mostShown) + "…" : string)
      return .json(writer.string)
    }
  }

  private static let mostShown = 200

  var number: Int64? { kind == .integer ? integer : nil }

  func isEqual(to other: ScalarView) -> Bool {
    kind == other.kind && integer == other.integer && bytes == other.bytes
  }

  /// It is what rules write so: a text without quotes, a number or boolean as in JSON.
  func isWord(_ word: String) -> Bool {
    switch kind {
    case .text: bytes.buffer.span.elementsEqual(word.utf8)
    // A text inside an object is kept as JSON, with its quotes.
    case .json: bytes.buffer.span.elementsEqual(word.utf8) || bytes.buffer.span.elementsEqual("\"\(word)\"".utf8)
    case .integer: Int64(word) == integer
    case .boolean: word == (integer == 0 ? "false" : "true")
    }
  }

  func isSameUUID(as other: ScalarView) -> Bool { UUIDText.isSame(string, other.string) }
}
