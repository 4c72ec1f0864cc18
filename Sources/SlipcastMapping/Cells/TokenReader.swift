@_spi(Slipcast) package import SlipcastWire

/// Opens the signed texts in V2 records, and keeps their contents until the next record; serves one task.
package final class TokenReader {
  /// A text that is part of a record, with the path of its place.
  package struct Token {
    package let text: JSONText
    package let path: String
  }

  private let admits: (Token) -> Bool
  private var contents: [(reader: JSONReader, text: JSONBuffer)] = []
  private var used = 0
  /// A record of more tokens does not keep its memory for the records that follow.
  private static let mostKept = 64

  /// - Parameter admits: whether a text is read. A text inside another signed text is covered by its signature, and
  ///   not asked about.
  package init(_ admits: @escaping (Token) -> Bool = { _ in true }) { self.admits = admits }

  /// Forgets the record before.
  func begin() {
    used = 0
    if contents.count > Self.mostKept { contents.removeLast(contents.count - Self.mostKept) }
  }

  /// What a signed text holds; `nil` for a text that is not admitted, or holds no JSON object.
  func content(of token: JSONElement, at path: String, isInside: Bool) -> JSONElement? {
    let text = token.tape.text(token.index)
    guard isInside || admits(Token(text: text, path: path)), let payload = CompactJWS(token)?.payload else {
      return nil
    }
    let buffer = JSONBuffer(payload)
    if used == contents.count { contents.append((JSONReader(names: []), buffer)) } else { contents[used].text = buffer }
    guard let tape = try? contents[used].reader.read(buffer) else { return nil }
    used += 1
    let root = JSONElement(tape: tape)
    return root.kind == .object ? root : nil
  }
}
