internal import SlipcastV2
@_spi(Slipcast) internal import SlipcastWire

/// Copies JSON without the shared secret, and adds the decoded content of each signed payload.
struct DecodedCopy {
  let writer: JSONWriter
  /// The nesting depth of this payload inside others.
  private var depth = 0
  /// It is the content of a token: Apple's tokens hold no secret, and may hold fields that are new.
  private var isSigned = false

  /// Members with secrets are missing from the copy; otherwise their values are replaced.
  private let leavesSecretsOut: Bool

  init(writer: JSONWriter, leavesSecretsOut: Bool = false) {
    (self.writer, self.leavesSecretsOut) = (writer, leavesSecretsOut)
  }

  /// Apple's payloads are two deep; a hostile one shall not be followed for ever.
  private static let deepest = 4

  func write(_ element: JSONElement) { write(element, isKnown: isSigned) }

  private func write(_ element: JSONElement, isKnown: Bool) {
    switch element.kind {
    case .object: writeObject(element)
    case .array: writer.array(element.children) { write($0, isKnown: isKnown) }
    case .string: writeText(element, isKnown: isKnown)
    default: writer.raw(element.json)
    }
  }

  /// Writes a text, which may be JSON itself, also in an encoding.
  ///
  /// JSON that cannot be read is not shown. Under a name that is not Apple's, neither is a text of several words: it may be
  /// of any form.
  private func writeText(_ element: JSONElement, isKnown: Bool) {
    let text = element.tape.text(element.index).buffer
    let inner = LayeredBody.unwrap(text.span, limit: JSONLimits().recordBytes)
    guard inner != nil || text.first(where: { !$0.isBlank }).map({ "{[".utf8.contains($0) }) == true else {
      if isKnown || Self.isWord(text.span) { return writer.raw(element.json) }
      return writer.text("[not shown: text of \(text.count) bytes under an unknown name]")
    }
    let copy = JSONWriter(capacity: 1024)
    let read: Void? =
      depth < Self.deepest
      ? JSONReader(names: []).parse(JSONBuffer(inner ?? Array(text))) { element in
        var deeper = DecodedCopy(writer: copy, leavesSecretsOut: leavesSecretsOut)
        (deeper.depth, deeper.isSigned) = (depth + 1, isSigned)
        deeper.write(element)
      } : nil
    guard read != nil else { return writer.text(Self.unreadable) }
    writer.text(copy.content)
  }

  /// One word, as ids, dates and product names are.
  private static func isWord(_ text: Span<UInt8>) -> Bool {
    text.count <= 255 && text.indices.allSatisfy { text[$0].isAlphanumeric || "._-:/+@".utf8.contains(text[$0]) }
  }

  private static let unreadable = "[not shown: it begins like JSON, and is not]"

  private func writeObject(_ element: JSONElement) {
    writer.byte(UInt8(ascii: "{"))
    let children = element.children
    for child in children {
      let isSecret = SecretName.matches(child.name)
      if isSecret, leavesSecretsOut { continue }
      writer.key(child.name)
      if isSecret {
        writer.text(SecretName.replacement)
        continue
      }
      write(child, isKnown: isSigned || KnownNames.contains(child.name))
      guard let name = ModelCatalog.decodedNames[child.name], !children.contains(where: { $0.name == name }) else {
        continue
      }
      writeDecoded(child, as: name)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func writeDecoded(_ element: JSONElement, as name: String) {
    if element.kind == .array {
      let tokens = element.children.compactMap { CompactJWS($0) }
      guard !tokens.isEmpty, tokens.count == element.children.count else { return }
      writer.array(name, tokens) { if !writePayload($0) { writer.raw("null") } }
    } else if let token = CompactJWS(element) {
      let start = writer.count
      writer.key(name)
      if !writePayload(token) { writer.truncate(to: start) }
    }
  }

  private func writePayload(_ token: CompactJWS) -> Bool {
    guard depth < Self.deepest else { return false }
    var inner = self
    (inner.depth, inner.isSigned) = (depth + 1, true)
    return JSONReader(names: []).parse(JSONBuffer(token.payload)) { inner.write($0) } != nil
  }
}
