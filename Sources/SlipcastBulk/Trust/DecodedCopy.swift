@_spi(Slipcast) internal import SlipcastWire

/// Copies JSON without the shared secret, and adds the decoded content of each signed payload.
struct DecodedCopy {
  let writer: JSONWriter
  /// The nesting depth of this payload inside others.
  private var depth = 0

  init(writer: JSONWriter) { self.writer = writer }

  /// Apple's payloads are two deep; a hostile one shall not be followed for ever.
  private static let deepest = 4

  /// Where the decoded payload goes; in the naming of `convert`.
  private static let decodedNames = DecodedNotification.names.merging(
    ["signedTransactions": "transactions", "signedPayload": "payload"]) { one, _ in one }

  func write(_ element: JSONElement) {
    switch element.kind {
    case .object: writeObject(element)
    case .array: writer.array(element.children) { write($0) }
    case .string: writeText(element)
    default: writer.raw(element.json)
    }
  }

  /// A text may be JSON itself, or an address, with the secret in it.
  private func writeText(_ element: JSONElement) {
    let content = Array(element.json.utf8.dropFirst().dropLast())
    writer.byte(UInt8(ascii: "\""))
    let (text, omission) = SecretFilter.filter(content.span)
    let shown = omission == nil ? text : Array(Redaction.replacement.utf8)
    writer.raw(shown)
    writer.byte(UInt8(ascii: "\""))
  }

  private func writeObject(_ element: JSONElement) {
    writer.byte(UInt8(ascii: "{"))
    let children = element.children
    let names = Set(children.map(\.name))
    for child in children {
      writer.key(child.name)
      if Redaction.isSecret(key: child.name) {
        writer.text(Redaction.replacement)
        continue
      }
      write(child)
      guard let name = Self.decodedNames[child.name], !names.contains(name) else { continue }
      writeDecoded(child, as: name)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func writeDecoded(_ element: JSONElement, as name: String) {
    if element.kind == .array {
      let tokens = element.children.compactMap { $0.string.flatMap { CompactJWS($0) } }
      guard !tokens.isEmpty, tokens.count == element.children.count else { return }
      writer.array(name, tokens) { if !writePayload($0) { writer.raw("null") } }
    } else if let token = element.string.flatMap({ CompactJWS($0) }) {
      let start = writer.count
      writer.key(name)
      if !writePayload(token) { writer.truncate(to: start) }
    }
  }

  private func writePayload(_ token: CompactJWS) -> Bool {
    guard depth < Self.deepest else { return false }
    var inner = self
    inner.depth += 1
    return JSONReader(names: []).parse(JSONBuffer(token.payload)) { inner.write($0) } != nil
  }
}
