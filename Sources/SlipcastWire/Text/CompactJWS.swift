internal import SlipcastSystem

/// A JSON Web Signature in its compact form: `header.payload.signature` (RFC 7515 section 7.1).
///
/// This type only splits it into its parts; it verifies nothing.
package struct CompactJWS {
  package let header: [UInt8]
  package let payload: [UInt8]

  /// Splits a text into its parts; `nil` when it is not a compact JWS.
  package init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    self.init(bytes.span)
  }

  /// The same of a value; `nil` for one that is not text.
  package init?(_ element: JSONElement) {
    guard element.kind == .string else { return nil }
    self.init(element.tape.text(element.index).buffer.span)
  }

  package init?(_ text: Span<UInt8>) {
    let dot = UInt8(ascii: ".")
    guard let first = Platform.find(dot, in: text), let second = Platform.find(dot, in: text, from: first + 1),
      Platform.find(dot, in: text, from: second + 1) == nil, second + 1 < text.count,
      let header = Base64.decode(text.extracting(..<first), .url), header.first == UInt8(ascii: "{"),
      let payload = Base64.decode(text.extracting(first + 1..<second), .url), !payload.isEmpty,
      Base64.decode(text.extracting((second + 1)...), .url) != nil
    else { return nil }
    (self.header, self.payload) = (header, payload)
  }
}
