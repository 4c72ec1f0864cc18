@_spi(Slipcast) internal import SlipcastWire

/// A record that is not JSON: a token, an encoded JSON body, or a receipt in a form in which apps send and store it.
struct TextRecord {
  /// The form of the record; nothing has been decoded.
  enum Form {
    /// A compact JWS.
    case token
    /// A receipt or a JSON body in base64, possibly with line feeds; a JSON body in digits, gzip or a string.
    case encoded
    /// The bytes of an app receipt.
    case binary
  }

  var form: Form
  /// The text in a block, a tape or a reader of nested text.
  var bytes: JSONText

  init(form: Form, bytes: JSONText) { (self.form, self.bytes) = (form, bytes) }

  /// The content of a JSON string, if it is such a record.
  init?(string text: JSONText) {
    guard let form = Self.form(of: text.buffer.span, isWrapped: true) else { return nil }
    self.init(form: form, bytes: text)
  }

  /// A JSON string that is a whole text, with its quotes, if its content is such a record or JSON.
  ///
  /// A tape does not hold the content of a root string.
  /// - Parameter reader: reads a string with escapes; the record is valid until it reads again.
  init?(quoted text: JSONText, _ reader: @autoclosure () -> NestedReader) {
    let quote = UInt8(ascii: "\"")
    guard text.count > Self.shortest, text[0] == quote, text[text.count - 1] == quote else { return nil }
    let part = text.part(1..<text.count - 1)
    let content = part.buffer.contains(UInt8(ascii: "\\")) ? reader().read(string: text.buffer.span) : part
    if let form = Self.form(of: content.buffer.span, isWrapped: true) {
      self.init(form: form, bytes: content)
      return
    }
    let isJSON = content.buffer.first { !$0.isBlank } == UInt8(ascii: "{")
    guard isJSON || LayeredBody.open(content.buffer.span, limit: JSONLimits().recordBytes) != nil else { return nil }
    self.init(form: .encoded, bytes: content)
  }

  /// Shorter text is a word that only starts like a record.
  static let shortest = 16

  /// The form of a text, from its first byte to its last.
  static func form(of text: Span<UInt8>, isWrapped: Bool = false) -> Form? {
    guard text.count >= shortest, begins(text) else { return nil }
    if let sign = signOfDigits(text) {
      return text.count % 2 == sign % 2 && text.extracting(sign...).allSatisfy { $0.hexadecimalValue != nil }
        ? .encoded : nil
    }
    let isJSON = text[0] == UInt8(ascii: "e") && text[1] == UInt8(ascii: "y")
    var hasDot = false
    var isPadded = false
    let alphabet = Self.alphabet
    for place in text.indices {
      let byte = text[place]
      if alphabet[Int(byte)], !isPadded { continue }
      switch byte {
      case UInt8(ascii: "."): hasDot = true
      case UInt8(ascii: "="): isPadded = true
      case 0x0A, 0x0D: guard isWrapped else { return nil }
      default: guard Base64.isLetter(byte), !isPadded || isJSON else { return nil }
      }
    }
    if hasDot { return isJSON ? .token : nil }
    return .encoded
  }

  /// Starts like base64 of an ASN.1 sequence (`MI`), of a brace before a blank (`ew`, `eyA`), of `{"` (`eyJ`) or of
  /// gzip (`H4sI`), or like digits of a brace, of gzip or of an ASN.1 sequence.
  static func begins(_ text: Span<UInt8>) -> Bool {
    guard text.count > 4 else { return false }
    switch (text[0], text[1]) {
    case (UInt8(ascii: "M"), UInt8(ascii: "I")), (UInt8(ascii: "e"), UInt8(ascii: "w")): return true
    case (UInt8(ascii: "e"), UInt8(ascii: "y")): return text[2] == UInt8(ascii: "J") || text[2] == UInt8(ascii: "A")
    case (UInt8(ascii: "H"), UInt8(ascii: "4")): return text.starts(with: "sI".utf8, at: 2)
    default:
      guard let sign = signOfDigits(text), text.count > sign + 2 else { return false }
      let second = text[sign + 1] | 0x20
      return text[sign] == UInt8(ascii: "7") && second == UInt8(ascii: "b")
        || text[sign] == UInt8(ascii: "1") && second == UInt8(ascii: "f")
        || text.starts(with: "308".utf8, at: sign)
    }
  }

  /// The length of what databases write before hexadecimal digits: `\x`, `\\x` (escaped) or `0x`.
  static func signOfDigits(_ text: Span<UInt8>) -> Int? {
    guard let first = text.first(where: { _ in true }), first == UInt8(ascii: "\\") || first == UInt8(ascii: "0") else {
      return nil
    }
    return ["\\x", "\\\\x", "0x"].first { text.starts(with: $0.utf8) }?.utf8.count
  }

  /// By byte whether it is a letter of base64: the text of a body has thousands.
  private static let alphabet = (0...255).map { Base64.isLetter($0) }

  /// The length in characters of the receipt that starts here, according to its first bytes.
  static func expectedCharacters(_ text: Span<UInt8>) -> Int? {
    let start = Base64.decode(text.extracting(..<min(8, text.count)))
    // Apple never writes a length with more bytes than it needs.
    guard let bytes = start, bytes.count == 6, bytes[0] == 0x30, let head = ASN1Head(bytes.span), head.isLong,
      head.isMinimal, let whole = head.whole
    else { return nil }
    return (whole * 4 + 2) / 3
  }
}
